import { NodeApiError } from 'n8n-workflow';
import { LONGEST_NEXT_PAGE, MOST_ON_A_PAGE, PageCircle, TOO_MANY_ON_A_PAGE } from '../pageCircle';
import { toldTime } from '../serverTime';
import { errorIn, tellsErrorBeside } from '../toldError';
import type { Answer, Call, CallContext } from '../../transport/call';
import { parseUrl } from '../../transport/address';
import { failureKindOf } from '../../transport/errors/callError';
import type { FailureKind } from '../../transport/errors/failure';
import { serverMessage } from '../../transport/errors/serverMessage';
import { isRecord } from '../../transport/isRecord';
import type { ScanRecord } from './scanRecord';
import { ownId } from './scanRecord';
import type { ScanService } from './scanService';

export interface ScanPage {
	records: ScanRecord[];
	/** Whether the list goes on after this page. */
	more: boolean;
	/** The query that leads to the next page, where there is one that does. */
	nextQuery?: string;
	/** How many scans the query has in all, where the service says so. */
	count?: number;
	/** Of the answer, unpacked. */
	bytes: number;
	/** The service's clock when the page was asked for, in milliseconds, as it tells. */
	askedAt?: number;
}

/** Largest page to ask for. The default is 20 (a third party's finding); no maximum is published. */
export const PAGE_SIZE = 100;

/** A page of fewer is not full, whatever the service makes of the limit. */
const SMALLEST_PAGE = 20;

/** After so long, in milliseconds, a call for which others wait is given up: its connection may be lost. */
export const ANSWER_WITHIN_MS = 20_000;

/** Pages without any entry that are followed in a row before the list counts as endless. */
const EMPTY_PAGES = 50;

const CIRCLE = "'next' leads in a circle";

/** Answers by which a service may refuse a window that is too long. */
const REFUSALS = ['400', '413', '414', '422', '500', '504'];
const OVERLOADS: Array<FailureKind | undefined> = [
	'answerCut',
	'answerTooSlow',
	'answerTooLarge',
	'toldError',
	// A single record may not be JSON.
	'notJson',
];

/** Whether a shorter window of the list may be read where this one was not. */
export function isTooLong(error: unknown): error is NodeApiError {
	if (!(error instanceof NodeApiError)) return false;
	return REFUSALS.includes(error.httpCode ?? '') || OVERLOADS.includes(failureKindOf(error));
}

/** What is no record must not hide those beside it. */
function asRecord(one: unknown): ScanRecord {
	return isRecord(one) ? one : { value: one as ScanRecord[string] };
}

interface ReadPage extends ScanPage {
	next: unknown;
}

/**
 * The pages of the list of scans. Of `next` only the query counts: it is sent to the list's own path
 * at the service's own address, whatever host, scheme or path `next` names. So a proxy's inner host
 * does no harm, and no `next` can make this a call that releases an email.
 *
 * @param context Asked anew for every page, since its deadline counts from the call.
 * @param purpose What the pages are read for, where it is not to list scans.
 * @param from The `nextQuery` of a page, to go on behind it.
 * @throws NodeApiError when a page cannot be read or is not a list, when there is more but `next`
 * does not lead to it, and when the pages go in a circle.
 */
