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
	/** Whether what is not remembered is new. Elsewhere it was delivered, or is of no interest. */
	showsNew: boolean;
}

/** Windows of these kinds take turns, so that none keeps the others waiting. */
export const TURNS = ['new', 'watched', 'gap'] as const;
export type Turn = (typeof TURNS)[number];

/**
 * What a window is read for: new scans; scans that may still bring an event; a gap, once more; the
 * oldest scan that has not finished, for the last time; or only to see whether the service answers, or
 * whether the list goes on beyond the clock that is behind.
 */
type WindowKind = Turn | 'oldest' | 'probe' | 'beyond';

/** Whether only its first page is read, for what it tells of the service. */
export function isForOnePage({ kind }: ListWindow): boolean {
	return kind === 'probe' || kind === 'beyond';
}

/** In seconds. One second is the shortest window there is. */
export function lengthOf({ start, end }: Pick<ListWindow, 'start' | 'end'>): number {
	return end - start;
}

/** What was read of a window. */
export interface WindowContent {
	records: ScanRecord[];
	/** Of the answers that showed them. */
	bytes?: number;
	/**
	 * How its pages ended: the service said so; they led in a circle, to nothing new or to no page;
	 * there were more than are read at once; or no more calls could be made.
	 */
	end: 'said' | 'unclear' | 'tooMany' | 'brokenOff';
	/** Whether its pages show less than the service counts. */
	isShort?: boolean;
	/** Whether a page shows what an earlier one has shown, perhaps in the place of something else. */
	repeats?: boolean;
	/** Whether they show more scans than it counts, so that its count is an estimate, or of something else. */
	isMiscounted?: boolean;
	/** How long ago the first page was read, in seconds, where that was in an earlier poll. */
	age?: number;
	/** The service's clock when the first page was asked for, in epoch seconds, as it tells. */
	toldAt?: number;
}
