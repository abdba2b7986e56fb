import type { ScanRecord } from '../../../../services/scanning/scanRecord';

/** A part of the list by time of creation, in epoch seconds, both inclusive. */
export interface ListWindow {
	start: number;
	end: number;
	/** New scans; scans that had not finished; the oldest of these, to forget them. */
	lookFor: 'new' | 'pending' | 'oldest';
	/** Whether the service refused it before, and others not. */
	isRetry?: true;
}

/** What is read in turns: what is new, what was pending, what the service refused before. */
export type Turn = 'new' | 'pending' | 'retry';

/** What was read of a window. */
export interface WindowContent {
	records: ScanRecord[];
	/**
	 * How its pages ended: the service said so; they led in a circle, to nothing new or to no page; or
	 * there were more than are read at once.
	 */
	end: 'said' | 'unclear' | 'tooMany';
	/** How many scans the service says that there are. */
	count?: number;
	/** The service's clock when the first page was asked for, in epoch seconds. */
	askedAt: number;
	/** The same as the service tells it, however far from n8n's clock. */
	toldAt?: number;
}

/** In seconds. One second is the shortest window there is. */
export function lengthOf({ start, end }: Pick<ListWindow, 'start' | 'end'>): number {
	return end - start;
}
