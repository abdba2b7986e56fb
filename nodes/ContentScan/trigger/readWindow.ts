import { NodeApiError } from 'n8n-workflow';
import { PAGE_SIZE } from '../../../services/scanning/scanList';
import { wayOn } from './failedPage';
import type { ContinuedList } from './polledList';
import { pagesOf } from './polledList';
import type { FeedReading } from './reading/feedReading';
import type { ListWindow, WindowContent } from './reading/listWindow';
import { lengthOf } from './reading/listWindow';
import { isSilent } from './silences';
import { WindowPages } from './windowPages';

/** Most pages of a window; of the shortest, which cannot be divided, more than any second holds. */
const MOST_PAGES = 5;
const MOST_PAGES_OF_A_SECOND = 500;

/** Records of a page where a larger one may be too large for a gateway. */
const SMALLER_PAGE = PAGE_SIZE / 10;

/** After so many bytes, or records, no more pages of a window are read: they are held until its end. */
const LARGEST_WINDOW = 32 * 1024 * 1024;
const MOST_RECORDS = 20_000;

interface WindowResult {
	calls: number;
	content?: WindowContent;
	error?: NodeApiError;
	/** Whether the next poll goes on with it, so that this one is over. */
	isOver?: boolean;
	/** How long a page was waited for in vain, in milliseconds, where nothing else went wrong. */
	waitedMs?: number;
}

/** The pages of a window, as far as the calls go. What a second holds beyond that is read by the next poll. */
export async function readWindow(
	list: ContinuedList,
	window: ListWindow,
	reading: FeedReading,
): Promise<WindowResult> {
	const { start, end } = window;
	const { begun, silences, pageLimit } = list.memory;
	const isShortest = lengthOf(window) === 1;
	const key = JSON.stringify([list.scans.tokenKey, list.filters, window]);
	const now = list.clock.monotonic();
	// A second that was refused may have been too large.
	const most = window.kind === 'gap' && isShortest ? SMALLER_PAGE : PAGE_SIZE;
	const pages = begun.take(key) ?? new WindowPages(now, Math.min(most, pageLimit.at(now)));
	const { content, limit, losses, count: before } = pages;
	const mostPages = isShortest ? MOST_PAGES_OF_A_SECOND : MOST_PAGES * (PAGE_SIZE / limit);
	content.age = Math.ceil((now - pages.begunAt) / 1000);
	// What was silent before has all the time that there is.
	const patienceMs = window.kind === 'gap' ? undefined : silences.patienceMs;
	let askedAt = now;
	try {
		for await (const page of pagesOf(list, { start, end, limit }, pages.nextQuery, patienceMs)) {
			silences.noteAnswer(list.clock.monotonic() - askedAt);
			askedAt = list.clock.monotonic();
			pages.take(page);
			pageLimit.answered(limit);
			const isAll = pages.count === 1 && !page.more;
			if (isAll && pages.wasRefused) pageLimit.refusedAbove(limit, now);
			const calls = pages.count - before;
			const isLarge = pages.bytes > LARGEST_WINDOW || content.records.length > MOST_RECORDS;
			const isEnough = window.kind === 'probe' || pages.count === mostPages;
			if (isLarge || isEnough || pages.fruitless === MOST_PAGES) return { calls, content };
			// A shorter window costs less than the pages of one that will not be read to its end.
			const willNotEnd = pages.left > (mostPages - calls) * page.records.length;
			if (willNotEnd && !isShortest && reading.believesCount && page.more)
				return { calls, content };
		}
	} catch (error) {
		// As it is: n8n's lint forbids `throw error`.
		if (!(error instanceof NodeApiError)) return await Promise.reject(error);
		const calls = pages.count - before + 1;
		const isFromBefore = before > 0 && calls === 1;
		const isSettled = reading.isSettled(window);
		const tookMs = list.clock.monotonic() - askedAt;
		const waitedMs = silenceMs(list, error, { patienceMs, tookMs });
		const isOutOfTime = waitedMs !== undefined && !silences.hadItsTime(waitedMs);
		const again = async (anew: WindowPages) => {
			begun.keep(key, anew);
			const { calls: more, ...result } = await readWindow(list, window, reading);
			// What was waited for longer says more of it.
			const { waitedMs: last } = result;
			const longest = last === undefined ? undefined : Math.max(last, waitedMs ?? 0);
			return { ...result, calls: calls + more, waitedMs: longest };
		};
		const isGap = window.kind === 'gap';
		// A shorter window can be read in the time.
		if (isOutOfTime && !isShortest && pages.count > 0)
			return { calls, content: { ...content, end: 'brokenOff' } };
		switch (wayOn(error, pages, { isFromBefore, isShortest, isSettled, isOutOfTime, isGap })) {
			case 'later':
				pages.failedInARow++;
				begun.keep(key, pages);
				return { calls, error, isOver: true };
			case 'anew':
				return await again(new WindowPages(now, limit, losses + 1));
			case 'smaller':
				return await again(new WindowPages(now, limit / 10, losses, pages.count === 0));
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
				return { calls, error, waitedMs, ...(content.end === 'brokenOff' && { content }) };
			case 'noEnd':
				content.end = 'unclear';
		}
	}
	return { calls: pages.count - before, content };
}

/** How long an answer was waited for, where that was all the time it had: a connection that breaks is no silence. */
function silenceMs(
	{ clock, deadline }: ContinuedList,
	error: NodeApiError,
	{ patienceMs = Infinity, tookMs }: { patienceMs?: number; tookMs: number },
): number | undefined {
	const granted = Math.min(patienceMs, (deadline - clock.now() + tookMs) / 2);
	return isSilent(error) && tookMs >= 0.9 * granted ? tookMs : undefined;
}
