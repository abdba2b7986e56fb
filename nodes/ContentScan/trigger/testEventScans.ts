import type { NodeApiError } from 'n8n-workflow';
import { isTooLong, PAGE_SIZE } from '../../../services/scanning/scanList';
import type { ScanRecord } from '../../../services/scanning/scanRecord';
import {
	createdTime,
	haveVerdicts,
	isFinished,
	listFlaw,
	recordVerdict,
} from '../../../services/scanning/scanRecord';
import { verdictCode } from '../../../services/scanning/verdict';
import type { Call } from '../../../transport/call';
import { addSentence } from '../../../transport/errors/addSentence';
import { OTHER } from './feedFields';
import { isSelected } from './feedSettings';
import type { PolledList } from './polledList';
import { PURPOSE, pagesOf } from './polledList';
import { shownScans } from './reading/scanIdentity';

/** Scans that "Fetch Test Event" shows. */
export const WANTED = 10;

/** The first stretch before now, in seconds, how it grows, and where it ends. */
const FIRST_STRETCH = 3600;
const GROWTH = 8;
const LONGEST_STRETCH = 90 * 86_400;

/** How much may be left unread behind a stretch without any scan, as a part of it. */
const UNREAD = 0.02;

/** Requests for all verdicts together, and pages of one look at the list. */
const MOST_REQUESTS = 50;
const MOST_PAGES = 3;

type Query = NonNullable<Call['query']>;

/** The queries that find the selected verdicts: what is not documented can only be picked out. */
function queries(verdicts: string[]): Query[] {
	if (verdicts.length === 0) return [{}];
	return verdicts.map((word) => (word === OTHER ? {} : { verbose_verdict: verdictCode(word) }));
}

/** Looks at the list, with so many requests at most. */
async function lookAt(list: PolledList, query: Query, most: number) {
	let records: ScanRecord[] = [];
	let requests = 0;
	let isWhole = true;
	for await (const page of pagesOf(list, { ...query, limit: PAGE_SIZE })) {
		records = records.concat(page.records);
		const isTooMuch = ++requests === most || (page.count ?? 0) > MOST_PAGES * PAGE_SIZE;
		isWhole = !page.more;
		if (isTooMuch) break;
	}
	return { records, isWhole, requests };
}

/** Of several records of one scan, that which the trigger would take. */
function shownRecords(records: ScanRecord[]): ScanRecord[] {
	return shownScans(records).map(({ record }) => record);
}

/** What there is, is shown, also where the time is over or a call fails. */
function unlessFound(found: ScanRecord[]) {
	return async (error: unknown) => (found.length > 0 ? undefined : await Promise.reject(error));
}

/** What a longer time was refused with, and how far was looked without it. */
function refusedBefore(error: NodeApiError, first: number): NodeApiError {
	const since = new Date(first * 1000).toISOString().replace('.000', '');
	addSentence(error, `No such scan was created since ${since}. What is before could not be read.`);
	return error;
}

/** In such records the trigger would find no verdict. */
async function notScans({ scans }: PolledList, records: ScanRecord[]): Promise<NodeApiError> {
	const fields = await scans.quoted(Object.keys(records[0]).join(', '));
	const call = { ...scans.call('listScans', {}), purpose: PURPOSE };
	return await scans.service.wrongShape(call, listFlaw(records)!, undefined, fields);
}

interface Found {
	scans: ScanRecord[];
	/** Why there are none, where not all of the time could be read. */
	refusal?: NodeApiError;
}

interface Stretches {
	/** The longest that was read whole, in seconds; 0: none. */
	whole: number;
	/** How many wanted scans it has. */
	found: number;
	/** The shortest that was too long for that. */
	tooLong: number;
}

/** The next stretch to look at; 0: another one would bring little. */
function nextStretch({ whole, found, tooLong }: Stretches): number {
	if (found >= WANTED || whole >= LONGEST_STRETCH) return 0;
	if (tooLong === Infinity) return Math.min(whole * GROWTH, LONGEST_STRETCH);
	if (whole === 0) return Math.floor(tooLong / GROWTH);
	const isWorthIt = found === 0 && tooLong > whole * (1 + UNREAD) + 1;
	return isWorthIt ? Math.ceil(Math.sqrt(whole * tooLong)) : 0;
}

/** The list may come in any order, so a stretch is widened or narrowed until all of it can be read. */
async function newestOf(
	list: PolledList,
	query: Query,
	isWanted: (record: ScanRecord) => boolean,
	mostRequests: number,
): Promise<Found> {
	const now = Math.floor(list.clock.now() / 1000);
	let left = mostRequests;
	let stretch = FIRST_STRETCH;
	let stretches: Stretches = { whole: 0, found: 0, tooLong: Infinity };
	let best: ScanRecord[] = [];
	let unreadable: ScanRecord[] | undefined;
	let isReadable = false;
	let refusal: NodeApiError | undefined;
	while (left > 0 && stretch > 0) {
		const look = { ...query, start: now - stretch };
		let seen: Awaited<ReturnType<typeof lookAt>>;
		try {
			seen = await lookAt(list, look, Math.min(left, MOST_PAGES));
		} catch (error) {
			if (best.length > 0) break;
			const isLast = stretches.whole === 0 && stretch < GROWTH;
			if (isLast || !isTooLong(error)) return await Promise.reject(error);
			refusal = error;
			seen = { records: [], isWhole: false, requests: 1 };
		}
		const { records, isWhole, requests } = seen;
		left -= requests;
		if (listFlaw(records) !== undefined) unreadable = records;
		isReadable ||= haveVerdicts(records);
		const found = shownRecords(records).filter(isWanted);
		if (best.length === 0 || (isWhole && found.length > 0)) best = found;
		const known = isWhole ? { whole: stretch, found: found.length } : { tooLong: stretch };
		stretches = { ...stretches, ...known };
		stretch = nextStretch(stretches);
	}
	const isWithoutVerdict = best.every((record) => recordVerdict(record) === undefined);
	if (unreadable && !isReadable && isWithoutVerdict) throw await notScans(list, unreadable);
	if (best.length > 0 || !refusal) return { scans: best };
	return { scans: [], refusal: refusedBefore(refusal, now - stretches.whole) };
}

/**
 * The newest finished scans with a selected verdict, the newest first: ten at most.
 * @throws NodeApiError as the transport, also where there are none in what could be read.
 */
export async function testEventScans(list: PolledList, verdicts: string[]): Promise<ScanRecord[]> {
	const isWanted = (record: ScanRecord) =>
		isFinished(record) && isSelected(verdicts, recordVerdict(record)?.code ?? '');
	let scans: ScanRecord[] = [];
	let refusal: NodeApiError | undefined;
	const asked = queries(verdicts);
	const mostRequests = Math.floor(MOST_REQUESTS / asked.length);
	for (const query of asked) {
		const newest = newestOf(list, query, isWanted, mostRequests);
		const found = await newest.catch(unlessFound(scans));
		if (!found) break;
		scans = scans.concat(found.scans);
		refusal ??= found.refusal;
	}
	if (scans.length === 0 && refusal) throw refusal;
	return shownRecords(scans)
		.map((record) => ({ record, created: createdTime(record) ?? 0 }))
		.sort((a, b) => b.created - a.created)
		.slice(0, WANTED)
		.map(({ record }) => record);
}
