import type { Clock } from '../../../transport/clock';
import { believedTime } from '../../../services/serverTime';
import { isTooLong, PAGE_SIZE, scanPages } from '../../../services/scanning/scanList';
import type { ScanRecord } from '../../../services/scanning/scanRecord';
import { createdSecond } from '../../../services/scanning/scanRecord';
import type { ScanService } from '../../../services/scanning/scanService';
import { callsNeeded, UNKNOWN_CALLS } from '../../../services/scanning/windowCalls';
import { hasNoAnswer } from '../verdict/lookupFailure';

/** Scans of a page, newest first. */
export interface ListPage<Scan> {
	scans: Scan[];
	/** The page that follows. */
	next?: string;
}

const WHOLE_DAY = 24 * 3600;

/** Calls for one page of the editor's list, so that opening it does not use up the license. */
const MOST_CALLS = 5;

/** Part of the calls that a window should need, so that it seldom needs more than there are. */
const AIM = 0.75;

/** The fewest calls that the next window is taken to need. */
const FEWEST_CALLS = 0.25;

/** A page goes on until it has so many: the editor asks for the next only when the list is scrolled. */
export const ENOUGH = 20;

/** How long one page may take, in milliseconds: the calls of a minute may be used up by others. */
const LONGEST_SEARCH_MS = 65_000;

interface Reading {
	/** Oldest first. */
	records: ScanRecord[];
	isWhole: boolean;
	/** Calls that were made, and those that the whole window needs, as far as is known. */
	calls: number;
	needs: number;
	/** The service's clock, in milliseconds, as it tells. */
	askedAt?: number;
	/** Why the service did not give the window. */
	error?: unknown;
}

/** Reads a window until it shows that it needs too many calls. A single second cannot be divided. */
async function readWindow(
	pages: ReturnType<typeof scanPages>,
	{ end, length, mostCalls }: { end: number; length: number; mostCalls: number },
): Promise<Reading> {
	const reading: Reading = { records: [], isWhole: false, calls: 0, needs: UNKNOWN_CALLS };
	try {
		for await (const page of pages) {
			reading.calls++;
			for (const record of page.records) reading.records.push(record);
			reading.isWhole = !page.more;
			reading.askedAt = page.askedAt;
			reading.needs = callsNeeded({ ...reading, end, count: page.count });
			if (reading.calls === mostCalls || (length > 1 && reading.needs > mostCalls)) break;
		}
	} catch (error) {
		if (length === 1 || !(isTooLong(error) || hasNoAnswer(error)))
			return await Promise.reject(error);
		return { ...reading, calls: reading.calls + 1, needs: UNKNOWN_CALLS, error };
	}
	return reading;
}

/**
 * One page of the wanted scans of the last 24 hours, the newest first. The service itself lists the oldest
 * first, so the windows go back from now, each so short that the calls read all of it.
 * @param enough With so many, a page is over before it has made all of its calls.
 * @param token `oldest:end:pace` of what is left: epoch seconds, and the seconds that a call reads.
 */
export async function readPage(
	scans: ScanService,
	clock: Clock,
	{ isWanted, enough }: { isWanted: (record: ScanRecord) => boolean; enough: number },
	token?: string,
): Promise<ListPage<ScanRecord>> {
	const deadline = clock.now() + LONGEST_SEARCH_MS;
	let now = Math.floor(clock.now() / 1000);
	const wholeDay = [now - WHOLE_DAY, now, Infinity];
	const [oldest, ...begun] = token?.split(':').map(Number) ?? wholeDay;
	let [end, pace] = begun;
	const shown: ScanRecord[] = [];
	let hasRead = false;
	let isQuiet = true;
	let error: unknown;
	// From here on there are more scans than can be read at once.
	let full: number | undefined;
	for (let left = MOST_CALLS; left > 0 && shown.length < enough && clock.now() < deadline; ) {
		const start = Math.max(oldest, end - Math.max(1, Math.floor(pace * left * AIM)) + 1);
		const length = end - start + 1;
		// What was created since the list was opened belongs to its first window.
		const isNewest = token === undefined && end === now;
		// A service may count only the beginning of the last second in, so one more is asked for. Only
		// scans without a time of creation are shown twice by that.
		const query = { start, end: isNewest ? undefined : end + 1, limit: PAGE_SIZE };
		// Somebody waits, and must not wait for a long run, nor for one window that is never answered.
		const answerWithinMs = (deadline - clock.now()) / 2;
		const pages = scanPages(scans, query, () => ({ deadline, answerWithinMs, isUrgent: true }));
		const reading = await readWindow(pages, { end, length, mostCalls: left });
		left -= reading.calls;
		error = reading.error;
		if (reading.isWhole || (length === 1 && reading.calls === MOST_CALLS)) {
			hasRead = true;
			for (const record of reading.records.reverse()) {
				// Exactly: a service may tell local times without a zone.
				if (!isNewest && createdSecond(record) === end + 1) continue;
				isQuiet = false;
				if (isWanted(record)) shown.push(record);
			}
			if (start === oldest) return { scans: shown };
			end = start - 1;
			pace = length / Math.max(reading.records.length / PAGE_SIZE, FEWEST_CALLS);
			// After a quiet time, the newest are found by halving what is left.
			if (isQuiet && full !== undefined) {
				pace = (end - full) / 2 / ((left || MOST_CALLS) * AIM);
			}
		} else {
			const told = isNewest ? believedTime(reading.askedAt, clock.now()) : undefined;
			if (told !== undefined) now = end = Math.floor(told / 1000);
			full = start;
			pace = length / Math.max(reading.needs, 2 * reading.calls);
		}
	}
	// A silence may hide all that is newest: an empty list would say that there is nothing.
	const mayBeHidden = !hasRead || (shown.length === 0 && hasNoAnswer(error));
	if (error !== undefined && mayBeHidden) return await Promise.reject(error);
	return { scans: shown, next: `${oldest}:${end}:${pace}` };
}
