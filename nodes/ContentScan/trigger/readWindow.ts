import { NodeApiError } from 'n8n-workflow';
import { PAGE_SIZE } from '../../../services/scanning/scanList';
import { alsoFails, failureKindOf } from '../../../transport/errors/callError';
import type { FailureKind } from '../../../transport/errors/failure';
import type { ContinuedList } from './polledList';
import { pagesOf } from './polledList';
import type { FeedReading } from './reading/feedReading';
import type { ListWindow, WindowContent } from './reading/listWindow';
import { lengthOf } from './reading/listWindow';

/** Most pages of a window; of the shortest, which cannot be divided, more than any second holds. */
const MOST_PAGES = 5;
const MOST_PAGES_OF_A_SECOND = 500;

/** How a page may fail that comes another time: the poll's time was too short for it, perhaps. */
const PASSING: Array<FailureKind | undefined> = [
	'noAnswer',
	'answerTooSlow',
	'answerCut',
	'serverFault',
];

/** After so many bytes, or records, no more pages of a window are read: they are held until its end. */
const LARGEST_WINDOW = 32 * 1024 * 1024;
const MOST_RECORDS = 20_000;

/** What was read before calls ran out comes with the error: the next poll begins with a shorter window. */
type WindowResult = { calls: number } & (
	| { content: WindowContent; error?: NodeApiError; isKept?: undefined }
	/** `isKept`: the next poll goes on with its pages, so this one is over. */
	| { content?: undefined; error: NodeApiError; isKept?: boolean }
);

/**
 * The pages of a window, as far as the calls go. What a second holds beyond that is read by the next poll.
 * @param limit Records of a page to ask for.
 */
export async function readWindow(
	list: ContinuedList,
	window: ListWindow,
	reading: FeedReading,
	limit = PAGE_SIZE,
): Promise<WindowResult> {
	const { start, end } = window;
	const { begun } = list;
	const isShortest = lengthOf(window) === 1;
	const mostPages = isShortest ? MOST_PAGES_OF_A_SECOND : MOST_PAGES;
	const key = JSON.stringify([list.scans.tokenKey, list.filters, window]);
	const now = list.clock.monotonic();
	const pages = begun.take(key, now);
	const { content, count: before } = pages;
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
		const isFirst = pages.count === 0;
		const again = async (of: number) => {
			const { calls: more, ...result } = await readWindow(list, window, reading, of);
			return { calls: calls + more, ...result };
		};
		// A page that another poll was led to: its query may be known no more.
		if (before > 0 && calls === 1 && alsoFails(error) !== 'everyCall') {
			begun.beginAnew(key, now);
			return await again(limit);
		}
		const canGoOn = isShortest && pages.nextQuery !== undefined && reading.isSettled(window);
		const isOver = alsoFails(error) !== undefined || PASSING.includes(failureKindOf(error));
		if (canGoOn && !pages.isLost && isOver && begun.keep(key, pages)) {
			return { calls, error, isKept: true };
		}
		const isTooLarge = failureKindOf(error) === 'answerTooLarge' && limit > 1;
		if (isShortest && isTooLarge) return await again(limit / 10);
		if (!isFirst && alsoFails(error)) {
			if (pages.isLost) begun.beginAnew(key, now);
			return { calls, content: { ...content, end: pages.isLost ? 'tooMany' : 'brokenOff' }, error };
		}
		// Pages that lead in a circle, or to something that is none: there may be more behind them.
		if (isFirst || failureKindOf(error) !== 'wrongShape') return { calls, error };
		content.end = 'unclear';
	}
	return { calls: pages.count - before, content };
}
