import type { CallContext } from '../../../transport/call';
import { PAGE_SIZE, scanPages } from '../../../services/scanning/scanList';
import type { ScanRecord } from '../../../services/scanning/scanRecord';
import { matchStrength, recordIds } from '../../../services/scanning/scanRecord';
import type { ScanService } from '../../../services/scanning/scanService';

/** A scan to look for in the list. */
export interface SoughtScan {
	scanId: string;
	/** From when on the list is read for it, in milliseconds of the service's clock. */
	listFrom: number;
}

/** What one look at the list found. */
export interface Look {
	/** Every record that carries the id of a sought scan, by that id. */
	records: Map<string, ScanRecord[]>;
	/** Whether a window of the list went on after the last page that was read. */
	cutOff: boolean;
	/** Ids of which parts may follow after the last page that was read. */
	incomplete: Set<string>;
}

/** A part of the list, in epoch seconds, both inclusive, with the ids of the scans that lie in it. */
export interface LookWindow {
	start: number;
	end?: number;
	ids: Set<string>;
}

/** Pages of one window. Windows of more entries gave errors in one production collector. */
export const PAGES_PER_WINDOW = 10;

/** How long after its submission a scan may appear in the list, in seconds. */
const LISTED_WITHIN = 120;

/** Longest and shortest window that the list is divided into, in seconds. */
const LONGEST_SPAN = 900;
const SHORTEST_SPAN = 60;

/** The next shorter length of the windows, in seconds; `undefined` is one window without an end. */
export function shorterSpan(span: number | undefined): number {
	return span === undefined ? LONGEST_SPAN : Math.max(SHORTEST_SPAN, Math.floor(span / 2));
}

/**
 * The windows of the list in which the sought scans lie: one, from the earliest on, or as many of a
 * given length as it takes. Time in which nothing was submitted is in none of them.
 *
 * @param span Length of a window in seconds.
 */
export function lookWindows(sought: SoughtScan[], span: number | undefined): LookWindow[] {
	const windows: LookWindow[] = [];
	for (const { scanId, listFrom } of [...sought].sort((a, b) => a.listFrom - b.listFrom)) {
		const from = Math.floor(listFrom / 1000);
		const last = windows.at(-1);
		if (last && (span === undefined || from < last.start + span)) last.ids.add(scanId);
		else {
			const end = span === undefined ? undefined : from + span + LISTED_WITHIN;
			windows.push({ start: from, end, ids: new Set([scanId]) });
		}
	}
	return windows;
}

/**
 * Looks for scans in the list, window by window, each until every scan in it has been seen.
 * @param context Asked anew for every call.
 * @param onCall Told of every page before it is read.
 * @throws NodeApiError when a page cannot be read.
 */
export async function lookForScans(
	scans: ScanService,
	windows: LookWindow[],
	context: () => CallContext,
	onCall: () => void,
): Promise<Look> {
	const look: Look = { records: new Map(), cutOff: false, incomplete: new Set() };
	for (const { ids } of windows) for (const id of ids) look.records.set(id, []);
	for (const window of windows) {
		const pages = scanPages(
			scans,
			{ start: window.start, end: window.end, limit: PAGE_SIZE },
			() => {
				onCall();
				return context();
			},
			'read the verdict',
		);
		const unseen = await readWindow(pages, window.ids, look.records);
		look.cutOff ||= unseen.size > 0;
		for (const id of unseen) look.incomplete.add(id);
	}
	return look;
}

/** @returns The ids that may follow after the pages that were read; none if there are no more. */
async function readWindow(
	pages: ReturnType<typeof scanPages>,
	ids: Set<string>,
	records: Look['records'],
): Promise<Set<string>> {
	const unseen = new Set(ids);
	let read = 0;
	for await (const page of pages) {
		for (const record of page.records) {
			for (const id of recordIds(record)) {
				records.get(id)?.push(record);
				if (matchStrength(record, id) === 'own') unseen.delete(id);
			}
		}
		if (unseen.size === 0) return unseen;
		if (++read === PAGES_PER_WINDOW) return page.more ? unseen : new Set();
	}
	return new Set();
}
