import type { IDataObject, IExecuteFunctions, NodeApiError } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { enteredCount, enteredOption, resultLimit } from '../../../input/enteredValues';
import { digestOf } from '../../../services/digestOf';
import { PageCircle } from '../../../services/pageCircle';
import type { Service } from '../../../transport/call';
import type { Clock } from '../../../transport/clock';
import type { TimedPage } from '../../../services/console/auditLog';
import { clockCall, listEntries } from '../../../services/console/auditLog';
import { newestEntries } from '../../../services/console/newestEntries';
import { entryTime, isoTime, USUAL_FIELDS } from '../../../services/console/auditLogEntry';
import type { AuditLogEntry } from '../../../services/console/auditLogEntry';
import type { PageCall } from '../../../services/console/auditLogPage';
import { largestResult, tooLargeResult } from '../../common/resultSize';
import type { ItemCalls } from './itemCalls';
import { EntryIdentities } from '../reading/entryIdentity';
import { DEFAULT_PAGE_SIZE } from '../reading/pageSize';
import { ReadingTime } from './readingTime';
import type { TimeRange } from './timeRange';
import { enteredRange } from './timeRange';

/**
 * Requests a search for the newest entries may take, and as many more for each page of the limit: bursts are
 * read several times. Twice as many in a log that records each reading.
 */
const MOST_REQUESTS = 60;
const MOST_FOR_A_PAGE = 6;

interface Query extends TimeRange, Pick<ItemCalls, 'share'> {
	/** Most entries wanted. */
	limit: number;
	pageSize: number;
	order: 'newestFirst' | 'oldestFirst';
}

/**
 * A log that grows as fast as it is read has no end: this is one, after so many pages in a row of what came
 * meanwhile. Where these hold more than a few entries, as many more as were read before.
 */
const MOST_GROWING_PAGES = 20;
const FEW_ENTRIES = 10;

type ReadPage = (call: PageCall) => Promise<TimedPage>;

/**
 * Operation Get Many: entries up to a limit or all of them, the newest first or the oldest first.
 * @throws UserError that names the field for a value that cannot be used, and where the newest
 * entries cannot be found within the requests that this may take.
 */
export async function getManyEntries(
	context: IExecuteFunctions,
	service: Service,
	{ itemIndex, callContext, clock, share }: ItemCalls,
): Promise<AuditLogEntry[]> {
	const query = { ...readQuery(context, itemIndex, clock.now()), share };
	const readPage = async (call: PageCall) => await listEntries(service, call, callContext());
	if (query.order === 'newestFirst' && query.limit !== Infinity)
		return await newest(readPage, query, clock);
	const circle = async () =>
		await service.wrongShape(
			{ purpose: 'read the audit log', idempotent: true },
			'the page tokens lead in a circle',
			itemIndex,
		);
	const entries = await fromOldest(readPage, query, clock, circle);
	return query.order === 'newestFirst' ? entries.reverse() : entries;
}

