import { ListMemory } from './listMemory';
import type { FeedState } from './reading/feedState';

/** What this process knows of a trigger's list beyond the position that n8n stores. */
export interface FeedMemory {
	/** Of the position that it goes with. */
	readonly scope: string;
	/** What polls that read nothing learned of windows: n8n stores nothing of them. */
	learned?: Pick<FeedState, 'span' | 'tooLong' | 'watched' | 'last'>;
	readonly list: ListMemory;
	/** When the list was last read, in milliseconds of the monotonic clock. */
	readAt?: number;
	/** Since when a batch is looked for that comes again, by the same clock. */
	soughtSince?: number;
	/** The mark of another credential that n8n's log was told of. */
	toldOf?: string;
	/** Whether n8n's log was told that n8n's clock and the service's differ. */
	toldOfClocks?: boolean;
	/** Whether it was told that the list has not the expected form. */
	toldOfFlaw?: boolean;
}

const memories = new Map<string, FeedMemory>();

/**
 * @param key Of the trigger.
 * @param scope Of its position: what is known of another list says nothing of this one.
 */
export function feedMemory(key: string, scope: string): FeedMemory {
	const known = memories.get(key);
	const memory = known?.scope === scope ? known : { scope, list: new ListMemory() };
	memories.set(key, memory);
	return memory;
}
