import type { NodeApiError } from 'n8n-workflow';
import { PAGE_SIZE } from '../../../services/scanning/scanList';
import { alsoFails, failureKindOf } from '../../../transport/errors/callError';
import type { FailureKind } from '../../../transport/errors/failure';
import { SILENT } from './silences';
import type { WindowPages } from './windowPages';

/** How a page may fail that comes another time. */
const PASSING: Array<FailureKind | undefined> = [
	...SILENT,
	'answerCut',
	'serverFault',
	'toldError',
	'unavailable',
];

/** In so many polls is the same page asked for once more: one that fails by itself holds up the others. */
const MOST_REPEATS = { outOfCallsOrTime: 10, byItself: 1 };

/** Whether all calls fail: also for a credential that is refused, which may be locked if it is tried again and again. */
export function failsEveryCall(error: NodeApiError): boolean {
	return alsoFails(error) === 'everyCall' || failureKindOf(error) === 'unauthorized';
}

interface Circumstances {
	/** Whether an earlier poll was told of the page: its query may be known no more. */
	isFromBefore: boolean;
	/** Whether the window cannot be divided. */
	isShortest: boolean;
	/** Whether it holds the same later on. */
	isSettled: boolean;
	/** Whether the poll had little time left for the page. */
	isOutOfTime: boolean;
	/** Whether it was refused before. */
	isGap: boolean;
}

/**
 * - `later`: with the same page, in the next poll.
 * - `anew`: with the first page, at once: an earlier poll was told of this one, and it is refused now.
 * - `smaller`: with the first page, and fewer records on each.
 * - `cut`: the poll ends, and what was read counts as a part.
 * - `refused`: the window is divided or set aside.
 * - `noEnd`: there may be more behind the last page.
 */
type WayOn = 'later' | 'anew' | 'smaller' | 'cut' | 'refused' | 'noEnd';

/** How to go on after a page that failed. */
export function wayOn(
	error: NodeApiError,
	pages: WindowPages,
	{ isFromBefore, isShortest, isSettled, isOutOfTime, isGap }: Circumstances,
): WayOn {
	const isFirst = pages.count === 0;
	const alsoFailing = alsoFails(error);
	const kind = failureKindOf(error);
	const isPassing = failsEveryCall(error) || PASSING.includes(kind);
	if (isFromBefore && !isPassing) return 'anew';
	const { outOfCallsOrTime, byItself } = MOST_REPEATS;
	const mayBeItsOwn = !failsEveryCall(error) && !isOutOfTime;
	const isGivenUp =
		pages.isLost ||
		(mayBeItsOwn && isGap) ||
		pages.failedInARow >= (mayBeItsOwn ? byItself : outOfCallsOrTime);
	const canGoOn = isShortest && isSettled && pages.nextQuery !== undefined && !isGivenUp;
	if (canGoOn && (isPassing || alsoFailing)) return 'later';
	if (isShortest && kind === 'answerTooLarge' && pages.limit > 1) return 'smaller';
	// What is too large for a gateway it may refuse with any answer; one try is enough to find out. Where
	// shorter windows may be answered, they are smaller as well.
	const mayBeTooLarge = (isFirst || isGivenUp) && mayBeItsOwn;
	const hasNoOther = isShortest || (isFirst && alsoFailing === 'samePath');
	if (mayBeTooLarge && hasNoOther && pages.limit === PAGE_SIZE) return 'smaller';
	if (!isFirst && alsoFailing && !(isShortest && mayBeItsOwn)) return 'cut';
	// Pages that lead in a circle, or to something that is none: there may be more behind them.
	return isFirst || kind !== 'wrongShape' ? 'refused' : 'noEnd';
}
