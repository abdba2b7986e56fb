import type { CallContext } from '../../../transport/call';
import type { Clock } from '../../../transport/clock';

/** What an operation needs for the calls of one item. */
export interface ItemCalls {
	itemIndex: number;
	/** Asked anew for every call, since its deadline counts from there. */
	callContext: () => CallContext;
	clock: Clock;
	/** Of the output, as `EntryOutput` has it. */
	share: number;
}
