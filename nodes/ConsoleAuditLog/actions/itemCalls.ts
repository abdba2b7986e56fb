import type { CallContext } from '../../../transport/call';

/** What an operation needs for the calls of one item. */
export interface ItemCalls {
	itemIndex: number;
	/** Asked anew for every call, since its deadline counts from there. */
	callContext: () => CallContext;
}
