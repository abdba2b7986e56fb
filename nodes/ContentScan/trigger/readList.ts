import { NodeApiError } from 'n8n-workflow';
import type { ListBudget } from '../../../services/scanning/listBudget';
import { isTooLong, PAGE_SIZE, scanPages } from '../../../services/scanning/scanList';
import type { ScanService } from '../../../services/scanning/scanService';
import { believedTime } from '../../../services/serverTime';
import type { Call } from '../../../transport/call';
import type { Clock } from '../../../transport/clock';
import { failureKindOf } from '../../../transport/errors/callError';
import type { FeedReading, ListWindow, WindowContent } from './reading/feedReading';

/** Most pages of a window; of the shortest, which cannot be divided, more than any second holds. */
const MOST_PAGES = 5;
const MOST_PAGES_OF_A_SECOND = 100;

/** Longest wait for the budget of the list, in milliseconds; else the next poll goes on. */
const LONGEST_WAIT_MS = 15_000;

/** Calls of a poll: half a minute's share of the list, so that the wait for verdicts has some too. */
export function callsPerPoll(callsPerMinute: number): number {
	return Math.max(2, Math.floor(callsPerMinute / 10));
}

/** The list of scans, as a poll reads it. */
export interface FeedSource {
	scans: ScanService;
	budget: ListBudget;
	filters: NonNullable<Call['query']>;
	clock: Clock;
	/** When to stop, in milliseconds of the clock. */
	deadline: number;
}

const PURPOSE = 'read the list of scans';

/** Pages of the list, each paid for before it is asked for. */
export function pagesOf(source: FeedSource, query: NonNullable<Call['query']>) {
	const { scans, budget, filters, deadline } = source;
	const context = () => {
		budget.spend();
		return { deadline };
	};
	return scanPages(scans, { ...filters, ...query }, context, PURPOSE);
}

/**
 * Carries out a reading: window after window until there is nothing to look for, the calls or the
 * time of the poll are over, or the service fails. What was read before stays in the reading.
 *
 * @returns The failure that ended it, if one did.
 */
export async function readList(
	source: FeedSource,
	reading: FeedReading,
): Promise<NodeApiError | undefined> {
	const { clock, deadline, budget, scans } = source;
	const wait = budget.waitMs();
	if (wait > LONGEST_WAIT_MS || clock.now() + wait >= deadline) return undefined;
	if (wait > 0) await clock.sleep(wait);
	let left = callsPerPoll(scans.callsPerMinute);
	while (left > 0 && clock.now() < deadline) {
		const window = reading.nextWindow;
		if (!window) return undefined;
		const read = await readWindow(source, window, left);
		left -= read.calls;
		if (read.content) reading.take(window, read.content);
		else if (!isTooLong(read.error) || !reading.refused(window)) return read.error;
	}
	return undefined;
}

type WindowResult = { calls: number } & (
	| { content: WindowContent; error?: undefined }
	| { error: NodeApiError; content?: undefined }
);

async function readWindow(
	source: FeedSource,
	{ start, end }: ListWindow,
	callsLeft: number,
): Promise<WindowResult> {
	const mostPages = end - start > 1 ? Math.min(MOST_PAGES, callsLeft) : MOST_PAGES_OF_A_SECOND;
	const content: WindowContent = { records: [], complete: true, askedAt: 0 };
	let calls = 0;
	try {
		for await (const page of pagesOf(source, { start, end, limit: PAGE_SIZE })) {
			calls++;
			if (calls === 1) {
				content.count = page.count;
				const now = source.clock.now();
				content.askedAt = Math.floor((believedTime(page.askedAt, now) ?? now) / 1000);
			}
			for (const record of page.records) content.records.push(record);
			content.complete = !page.more || calls < mostPages;
			if (!content.complete) break;
		}
	} catch (error) {
		if (!(error instanceof NodeApiError)) return await Promise.reject(error);
		// Pages that lead in a circle, or to something that is none: there may be more behind them.
		if (calls === 0 || failureKindOf(error) !== 'wrongShape') return { calls: calls + 1, error };
		content.complete = false;
	}
	return { calls, content };
}
