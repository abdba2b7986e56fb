import type { CallContext } from '../../../../transport/call';
import { PAGE_SIZE, scanPages } from '../../../../services/scanning/scanList';
import type { ScanRecord } from '../../../../services/scanning/scanRecord';
import type { ScanService } from '../../../../services/scanning/scanService';
import { callsNeeded } from '../../../../services/scanning/windowCalls';

/** How far back the windows go in all, and how long the newest is, in seconds. */
export const WHOLE_DAY = 24 * 3600;
const FIRST_LENGTH = 30;

/** By how much a window is longer than the one before at most: hardly anything is known of the time before. */
const MOST_GROWTH = 60;

/** Part of a page that a window should fill. */
const AIM = 0.75;

export interface RecentPage {
	records: ScanRecord[];
	/** Scans that the service gives at once, as far as it has shown. */
	pageSize: number;
	/** The second from which on all scans were read. */
	allFrom: number;
	/** Whether the last 24 hours were read to their end, and showed as many scans as the service counts. */
	isComplete: boolean;
}

interface RecentReading {
	scans: ScanService;
	/** Epoch seconds. */
	now: number;
	context: () => CallContext;
	callsLeft: () => number;
}

/**
 * The list of the last 24 hours, the newest window first. Within a window, the service lists the oldest
 * scans first, so each window is so short that one page should hold it.
 */
export async function* recentWindows(reading: RecentReading): AsyncGenerator<RecentPage> {
	const { scans, now, context, callsLeft } = reading;
	const oldest = now - WHOLE_DAY;
	let end: number | undefined;
	let length = FIRST_LENGTH;
	let pageSize = PAGE_SIZE;
	let hasShownAll = true;
	for (;;) {
		const last = end ?? now;
		const start = Math.max(oldest, last - length);
		const records: ScanRecord[] = [];
		let calls = 0;
		let count: number | undefined;
		let isWhole = false;
		const query = { start, end, limit: PAGE_SIZE };
		for await (const page of scanPages(scans, query, context, 'find the scan')) {
			calls++;
			count ??= page.count;
			for (const record of page.records) records.push(record);
			isWhole = !page.more;
			if (isWhole) hasShownAll &&= records.length >= (count ?? 0);
			else pageSize = page.records.length || pageSize;
			const isComplete = isWhole && start === oldest && hasShownAll;
			yield { records: page.records, pageSize, allFrom: isWhole ? start : last, isComplete };
			if (isWhole && start === oldest) return;
			const needs = callsNeeded({ records, calls, end: last, count });
			if (length > 1 && needs - calls > callsLeft()) break;
		}
		if (isWhole) {
			// A service may count only the beginning of the last second in, so the next window has it too.
			end = start;
			length = nextLength(last - start, records.length / pageSize, start - oldest, callsLeft());
		} else {
			const part = (callsLeft() * AIM) / callsNeeded({ records, calls, end: last, count });
			length = Math.max(1, Math.floor(length * part));
		}
	}
}

/** Of the window before one that took up so many pages; all that is left of the day, where the calls may do. */
function nextLength(length: number, pages: number, left: number, calls: number): number {
	const longest = length * MOST_GROWTH;
	if (left <= longest && Math.ceil((pages * left) / length) <= calls) return left;
	return Math.max(1, Math.floor(Math.min(longest, (length * AIM) / pages)));
}
