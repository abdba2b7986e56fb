import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import { isRecord } from '../../../transport/isRecord';
import type { Clock } from '../../../transport/clock';
import { systemClock } from '../../../transport/clock';
import { believedTime } from '../../../services/serverTime';
import { isTooLong, PAGE_SIZE, scanPages } from '../../../services/scanning/scanList';
import type { ScanRecord } from '../../../services/scanning/scanRecord';
import {
	createdSecond,
	isFinished,
	recordId,
	recordVerdict,
} from '../../../services/scanning/scanRecord';
import type { ScanService } from '../../../services/scanning/scanService';
import { connectScanService } from '../../../services/scanning/scanService';
import { callsNeeded, UNKNOWN_CALLS } from '../../../services/scanning/windowCalls';

interface ScanSearch {
	/** What the user typed: part of a time, name, subject, sender, verdict or ID, in any case. */
	filter?: string;
	/** The page after the first, as the page before named it. */
	paginationToken?: string;
	/** Only what may be in quarantine. */
	quarantine?: boolean;
}

/** The scans of a page, newest first. */
interface ListPage<Scan> {
	scans: Scan[];
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
const ENOUGH = 20;

/** How long one page may take, in milliseconds. */
const LONGEST_SEARCH_MS = 30_000;

/** How long a page is kept: the editor asks again for every letter that is typed. */
const KEPT_MS = 60_000;

/** Characters of a name, subject, sender or verdict that the list shows. */
const LONGEST_SHOWN = 200;

/** The oldest gives way to one more: a page may hold 20,000 scans. */
const MOST_KEPT = 10;

interface KeptPage {
	until: number;
	page: Promise<ListPage<INodeListSearchItems>>;
}

/** By token, path of the list, page, and what of it is wanted. */
const kept = new Map<string, KeptPage>();

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
		if (length === 1 || !isTooLong(error)) return await Promise.reject(error);
		return { ...reading, calls: reading.calls + 1, needs: UNKNOWN_CALLS, error };
	}
	return reading;
}

/**
 * One page of the wanted scans of the last 24 hours, the newest first. The service itself lists the oldest
 * first, so the windows go back from now, each so short that the calls read all of it.
 * @param token `oldest:end:pace` of what is left: epoch seconds, and the seconds that a call reads.
 */
async function readPage(
	scans: ScanService,
	clock: Clock,
	{ paginationToken: token, quarantine }: ScanSearch,
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
	for (let left = MOST_CALLS; left > 0 && shown.length < ENOUGH; ) {
		const start = Math.max(oldest, end - Math.max(1, Math.floor(pace * left * AIM)) + 1);
		const length = end - start + 1;
		// What was created since the list was opened belongs to its first window.
		const isNewest = token === undefined && end === now;
		// A service may count only the beginning of the last second in, so one more is asked for. Only
		// scans without a time of creation are shown twice by that.
		const query = { start, end: isNewest ? undefined : end + 1, limit: PAGE_SIZE };
		const pages = scanPages(scans, query, () => ({ deadline }));
		const reading = await readWindow(pages, { end, length, mostCalls: left });
		left -= reading.calls;
		error = reading.error;
		if (reading.isWhole || (length === 1 && reading.calls === MOST_CALLS)) {
			hasRead = true;
			for (const record of reading.records.reverse()) {
				if (!isNewest && (createdSecond(record) ?? end) > end) continue;
				isQuiet = false;
				if (!quarantine || mayBeInQuarantine(record)) shown.push(record);
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
	if (!hasRead && error !== undefined) return await Promise.reject(error);
	return { scans: shown, next: `${oldest}:${end}:${pace}` };
}

/** Records may hold megabytes that the list does not show. */
async function listPage(
	...page: Parameters<typeof readPage>
): Promise<ListPage<INodeListSearchItems>> {
	const { scans, next } = await readPage(...page);
	return { scans: scans.map(listed).filter((scan) => scan !== undefined), next };
}

function keyOf(scans: ScanService, { paginationToken, quarantine }: ScanSearch): string {
	const { path } = scans.call('listScans', {});
	return [scans.tokenKey, path, paginationToken, quarantine].join(' ');
}

async function keptPage(
	scans: ScanService,
	clock: Clock,
	search: ScanSearch,
): Promise<ListPage<INodeListSearchItems>> {
	const now = clock.monotonic();
	for (const [key, { until }] of kept) if (until <= now) kept.delete(key);
	const key = keyOf(scans, search);
	const known = kept.get(key);
	if (known) return await known.page;
	const page = listPage(scans, clock, search);
	const [oldest] = kept.keys();
	if (kept.size === MOST_KEPT) kept.delete(oldest);
	kept.set(key, { until: now + KEPT_MS, page });
	page.catch(() => kept.delete(key));
	return await page;
}

function sampleOf(record: ScanRecord): Record<string, unknown> {
	return isRecord(record.sample) ? record.sample : {};
}

function listed(record: ScanRecord): INodeListSearchItems | undefined {
	const value = recordId(record);
	if (value === undefined || isExpression(value)) return undefined;
	const { subject, from_address } = sampleOf(record);
	const names = [record.names].flat().filter(isShowable).join(', ');
	const verdict = isFinished(record) ? (recordVerdict(record)?.word ?? 'no verdict') : 'pending';
	const title = [names, subject, value].find(isShowable);
	const parts = [record.created_at, title, from_address, verdict].filter(isShowable);
	const name = parts.map(shortened).join(' · ');
	return { name: isExpression(name) ? `· ${name}` : name, value };
}

/** Name and ID of what is chosen are stored in the workflow, where n8n would work them out. */
function isExpression(text: string): boolean {
	return text.startsWith('=');
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
	{ filter = '', ...search }: ScanSearch,
): Promise<INodeListSearchResult> {
	const wanted = filter.trim().toLowerCase();
	let page = await keptPage(scans, clock, search);
	let results = page.scans;
	// What was scrolled to before something was typed: the editor asks for the first page only.
	for (let more = wanted === '' ? 0 : MOST_KEPT; more > 0; more--) {
		const next = { ...search, paginationToken: page.next };
		if (page.next === undefined || !kept.has(keyOf(scans, next))) break;
		page = await keptPage(scans, clock, next);
		results = results.concat(page.scans);
	}
	results = results.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(wanted));
	return { results, paginationToken: page.next };
}

export async function searchScans(
	context: ILoadOptionsFunctions,
	search: ScanSearch,
): Promise<INodeListSearchResult> {
	return await listedScans(await connectScanService(context), systemClock, search);
}
