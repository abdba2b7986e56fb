import type { ScanRecord } from '../../../../services/scanning/scanRecord';

/**
 * A part of the list by time of creation, in epoch seconds. The service counts both ends as inside, but
 * where it keeps finer times than seconds, it may count the last second up to its beginning only. So a
 * window counts as read from `start` to before `end`, and the next one begins at its `end`.
 */
export interface ListWindow {
	start: number;
	end: number;
	kind: WindowKind;
}

/**
 * What a window is read for: new scans; scans that had not finished; the oldest of these, for the last
 * time; either of the first two once more, where the service refused them; or only to see whether the
 * service answers.
 */
export type WindowKind = 'new' | 'pending' | 'oldest' | 'retryNew' | 'retryPending' | 'probe';

/** Windows are read in turns, so that none keeps the others waiting: whose turn comes after which. */
export const NEXT_TURN: Record<WindowKind, 0 | 1 | 2> = {
	new: 1,
	...{ pending: 2, oldest: 2, probe: 2 },
	...{ retryNew: 0, retryPending: 0 },
};

/** Whether what is not remembered is new. Elsewhere it was delivered, or is of no interest. */
export function showsNew({ kind }: ListWindow): boolean {
	return kind === 'new' || kind === 'retryNew';
}

export function isRetry({ kind }: ListWindow): boolean {
	return kind === 'retryNew' || kind === 'retryPending';
}

/** In seconds. One second is the shortest window there is. */
export function lengthOf({ start, end }: Pick<ListWindow, 'start' | 'end'>): number {
	return end - start;
}

/** What was read of a window. */
export interface WindowContent {
	records: ScanRecord[];
	/**
	 * How its pages ended: the service said so; they led in a circle, to nothing new or to no page; or
	 * there were more than are read at once.
	 */
	end: 'said' | 'unclear' | 'tooMany';
	/** Whether its pages show less than the service counts. */
	isShort?: boolean;
	/** The service's clock when the first page was asked for, in epoch seconds, as it tells. */
	toldAt?: number;
}
