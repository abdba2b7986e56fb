import type { INodeExecutionData, NodeApiError } from 'n8n-workflow';

/** How far a position is behind what the service has. */
export interface Lag {
	/** In milliseconds; minutes at most where all was read. */
	ms: number;
	/** What its user can do where it grows. */
	advice: string;
}

/** What was read of a service in one go. */
export interface Batch<P> {
	/** What is new, for one execution; empty where nothing is. */
	items: INodeExecutionData[];
	/** The position behind it. */
	after: P;
	/** What has `read` find the same batch again, in the words of the source. */
	end?: string;
	/** Whether there is probably more to read at once. */
	hasMore: boolean;
	/** What ended the reading before its end; what was read before it is complete. */
	failure?: NodeApiError;
	/** Whether reading did not come to its end, so that a batch that is not there may still be. */
	isUnfinished: boolean;
	/** Left out where it is not known. */
	lag?: Lag;
}

/** A service that a trigger reads; `P` is the trigger's position in it, a plain object. */
export interface PolledSource<P extends object> {
	/** What is read, and from when the user wants it: with another one the trigger starts over. */
	scope: string;
	/**
	 * The position that n8n stored, or `undefined` where it belongs to another scope.
	 * @throws NodeOperationError where it cannot be used.
	 */
	position(stored: unknown): P | undefined;
	/** Where a trigger begins; `isNow`: this very moment, to be kept although nothing was delivered. */
	start(): Promise<{ position: P; isNow: boolean }>;
	/**
	 * Whether it takes long to read from one position to another, so that the second is to be stored
	 * although nothing between them was delivered. Without it, it never does.
	 */
	isLongWay?(from: P, to: P): boolean;
	/** Reads what is new after a position, or a batch that comes again, by its `end`. */
	read(from: P, end: string | undefined): Promise<Batch<P>>;
}
