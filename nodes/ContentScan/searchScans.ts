import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import { systemClock } from '../transport/clock';
import { PAGE_SIZE, scanPages } from './scanList';
import type { ScanRecord } from './scanRecord';
import { isFinished, recordId, recordVerdict } from './scanRecord';
import type { ScanService } from './scanService';
import { connectScanService } from './scanService';

/** How far back the list for the editor goes, in milliseconds. */
const WINDOW_MS = 24 * 60 * 60 * 1000;

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
 * The scans of the last 24 hours, newest first, by name, verdict and time.
 * @param filter What the user typed: part of a name, an id, a verdict or a time, in any case.
 * @param now Milliseconds since the epoch.
 */
export async function recentScans(
	scans: ScanService,
	filter: string,
	now: number,
): Promise<INodeListSearchItems[]> {
	const query = { start: Math.floor((now - WINDOW_MS) / 1000), limit: PAGE_SIZE };
	const context = () => ({ deadline: now + LONGEST_SEARCH_MS });
	const found: INodeListSearchItems[] = [];
	let pages = 0;
	for await (const { records } of scanPages(scans, query, context)) {
		for (const record of records) {
			const item = shown(record);
			if (item && matches(item, filter.trim().toLowerCase())) found.push(item);
		}
		if (++pages === MOST_PAGES) break;
	}
	return found.reverse();
}

/** The choices of the scan field in the editor. */
export async function searchScans(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const scans = await connectScanService(this);
	return { results: await recentScans(scans, filter, systemClock.now()) };
}