async function newest(readPage: ReadPage, query: Query, clock: Clock): Promise<AuditLogEntry[]> {
	// The console may cut pages at a maximum of its own.
	const pages = Math.ceil(query.limit / Math.min(query.pageSize, DEFAULT_PAGE_SIZE));
	const mostRequests = MOST_REQUESTS + MOST_FOR_A_PAGE * pages;
	const { serverTime } = await readPage(clockCall(clock.now()));
	const time = new ReadingTime(serverTime, clock);
	let requests = 1;
	const meanwhile = new Set<string>();
	let someDatedAhead = false;
	const read = async (call: PageCall) => {
		requests += 1;
		const { page, bytes } = await readPage(call);
		for (const entry of page.items) {
			someDatedAhead ||= time.isDatedAhead(entry);
			if (someDatedAhead || !time.cameMeanwhile(entry)) continue;
			meanwhile.add(digestOf(JSON.stringify(entry)));
		}
		// A request is recorded by a few entries: where there are more, some were there before.
		someDatedAhead ||= meanwhile.size > FEW_ENTRIES * requests;
		return { ...page, bytes };
	};
	const mostBytes = largestResult(query.limit, query.share);
	const findUntil = async (until: number | undefined) =>
		await newestEntries(read, {
			...query,
			until,
			wanted: query.limit,
			now: time.begun,
			fields: USUAL_FIELDS,
			mostRequests: mostRequests - 1,
			mostBytes,
		});
	const { entries, complete, isTooLarge } = await findUntil(query.until);
	if (isTooLarge) throw tooLargeResult('entries', query.limit, query.share);
	if (complete) return entries.reverse();
	// A log that records each reading grows as it is read: then only what was there before counts. Where entries are
	// dated ahead, their times do not tell what that is.
	if (!someDatedAhead && time.cameMeanwhile(entries.at(-1))) {
		const before = await findUntil(time.begun);
		if (before.isTooLarge) throw tooLargeResult('entries', query.limit, query.share);
		if (before.complete) return before.entries.reverse();
	}
	throw new UserError(`The newest entries were not found within ${requests} requests`, {
		description:
			"Set 'Order' to Oldest First and 'Since' to a time before the entries you want: from there on they come one after the other.",
	});
}

async function fromOldest(
	readPage: ReadPage,
	{ since, until = Infinity, limit, pageSize, share }: Query,
	clock: Clock,
	circleError: () => Promise<NodeApiError>,
): Promise<AuditLogEntry[]> {
	let time: ReadingTime | undefined;
	let growing = 0;
	let pages = 0;
	const entries: AuditLogEntry[] = [];
	let size = 0;
	const identities = new EntryIdentities(USUAL_FIELDS);
	const circle = new PageCircle<AuditLogEntry>((entry) => identities.idOf(entry) !== undefined);
	let call: PageCall = {
		since: since === undefined ? undefined : isoTime(since),
		limit: Math.min(pageSize, limit),
	};
	for (;;) {
		const { page, serverTime, bytes } = await readPage(call);
		const { items, nextPageToken } = page;
		if (circle.repeats(items, nextPageToken === undefined)) {
			// A console may answer for what is behind its last page with that page.
			if (nextPageToken === undefined) return entries;
			throw await circleError();
		}
		time ??= new ReadingTime(serverTime, clock);
		pages += 1;
		growing = time.cameMeanwhile(items[0]) ? growing + 1 : 0;
		for (const entry of items) {
			// The interface knows no upper bound, so it is the entry that says whether it lies above.
			if ((entryTime(entry, USUAL_FIELDS) ?? -Infinity) > until) return entries;
			size += bytes / items.length;
			if (size > largestResult(limit, share)) throw tooLargeResult('entries', limit, share);
			if (entries.push(entry) === limit) return entries;
		}
		if (items.length === 0 || nextPageToken === undefined) return entries;
		const pagesBefore = items.length < FEW_ENTRIES ? 0 : pages - growing;
		if (growing >= MOST_GROWING_PAGES + pagesBefore) return entries;
		if (circle.leadsBack(nextPageToken)) throw await circleError();
		call = { ...call, pageToken: nextPageToken };
	}
}

function readQuery(
	context: IExecuteFunctions,
	itemIndex: number,
	now: number,
): Omit<Query, 'share'> {
	const options = context.getNodeParameter('options', itemIndex, {}) as IDataObject;
	const { pageSize } = { pageSize: DEFAULT_PAGE_SIZE, ...options };
	return {
		...enteredRange(context, itemIndex, options, now),
		limit: resultLimit(context, itemIndex),
		pageSize: enteredCount(pageSize, 'Page Size'),
		order: enteredOption(context.getNodeParameter('order', itemIndex, 'newestFirst'), 'Order', [
			'newestFirst',
			'oldestFirst',
		]),
	};
}
