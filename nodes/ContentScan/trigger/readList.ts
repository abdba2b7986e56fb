import { NodeApiError } from 'n8n-workflow';
import type { ListBudget } from '../../../services/scanning/listBudget';
import { PAGE_SIZE, scanPages } from '../../../services/scanning/scanList';
import type { ScanService } from '../../../services/scanning/scanService';
import type { Call } from '../../../transport/call';
import type { Clock } from '../../../transport/clock';
import { alsoFails, failureKindOf } from '../../../transport/errors/callError';
import type { FeedReading } from './reading/feedReading';
import type { ListWindow, WindowContent } from './reading/listWindow';
import { lengthOf } from './reading/listWindow';
import { WindowPages } from './windowPages';

/** Most pages of a window; of the shortest, which cannot be divided, more than any second holds. */
const MOST_PAGES = 5;
const MOST_PAGES_OF_A_SECOND = 500;

/** After so many bytes no more pages of a window are read: its scans are held until its end. */
const LARGEST_WINDOW = 32 * 1024 * 1024;

/** Of new scans and of watched ones; what the pages of more hold takes memory. */
const MOST_BEGUN = 2;

/** Calls of a poll that finds the budget used up, and the largest debt with which it makes them, in milliseconds. */
const CALLS_WITHOUT_BUDGET = 2;
const LARGEST_DEBT_MS = 180_000;

/**
 * After so many calls a poll begins no other window: half a minute's share of the list, so that the
 * wait for verdicts has some too. One that is begun is read on, or it would be taken as too long.
 */
function callsPerPoll({ callMs }: ListBudget): number {
	return Math.max(2, Math.floor(30_000 / callMs));
}

/** The list of scans, as a poll reads it. */
export interface PolledList {
	scans: ScanService;
	budget: ListBudget;
	filters: NonNullable<Call['query']>;
	clock: Clock;
	/** When to stop, in milliseconds of the clock. */
	deadline: number;
	/** Whether it was not read for long, so that it is now, however much others have spent. */
	isOverdue?: boolean;
	/** What earlier polls read of seconds that took more calls than a poll had, by token and query. */
	begun?: Map<string, WindowPages>;
}

const PURPOSE = 'read the list of scans';

/** Pages of the list, each paid for before it is asked for. */
export function pagesOf(list: PolledList, query: NonNullable<Call['query']>, from?: string) {
	const { scans, budget, filters, deadline, clock } = list;
	const context = () => {
		budget.spend();
		// Where one call gets no answer, there is time for another.
		const answerWithinMs = Math.max(1, Math.ceil((deadline - clock.now()) / 2));
		return { deadline, answerWithinMs, isOfPoll: true };
	};
	return scanPages(scans, { ...filters, ...query }, context, PURPOSE, from);
}

/**
 * Calls that a poll may make. It waits for the budget until its deadline. Where those who wait for
 * verdicts have used up more, it makes a few all the same, and the next ones wait the longer for it.
 */
async function callsAllowed(list: PolledList): Promise<number> {
	const { clock, deadline, budget, isOverdue } = list;
	const wait = budget.waitMs();
	const isHopeless = wait > LARGEST_DEBT_MS && !isOverdue;
	if (clock.now() + wait >= deadline) return isHopeless ? 0 : CALLS_WITHOUT_BUDGET;
	if (wait === 0) return callsPerPoll(budget);
	await clock.sleep(wait);
	// Others that waited for the same moment may have been faster.
	return await callsAllowed(list);
}

/**
 * Carries out a reading: window after window until there is nothing to look for, the calls or the
 * time of the poll are over, or the service fails. What was read before stays in the reading.
 *
 * @returns The failure that ended it, if one did: the first, where nothing could be read.
 */
export async function readList(
	list: PolledList,
	reading: FeedReading,
): Promise<NodeApiError | undefined> {
	const { clock, deadline } = list;
	let left = await callsAllowed(list);
	let first: NodeApiError | undefined;
	while (clock.now() < deadline) {
		const window = reading.nextWindow;
		// What the calls so far were refused for would not be known without a probe.
		if (!window || (left <= 0 && window.kind !== 'probe')) break;
		const { calls, content, error } = await readWindow(list, window, reading);
		left -= calls;
		if (content) reading.take(window, content);
		if (!error) continue;
		first ??= error;
		if (alsoFails(error)) {
			if (!content) reading.failed(window);
			return reading.hasRead ? error : first;
		}
		reading.refused(window);
	}
	return reading.hasRead ? undefined : first;
}

/** What was read before calls ran out comes with the error: the next poll begins with a shorter window. */
type WindowResult = { calls: number } & (
	| { content: WindowContent; error?: NodeApiError }
	| { content?: undefined; error: NodeApiError }
);

async function readWindow(
	list: PolledList,
	window: ListWindow,
	reading: FeedReading,
): Promise<WindowResult> {
	const { start, end } = window;
	const isShortest = lengthOf(window) === 1;
	const mostPages = isShortest ? MOST_PAGES_OF_A_SECOND : MOST_PAGES;
	const key = JSON.stringify([list.scans.tokenKey, list.filters, window]);
	const pages = list.begun?.get(key) ?? new WindowPages();
	list.begun?.delete(key);
	const { content, count: before } = pages;
	try {
		for await (const page of pagesOf(list, { start, end, limit: PAGE_SIZE }, pages.nextQuery)) {
			pages.take(page);
			const calls = pages.count - before;
			const isFull = pages.count === mostPages || pages.bytes > LARGEST_WINDOW;
			if (isFull || pages.fruitless === MOST_PAGES) return { calls, content };
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
		const canGoOn = isShortest && pages.nextQuery !== undefined && reading.isSettled(window);
		if (canGoOn && alsoFails(error)) {
			keepBegun(list, key, pages);
			return { calls, error };
		}
		if (!isFirst && alsoFails(error)) {
			return { calls, content: { ...content, end: 'brokenOff' }, error };
		}
		// A page that another poll was led to, long ago perhaps.
		if (before > 0 && calls === 1) return await readWindow(list, window, reading);
		// Pages that lead in a circle, or to something that is none: there may be more behind them.
		if (isFirst || failureKindOf(error) !== 'wrongShape') return { calls, error };
		content.end = 'unclear';
	}
	return { calls: pages.count - before, content };
}

function keepBegun({ begun }: PolledList, key: string, pages: WindowPages): void {
	if (begun && begun.size >= MOST_BEGUN) begun.clear();
	begun?.set(key, pages);
}
