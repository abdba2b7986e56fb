import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import { systemClock } from '../transport/clock';
import { PAGE_SIZE, scanPages } from './scanList';
import type { ScanRecord } from './scanRecord';
import { isFinished, recordId, recordVerdict } from './scanRecord';
import { connectScanService } from './scanService';

/** How far back the list for the editor goes, in milliseconds. */
const WINDOW_MS = 24 * 60 * 60 * 1000;

/** Pages read for the editor, so that opening a list does not use up the license. */
const MOST_PAGES = 5;

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

/** The scans of the last 24 hours, newest first, by name, verdict and time, for the editor's list. */
export async function searchScans(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const scans = await connectScanService(this);
	const now = systemClock.now();
	const query = { start: Math.floor((now - WINDOW_MS) / 1000), limit: PAGE_SIZE };
	const found: INodeListSearchItems[] = [];
	let pages = 0;
	for await (const { records } of scanPages(scans, query, () => ({ deadline: now + 30_000 }))) {
		for (const record of records) {
			const item = shown(record);
			if (item && matches(item, (filter ?? '').trim().toLowerCase())) found.push(item);
		}
		if (++pages === MOST_PAGES) break;
	}
	return { results: found.reverse() };
}
