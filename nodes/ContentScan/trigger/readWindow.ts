import { NodeApiError } from 'n8n-workflow';
import { PAGE_SIZE } from '../../../services/scanning/scanList';
import { alsoFails, failureKindOf } from '../../../transport/errors/callError';
import type { FailureKind } from '../../../transport/errors/failure';
import type { ContinuedList } from './polledList';
import { pagesOf } from './polledList';
import type { FeedReading } from './reading/feedReading';
import type { ListWindow, WindowContent } from './reading/listWindow';
import { lengthOf } from './reading/listWindow';
import { WindowPages } from './windowPages';

/** Most pages of a window; of the shortest, which cannot be divided, more than any second holds. */
const MOST_PAGES = 5;
const MOST_PAGES_OF_A_SECOND = 500;

/** Records of a page where a larger one may be too large for a gateway. */
const SMALLER_PAGE = PAGE_SIZE / 10;

/** A call gets half of the time that is left: of less than this, in milliseconds, an answer may take longer. */
const LEAST_ANSWER_MS = 20_000;

/** How a call fails whose time was over. */
const TOO_LATE: Array<FailureKind | undefined> = ['noAnswer', 'answerTooSlow'];

/** How a page may fail that comes another time. */
const PASSING: Array<FailureKind | undefined> = [
	...TOO_LATE,
	'answerCut',
	'serverFault',
	'unavailable',
];

/** In so many polls may the same page be asked for again: one that fails by itself holds up the others. */
const MOST_TRIES = { outOfCallsOrTime: 10, byItself: 1 };

/** After so many bytes, or records, no more pages of a window are read: they are held until its end. */
const LARGEST_WINDOW = 32 * 1024 * 1024;
const MOST_RECORDS = 20_000;

/** What was read before calls ran out comes with the error: the next poll begins with a shorter window. */
interface WindowResult {
	calls: number;
	content?: WindowContent;
	error?: NodeApiError;
	/** Whether the next poll goes on with it, so that this one is over. */
	isOver?: boolean;
}

/** Whether all calls fail: also for a credential that is refused, which may be locked if it is tried again and again. */
export function isForAll(error: NodeApiError): boolean {
	return alsoFails(error) === 'everyCall' || failureKindOf(error) === 'unauthorized';
}

/** Whether a call failed because the poll had little time left for it, perhaps. */
export function ranOutOfTime({ clock, deadline }: ContinuedList, error: NodeApiError): boolean {
	return deadline - clock.now() < LEAST_ANSWER_MS && TOO_LATE.includes(failureKindOf(error));
}

/** The pages of a window, as far as the calls go. What a second holds beyond that is read by the next poll. */
export async function readWindow(
	list: ContinuedList,
	window: ListWindow,
	reading: FeedReading,
): Promise<WindowResult> {
	const { start, end } = window;
	const { begun } = list;
	const isShortest = lengthOf(window) === 1;
	const mostPages = isShortest ? MOST_PAGES_OF_A_SECOND : MOST_PAGES;
	const key = JSON.stringify([list.scans.tokenKey, list.filters, window]);
	const now = list.clock.monotonic();
	// A second that was refused may have been too large.
	const first = window.kind === 'gap' && isShortest ? SMALLER_PAGE : PAGE_SIZE;
	const pages = begun.take(key) ?? new WindowPages(now, first);
	const { content, limit, losses, count: before } = pages;
	content.age = Math.ceil((now - pages.begunAt) / 1000);
	try {
		for await (const page of pagesOf(list, { start, end, limit }, pages.nextQuery)) {
			pages.take(page);
			const calls = pages.count - before;
			const isLarge = pages.bytes > LARGEST_WINDOW || content.records.length > MOST_RECORDS;
			if (isLarge || pages.count === mostPages || pages.fruitless === MOST_PAGES)
				return { calls, content };
			// A shorter window costs less than the pages of one that will not be read to its end.
			const isHopeless = pages.left > (mostPages - calls) * page.records.length;
			if (isHopeless && !isShortest && reading.believesCount && page.more)
				return { calls, content };
		}
	} catch (error) {
		// As it is: n8n's lint forbids `throw error`.
		if (!(error instanceof NodeApiError)) return await Promise.reject(error);
		const calls = pages.count - before + 1;
		const isFromBefore = before > 0 && calls === 1;
		const isSettled = reading.isSettled(window);
		const isOutOfTime = ranOutOfTime(list, error);
		const again = async (anew: WindowPages) => {
			begun.keep(key, anew);
			const { calls: more, ...result } = await readWindow(list, window, reading);
			return { calls: calls + more, ...result };
		};
		const isGap = window.kind === 'gap';
		switch (wayOn(error, pages, { isFromBefore, isShortest, isSettled, isOutOfTime, isGap })) {
			case 'later':
				begun.keep(key, pages);
				return { calls, error, isOver: true };
			case 'anew':
				return await again(new WindowPages(now, limit, losses + 1));
			case 'smaller':
				return await again(new WindowPages(now, limit / 10, losses));
			case 'cut':
				if (pages.isLost) begun.keep(key, new WindowPages(now, limit, losses));
				return {
					calls,
					content: { ...content, end: pages.isLost ? 'tooMany' : 'brokenOff' },
					error,
					isOver: true,
				};
			case 'refused':
				// What a second shows before such a page is not lost with it.
				if (isShortest && pages.count > 0) content.end = 'brokenOff';
				return { calls, error, ...(content.end === 'brokenOff' && { content }) };
			case 'noEnd':
				content.end = 'unclear';
		}
	}
	return { calls: pages.count - before, content };
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
 * How to go on after a page that failed: `later` with the same page, `anew` with the first, with `smaller`
 * pages, or not now: what was read is `cut`, the window `refused`, or its pages have `noEnd`.
 */
function wayOn(
	error: NodeApiError,
	pages: WindowPages,
	{ isFromBefore, isShortest, isSettled, isOutOfTime, isGap }: Circumstances,
): 'later' | 'anew' | 'smaller' | 'cut' | 'refused' | 'noEnd' {
	const isFirst = pages.count === 0;
	const alsoFailing = alsoFails(error);
	const kind = failureKindOf(error);
	const isPassing = isForAll(error) || PASSING.includes(kind);
	if (isFromBefore && !isPassing) return 'anew';
	const { outOfCallsOrTime, byItself } = MOST_TRIES;
	const isByItself = !isForAll(error) && !isOutOfTime;
	const isGivenUp =
		pages.isLost ||
		(isByItself && isGap) ||
		pages.failedInARow >= (isByItself ? byItself : outOfCallsOrTime);
	const canGoOn = isShortest && isSettled && pages.nextQuery !== undefined && !isGivenUp;
	if (canGoOn && (isPassing || alsoFailing)) return 'later';
	if (isShortest && kind === 'answerTooLarge' && pages.limit > 1) return 'smaller';
	// What is too large for a gateway it may refuse with any answer; one try is enough to find out. Where
	// shorter windows may be answered, they are smaller as well.
	const mayBeTooLarge = (isFirst || isGivenUp) && isByItself;
	const hasNoOther = isShortest || (isFirst && alsoFailing === 'samePath');
	if (mayBeTooLarge && hasNoOther && pages.limit === PAGE_SIZE) return 'smaller';
	if (!isFirst && alsoFailing && !(isShortest && isByItself)) return 'cut';
	// Pages that lead in a circle, or to something that is none: there may be more behind them.
	return isFirst || kind !== 'wrongShape' ? 'refused' : 'noEnd';
}
