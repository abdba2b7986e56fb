import { VERDICT_CODES } from '../../../../services/scanning/verdict';
import type { ListWindow } from './listWindow';

/** What is known of a scan, in short: not finished yet, reported as such, or `=` and its verdict. */
export type Mark = string;
export const PENDING: Mark = '?';
export const UNFINISHED: Mark = '!';

/** A service that invents verdicts must not fill the state with them. */
const LONGEST_MARK = 24;

/** The mark of a verdict code; empty: finished without a verdict. */
export function markOf(code: string): Mark {
	if (code.length < LONGEST_MARK) return `=${code}`;
	// A copy: what is cut from a text keeps all of it in memory.
	return structuredClone(`=${code.slice(0, LONGEST_MARK - 1)}`);
}

/** The marks that are always told apart: those of the documented codes. */
export const TOLD_EXACTLY: readonly Mark[] = VERDICT_CODES.map(markOf);

/** Finished with one of more undocumented codes than the state tells apart. */
export const UNTOLD: Mark = '=*';

export function isMark(value: unknown): value is Mark {
	return typeof value === 'string' && (/^=/.test(value) || [PENDING, UNFINISHED].includes(value));
}

/** The verdict code of a mark; `undefined` for a scan that has not finished. */
export function codeOf(mark: Mark): string | undefined {
	return mark.startsWith('=') ? mark.slice(1) : undefined;
}

/** A scan as it is remembered. Times are epoch seconds. */
export interface RememberedScan {
	/**
	 * The list goes by a time between these, both inclusive (the `end` of a window is not). They follow from the windows that show the
	 * scan: no time in its record need be the one that the list goes by.
	 */
	readonly from: number;
	readonly to: number;
	/**
	 * Up to where windows did not show it since it was last looked for in all of that time. A list may
	 * leave out a scan once, so this says only where to look next.
	 */
	readonly sought?: number;
	/** When it was last looked for. */
	readonly checked: number;
	readonly mark: Mark;
}

/** Scans by the digest of their identity. */
export type RememberedScans = Map<string, RememberedScan>;

/** What is known of a scan that a window shows. */
export function shownIn(
	scan: RememberedScan,
	{ start, end, showsNew }: ListWindow,
): RememberedScan {
	const from = Math.max(scan.from, start);
	// A list that goes by the time of the last change shows it among the new ones once more, later than before.
	const to = showsNew ? end : Math.min(scan.to, end);
	// It may come up elsewhere than it was thought to be.
	const isThere = from <= to && from < end;
	return { ...scan, ...(isThere ? { from, to } : { from: start, to: end }), sought: undefined };
}

/** Where it is to be looked for next. */
export function lookFrom({ from, sought = from }: RememberedScan): number {
	return sought;
}

/** Whether nothing is left of the time in which a scan may lie once a window was read whole. */
export function isSoughtThrough(scan: RememberedScan, { start, end }: ListWindow): boolean {
	return lookFrom(scan) >= start && scan.to < end;
}

/**
 * What is known of a scan that a window does not show although it was read whole.
 * @param readable Which seconds can be read for now, of those in which it is looked for next.
 */
export function missingIn(
	scan: RememberedScan,
	{ start, end, kind }: ListWindow,
	readable: { start: number; end: number },
): RememberedScan {
	const { to } = scan;
	const from = lookFrom(scan);
	const isBehindGap = readable.start > from;
	// What is left of its time stays in one piece.
	if (isBehindGap && from < start && to >= start && to < end) return { ...scan, to: start - 1 };
	// The next window of new scans goes further, and shows one that this list only left out.
	if (kind === 'new') return scan;
	// The service may count the last second up to its beginning only.
	const seekFrom = to < readable.end ? from : readable.start;
	if (seekFrom >= start && seekFrom < end) return { ...scan, sought: end };
	return scan;
}
