import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import { systemClock } from '../../../transport/clock';
import { PAGE_SIZE, scanPages } from '../../../services/scanning/scanList';
import type { ScanRecord } from '../../../services/scanning/scanRecord';
import { isFinished, recordId, recordVerdict } from '../../../services/scanning/scanRecord';
import type { ScanService } from '../../../services/scanning/scanService';
import { connectScanService } from '../../../services/scanning/scanService';

/** How far back the list for the editor goes, in seconds. */
const REACH = 24 * 3600;

/** Where that is more than a page, it is read in parts that reach so far back, in seconds. */
const REACHES_OF_PARTS = [600, 3600, 6 * 3600, REACH];

/** Pages read for the editor, so that opening a list does not use up the license. */
const MOST_PAGES = 5;

/** How long the editor's list may take, in milliseconds. */
const LONGEST_SEARCH_MS = 30_000;

function shown(record: ScanRecord): INodeListSearchItems | undefined {
	const value = recordId(record);
	if (value === undefined) return undefined;
	const names = Array.isArray(record.names) ? record.names : [record.names];
	const verdict = isFinished(record) ? recordVerdict(record)?.word : 'pending';
	const parts = [names.filter(Boolean).join(', ') || value, verdict, record.created_at];
	return { name: parts.filter(Boolean).map(String).join(' · '), value };
}

function matches(item: INodeListSearchItems, filter: string): boolean {
	return `${item.name} ${item.value}`.toLowerCase().includes(filter);
}

/**
 * The scans of the last 24 hours, newest first, by name, verdict and time; of many, the newest.
 * @param filter What the user typed: part of a name, an id, a verdict or a time, in any case.
 * @param now Milliseconds since the epoch.
 */
export async function recentScans(
	scans: ScanService,
	filter: string,
	now: number,
): Promise<INodeListSearchItems[]> {
	const items = (await newestRecords(scans, now)).map(shown);
	return items
		.filter((item) => item !== undefined)
		.filter((item) => matches(item, filter.trim().toLowerCase()))
		.reverse();
}

/** The newest records that few calls can reach, oldest first, as the service lists them. */
async function newestRecords(scans: ScanService, now: number): Promise<ScanRecord[]> {
	const seconds = Math.floor(now / 1000);
	const all = await readWindow(scans, now, { start: seconds - REACH }, 1);
	if (!all.more) return all.records;
	let found: ScanRecord[] = [];
	let pagesLeft = MOST_PAGES - 1;
	let end: number | undefined;
	for (const reach of REACHES_OF_PARTS) {
		const start = seconds - reach;
		const { records, pages, more } = await readWindow(scans, now, { start, end }, pagesLeft);
		found = [...records, ...found];
		pagesLeft -= pages;
		if (more || pagesLeft === 0) break;
		end = start - 1;
	}
	return found;
}

/** @param window In epoch seconds, both inclusive. */
async function readWindow(
	scans: ScanService,
	now: number,
	window: { start: number; end?: number },
	mostPages: number,
): Promise<{ records: ScanRecord[]; pages: number; more: boolean }> {
	const query = { ...window, limit: PAGE_SIZE };
	const read: ScanRecord[] = [];
	let pages = 0;
	for await (const page of scanPages(scans, query, () => ({ deadline: now + LONGEST_SEARCH_MS }))) {
		read.push(...page.records);
		if (++pages === mostPages) return { records: read, pages, more: page.more };
	}
	return { records: read, pages, more: false };
}

/** The choices of the scan field in the editor. */
export async function searchScans(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const scans = await connectScanService(this);
	return { results: await recentScans(scans, filter, systemClock.now()) };
}