export async function* scanPages(
	scans: ScanService,
	query: Call['query'],
	context: () => CallContext,
	purpose?: string,
	from?: string,
): AsyncGenerator<ScanPage> {
	const listCall = scans.call('listScans', { query });
	const asked = Number(query?.limit ?? PAGE_SIZE);
	const call: Call = {
		...listCall,
		nextPageField: 'next',
		purpose: purpose ?? listCall.purpose,
	};
	const first = context();
	const quoted = async (said: unknown) =>
		await scans.quoted(serverMessage(said) ?? '', first.secrets);
	const broken = async (what: string, said?: unknown) =>
		await scans.service.wrongShape(call, what, first.itemIndex, await quoted(said));
	let shown = 0;
	const circle = new PageCircle<ScanRecord>((record) => ownId(record) !== undefined);
	let emptyPages = 0;
	let answer = await scans.service.send({ ...call, rawQuery: from }, first);
	for (;;) {
		const { body } = answer;
		if (isRecord(body) && tellsErrorBeside(body.results, body)) {
			throw await scans.service.toldError(call, first.itemIndex, await quoted(errorIn(body)));
		}
		const page = readPage(answer);
		if (page === undefined) throw await broken("there is no list 'results'", body);
		if (page.records.length > MOST_ON_A_PAGE) throw await broken(TOO_MANY_ON_A_PAGE);
		const isRepeated = circle.repeats(page.records, !page.more);
		if (isRepeated && page.more) throw await broken(CIRCLE);
		// A service may answer for a page behind the last one with that.
		if (isRepeated) page.records = [];
		emptyPages = page.records.length === 0 ? emptyPages + 1 : 0;
		const next = nextQuery(page.next);
		yield { ...page, nextQuery: next.ok ? next.query : undefined };
		if (!page.more) return;
		if (!next.ok) throw await broken(next.flaw);
		if (circle.leadsBack(next.query)) throw await broken(CIRCLE);
		if (emptyPages >= EMPTY_PAGES)
			throw await broken(`there were ${EMPTY_PAGES} empty pages in a row`);
		shown += page.records.length;
		// All that the service counts was shown, and the last page was surely not full.
		const isAllCounted =
			page.count === shown && page.records.length < Math.min(asked, SMALLEST_PAGE);
		const read = async () => await scans.service.send({ ...call, rawQuery: next.query }, context());
		// A refusal may be temporary, and `count` that of the page: only a second refusal means the end.
		const following = isAllCounted
			? ((await read().catch(unlessNoSuchPage)) ?? (await read().catch(unlessNoSuchPage)))
			: await read();
		if (!following) {
			yield { records: [], more: false, count: page.count, bytes: 0 };
			return;
		}
		answer = following;
	}
}

/** Answers by which a service may refuse a page behind the last one, to which it has pointed. */
const NO_SUCH_PAGE = ['400', '404', '416'];

async function unlessNoSuchPage(error: unknown): Promise<undefined> {
	const isRefused = error instanceof NodeApiError && NO_SUCH_PAGE.includes(error.httpCode ?? '');
	return isRefused ? undefined : await Promise.reject(error);
}

function readPage(answer: Answer): ReadPage | undefined {
	const { body, bytes, tookMs } = answer;
	if (!isRecord(body) || !Array.isArray(body.results)) return undefined;
	const results: unknown[] = body.results;
	// What holds hardly any record is no list, and may hold more of other things than memory takes.
	if (results.filter(isRecord).length * 2 < results.length) return undefined;
	const { next, has_more: hasMore } = body;
	const hasNext = next !== undefined && next !== null && next !== '';
	const more = hasMore === undefined || hasMore === null ? hasNext : hasMore !== false;
	const answeredAt = toldTime(answer);
	return {
		records: results.map(asRecord),
		bytes,
		next,
		more,
		count: typeof body.count === 'number' ? body.count : undefined,
		askedAt: answeredAt === undefined ? undefined : answeredAt - tookMs,
	};
}

type NextQuery = { ok: true; query: string } | { ok: false; flaw: string };

/** The query of an address, which may be absolute, relative, or a query alone with or without "?". */
function nextQuery(next: unknown): NextQuery {
	if (next === undefined || next === null || next === '') {
		return { ok: false, flaw: "there is more ('has_more'), but no 'next' that leads to it" };
	}
	if (typeof next !== 'string') return { ok: false, flaw: "'next' is not an address" };
	if (next.length > LONGEST_NEXT_PAGE) return { ok: false, flaw: "'next' is longer than 16 KB" };
	// A cursor alone may be base64, whose padding is no value.
	const isBareQuery = /^[^/?#:=]+=[^=\s]/.test(next);
	// The host is of no account: this one only completes what is relative.
	const address = parseUrl(isBareQuery ? `?${next}` : next, 'https://list.invalid/');
	const query = address?.search.slice(1) ?? '';
	return query === ''
		? { ok: false, flaw: "'next' is an address without a query" }
		: { ok: true, query };
}
