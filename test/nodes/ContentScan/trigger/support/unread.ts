import { ListMemory } from '../../../../../nodes/ContentScan/trigger/listMemory';

/** What a trigger knows of its list that has not polled before. */
export function unread() {
	return { unreadOrSoughtMs: 0, unreadMs: 0, memory: new ListMemory() };
}
