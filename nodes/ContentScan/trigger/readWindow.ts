import { NodeApiError } from 'n8n-workflow';
import { PAGE_SIZE } from '../../../services/scanning/scanList';
import { LARGEST_BATCH } from '../../common/polling/largestBatch';
import { wayOn } from './failedPage';
import type { ContinuedList } from './polledList';
import { OVERDUE_MS, pagesOf } from './polledList';
import type { FeedReading } from './reading/feedReading';
import type { ListWindow, WindowContent } from './reading/listWindow';
import { isForOnePage, lengthOf } from './reading/listWindow';
import { isSilent } from './silences';
import { WindowPages } from './windowPages';

/** Most pages of a window; of the shortest, which cannot be divided, more than any second holds. */
const MOST_PAGES = 5;
const MOST_PAGES_OF_A_SECOND = 500;

/** Records of a page where a larger one may be too large for a gateway. */
const SMALLER_PAGE = PAGE_SIZE / 10;

/** After so many records, no more pages of a window are read: they are held until its end. */
const MOST_RECORDS = 20_000;

/**
 * A service that fails for a moment answers when it is asked again. One that fails after seconds may be unable to
 * show this window, and repetitions would leave the poll no time for what it can show.
 */
const REPEATS_FOR_MS = 5000;

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
	return await new WindowAttempt(list, window, reading).result();
}

/** One attempt at a window. If that fails, there may be another one. */
class WindowAttempt {
	private readonly beganAt: number;
	private readonly key: string;
	private readonly isShortest: boolean;
	private readonly isGap: boolean;
	private readonly pages: WindowPages;
	/** Pages that earlier polls have read. */
	private readonly countBefore: number;
	/** How long an answer is waited for; `undefined`: as long as the poll has time. */
	private readonly patienceMs: number | undefined;
	private askedAt: number;

	constructor(
		private readonly list: ContinuedList,
		private readonly window: ListWindow,
		private readonly reading: FeedReading,
	) {
		const { begun, silences, pageLimit } = list.memory;
		this.beganAt = list.clock.monotonic();
		this.askedAt = this.beganAt;
		this.key = JSON.stringify([list.scans.tokenKey, list.filters, window]);
		this.isShortest = lengthOf(window) === 1;
		this.isGap = window.kind === 'gap';
		// A second that was refused may have been too large.
		const most = this.isGap && this.isShortest ? SMALLER_PAGE : PAGE_SIZE;
		const limit = Math.min(most, pageLimit.at(this.beganAt));
		this.pages = begun.take(this.key) ?? new WindowPages(this.beganAt, limit);
		this.pages.content.age = Math.ceil((this.beganAt - this.pages.begunAt) / 1000);
		this.countBefore = this.pages.count;
		// What was silent before has all the time that there is.
		this.patienceMs = this.isGap ? undefined : silences.patienceMs;
	}

	async result(): Promise<WindowResult> {
		try {
			return await this.readPages();
		} catch (error) {
			// As it is: n8n's lint forbids `throw error`.
			if (!(error instanceof NodeApiError)) return await Promise.reject(error);
			return await this.afterFailure(error);
		}
	}

	/** Pages that this poll has read. */
	private get calls(): number {
		return this.pages.count - this.countBefore;
	}

	private get repeatsForMs(): number {
		// In an outage that lasts, repetitions would take many times the calls of the list.
		const isOutage = this.list.unreadOrSoughtMs >= OVERDUE_MS && !this.reading.hasRead;
		return this.isGap || isOutage || isForOnePage(this.window) ? 0 : REPEATS_FOR_MS;
	}

	private async readPages(): Promise<WindowResult> {
		const { list, pages, window, isShortest } = this;
		const { silences, pageLimit } = list.memory;
		const { content, limit } = pages;
		const { start, end } = window;
		const query = { start, end, limit };
		const mostPages = isShortest ? MOST_PAGES_OF_A_SECOND : MOST_PAGES * (PAGE_SIZE / limit);
		const { patienceMs, repeatsForMs } = this;
		const options = { from: pages.nextQuery, patienceMs, repeatsForMs };
		for await (const page of pagesOf(list, query, options)) {
			silences.noteAnswer(list.clock.monotonic() - this.askedAt);
			this.askedAt = list.clock.monotonic();
			pages.take(page);
			pageLimit.answered(limit);
			const isAll = pages.count === 1 && !page.more;
			if (isAll && pages.wasRefused) pageLimit.refusedAbove(limit, this.beganAt);
			const isLarge = pages.bytes > LARGEST_BATCH || content.records.length >= MOST_RECORDS;
			const isEnough = isForOnePage(window) || pages.count === mostPages;
			if (isLarge || isEnough || pages.fruitless === MOST_PAGES) break;
			// A shorter window costs less than the pages of one that will not be read to its end.
			const willNotEnd = pages.left > (mostPages - this.calls) * page.records.length;
			if (willNotEnd && !isShortest && this.reading.believesCount && page.more) break;
		}
		return { calls: this.calls, content };
	}

	private async afterFailure(error: NodeApiError): Promise<WindowResult> {
		const { list, pages, isShortest, isGap, patienceMs } = this;
		const { begun, silences } = list.memory;
		const { content, limit, losses } = pages;
		const calls = this.calls + 1;
		const tookMs = list.clock.monotonic() - this.askedAt;
		const waitedMs = silenceMs(list, error, { patienceMs, tookMs });
		const isOutOfTime = waitedMs !== undefined && !silences.hadItsTime(waitedMs);
		// A shorter window can be read in the time.
		if (isOutOfTime && !isShortest && pages.count > 0)
			return { calls, content: { ...content, end: 'brokenOff' } };
		const isFromBefore = this.countBefore > 0 && calls === 1;
		const isSettled = this.reading.isSettled(this.window);
		switch (wayOn(error, pages, { isFromBefore, isShortest, isSettled, isOutOfTime, isGap })) {
			case 'later':
				pages.failedInARow++;
				begun.keep(this.key, pages);
				return { calls, error, isOver: true };
			case 'anew':
				return await this.again(new WindowPages(this.beganAt, limit, losses + 1), waitedMs);
			case 'smaller': {
				const smaller = new WindowPages(this.beganAt, limit / 10, losses, pages.count === 0);
				return await this.again(smaller, waitedMs);
			}
			case 'cut':
				if (pages.isLost) begun.keep(this.key, new WindowPages(this.beganAt, limit, losses));
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
				return { calls: this.calls, content };
		}
	}

	/** Another attempt, after one whose last answer was waited for in vain for so long, if it was. */
	private async again(anew: WindowPages, waitedMs: number | undefined): Promise<WindowResult> {
		this.list.memory.begun.keep(this.key, anew);
		const { calls, ...result } = await readWindow(this.list, this.window, this.reading);
		// What was waited for longer says more of it.
		const longest =
			result.waitedMs === undefined ? undefined : Math.max(result.waitedMs, waitedMs ?? 0);
		return { ...result, calls: this.calls + 1 + calls, waitedMs: longest };
	}
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
