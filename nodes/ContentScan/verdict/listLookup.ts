import type { CallContext } from '../../../transport/call';
import { PAGE_SIZE, scanPages } from '../../../services/scanning/scanList';
import type { ScanRecord } from '../../../services/scanning/scanRecord';
import { matchStrength, recordIds } from '../../../services/scanning/scanRecord';
import type { ScanService } from '../../../services/scanning/scanService';

/** A scan to find in the list. */
export interface ListedScan {
	scanId: string;
	/** From when on the list is read for it, in milliseconds of the service's clock. */
	listFrom: number;
}

/** What one lookup found. */
export interface Lookup {
	/** Every record that carries the ID of a scan, by that ID. */
	records: Map<string, ScanRecord[]>;
	/** IDs whose part of the list went on after the last page that was read. */
	incomplete: Set<string>;
}

/** A part of the list, in epoch seconds, both inclusive, with the IDs of the scans that lie in it. */
export interface LookupWindow {
	start: number;
	end?: number;
	ids: Set<string>;
}

/** Pages of one window. Windows of more entries gave errors in one production collector. */
export const PAGES_PER_WINDOW = 10;

/** How far a window goes on after its span: so much later may the service note a scan as created. */
const WINDOW_SLACK_SECONDS = 120;

/** Longest and shortest window that the list is divided into, in seconds. */
const LONGEST_SPAN = 900;
const SHORTEST_SPAN = 60;

/** The next shorter length of the windows, in seconds; `undefined` is one window without an end. */
export function shorterSpan(span: number | undefined): number {
	return span === undefined ? LONGEST_SPAN : Math.max(SHORTEST_SPAN, Math.floor(span / 2));
}

/**
 * The windows of the list in which scans lie: one, from the earliest on, or as many of a given
 * length as it takes. Time in which nothing was submitted is in none of them.
 * @param span Length of a window in seconds.
 */
export function lookupWindows(scans: ListedScan[], span: number | undefined): LookupWindow[] {
	const windows: LookupWindow[] = [];
	for (const { scanId, listFrom } of [...scans].sort((a, b) => a.listFrom - b.listFrom)) {
		const from = Math.floor(listFrom / 1000);
		const last = windows.at(-1);
		if (last && (span === undefined || from < last.start + span)) last.ids.add(scanId);
		else {
			const end = span === undefined ? undefined : from + span + WINDOW_SLACK_SECONDS;
			windows.push({ start: from, end, ids: new Set([scanId]) });
		}
	}
	return windows;
}

/**
 * Finds scans in the list, window by window, each until the own record of every scan was seen.
 * @param context Called before every page.
 * @throws NodeApiError when a page cannot be read.
 */
export async function lookUpScans(
	scans: ScanService,
	windows: LookupWindow[],
	context: () => CallContext,
): Promise<Lookup> {
	const lookup: Lookup = { records: new Map(), incomplete: new Set() };
	for (const { ids } of windows) for (const id of ids) lookup.records.set(id, []);
	for (const { start, end, ids } of windows) {
		const query = { start, end, limit: PAGE_SIZE };
		const pages = scanPages(scans, query, context, 'read the verdict');
		for (const id of await readWindow(pages, ids, lookup.records)) lookup.incomplete.add(id);
	}
	return lookup;
}

/** @returns The IDs that may follow after the pages that were read; none if there are no more. */
async function readWindow(
	pages: ReturnType<typeof scanPages>,
	ids: Set<string>,
	records: Lookup['records'],
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
