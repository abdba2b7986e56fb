import { BegunWindows } from '../../../../../nodes/ContentScan/trigger/begunWindows';

/** What a trigger knows of its list that has not polled before. */
export function unread() {
	return { lastReadMs: 0, begun: new BegunWindows() };
}
