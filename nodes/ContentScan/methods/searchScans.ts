import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import { isRecord } from '../../../transport/isRecord';
import type { Clock } from '../../../transport/clock';
import { systemClock } from '../../../transport/clock';
import { PAGE_SIZE, scanPages } from '../../../services/scanning/scanList';
import type { ScanRecord } from '../../../services/scanning/scanRecord';
import { isFinished, recordId, recordVerdict } from '../../../services/scanning/scanRecord';
import type { ScanService } from '../../../services/scanning/scanService';
import { connectScanService } from '../../../services/scanning/scanService';

export interface ScanSearch {
	/** What the user typed: part of a time, name, subject, sender, verdict or ID, in any case. */
	filter?: string;
	/** The page after the first, as the page before named it. */
	paginationToken?: string;
	quarantine?: boolean;
}

interface ListPage {
	/** Newest first. */
	records: ScanRecord[];
	next?: string;
}

/** Pages of more than a page of scans reach so far back, in seconds, each from where the last ended. */
const REACHES = [600, 3600, 6 * 3600, 24 * 3600];
const WHOLE_DAY = 24 * 3600;

/** Calls for one page of the editor's list, so that opening it does not use up the license. */
const MOST_CALLS = 5;

/** How long one page may take, in milliseconds. */
const LONGEST_SEARCH_MS = 30_000;

/** How long a page is kept: the editor asks again for every letter that is typed. */
const KEPT_MS = 60_000;

/** Characters of a name, subject, sender or verdict that the list shows. */
const LONGEST_SHOWN = 200;

interface KeptPage {
	until: number;
	page: Promise<ListPage>;
}

/** By token, path of the list, and page. */
const kept = new Map<string, KeptPage>();

/** @param window In epoch seconds, both inclusive. */
async function readWindow(
	scans: ScanService,
	clock: Clock,
	window: { start: number; end?: number },
	mostCalls: number,
): Promise<{ records: ScanRecord[]; more: boolean }> {
	const deadline = clock.now() + LONGEST_SEARCH_MS;
	const records: ScanRecord[] = [];
	let calls = 0;
	const query = { ...window, limit: PAGE_SIZE };
	for await (const page of scanPages(scans, query, () => ({ deadline }))) {
		for (const record of page.records) records.push(record);
		if (++calls === mostCalls) return { records: records.reverse(), more: page.more };
	}
	return { records: records.reverse(), more: false };
}

/**
 * One page of the scans of the last 24 hours: all, if one call shows them, else the newest, and the
 * older ones as the editor asks for more. The service itself lists the oldest first.
 * @param token `now:part` of the page, in epoch seconds and as an index of `REACHES`.
 */
async function readPage(scans: ScanService, clock: Clock, token?: string): Promise<ListPage> {
	const [now, part] = token?.split(':').map(Number) ?? [Math.floor(clock.now() / 1000), 0];
	if (token === undefined) {
		const all = await readWindow(scans, clock, { start: now - WHOLE_DAY }, 1);
		if (!all.more) return all;
	}
	for (let index = part; index < REACHES.length; index++) {
		const end = index === 0 ? undefined : now - REACHES[index - 1] - 1;
		const start = now - REACHES[index];
		const { records } = await readWindow(scans, clock, { start, end }, MOST_CALLS - 1);
		const next = index + 1 < REACHES.length ? `${now}:${index + 1}` : undefined;
		if (records.length > 0 || next === undefined) return { records, next };
	}
	return { records: [] };
}

async function keptPage(scans: ScanService, clock: Clock, token?: string): Promise<ListPage> {
	const now = clock.monotonic();
	for (const [key, { until }] of kept) if (until <= now) kept.delete(key);
	const key = `${scans.tokenKey} ${scans.call('listScans', {}).path} ${token ?? ''}`;
	const known = kept.get(key);
	if (known) return await known.page;
	const page = readPage(scans, clock, token);
	kept.set(key, { until: now + KEPT_MS, page });
	page.catch(() => kept.delete(key));
	return await page;
}

function sampleOf(record: ScanRecord): Record<string, unknown> {
	return isRecord(record.sample) ? record.sample : {};
}

function shown(record: ScanRecord): INodeListSearchItems | undefined {
	const value = recordId(record);
	// What is chosen here is stored in the workflow, where n8n would work out an expression.
	if (value === undefined || value.startsWith('=')) return undefined;
	const { subject, from_address } = sampleOf(record);
	const names = [record.names].flat().filter(isShowable).join(', ');
	const verdict = isFinished(record) ? (recordVerdict(record)?.word ?? 'no verdict') : 'pending';
	const title = [names, subject, value].find(isShowable);
	const parts = [record.created_at, title, from_address, verdict].filter(isShowable);
	return { name: parts.map(shortened).join(' · '), value };
}

/** Of an object nothing can be shown, and one that hides how it becomes text would stop the list. */
function isShowable(value: unknown): boolean {
	return (typeof value === 'string' || typeof value === 'number') && Boolean(value);
}

function shortened(part: unknown): string {
	const text = String(part);
	return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

/** Not what is clean, nor what is no email. What a record says of the quarantine is not published. */
function mayBeInQuarantine(record: ScanRecord): boolean {
	if (isFinished(record) && recordVerdict(record)?.word === 'clean') return false;
	const { subject, from_address } = sampleOf(record);
	return !isRecord(record.sample) || Boolean(subject) || Boolean(from_address);
}

export async function listedScans(
	scans: ScanService,
	clock: Clock,
	{ filter = '', paginationToken, quarantine = false }: ScanSearch,
): Promise<INodeListSearchResult> {
	const { records, next } = await keptPage(scans, clock, paginationToken);
	const wanted = filter.trim().toLowerCase();
	const results = records
		.filter((record) => !quarantine || mayBeInQuarantine(record))
		.map(shown)
		.filter((item) => item !== undefined)
		.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(wanted));
	return { results, paginationToken: next };
}

export async function searchScans(
	context: ILoadOptionsFunctions,
	search: ScanSearch,
): Promise<INodeListSearchResult> {
	return await listedScans(await connectScanService(context), systemClock, search);
}
