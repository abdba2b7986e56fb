import { LONGEST_NEXT_PAGE, PageCircle } from '../pageCircle';
import type { Answer, Call, CallContext } from '../../transport/call';
import { isRecord } from '../../transport/isRecord';
import type { ScanRecord } from './scanRecord';
import type { ScanService } from './scanService';

/** One page of the list of scans. */
export interface ScanPage {
	records: ScanRecord[];
	/** Whether the list goes on after this page. */
	more: boolean;
}

/** Largest page to ask for. The default is 20 (a third party's finding); no maximum is published. */
export const PAGE_SIZE = 100;

/** Pages without any entry that are followed in a row before the list counts as endless. */
const EMPTY_PAGES = 50;

interface ReadPage extends ScanPage {
	next?: string;
}

/**
 * The pages of the list of scans, as `next` leads from one to the next: the address is followed as
 * it is, at the same origin only (`Service.follow`).
 *
 * @param context Asked anew for every page, since its deadline counts from the call.
 * @param purpose What the pages are read for, where it is not to list scans.
 * @throws NodeApiError when a page cannot be read or is not a list, and when the pages go in a circle.
 */
export async function* scanPages(
	scans: ScanService,
	query: Call['query'],
	context: () => CallContext,
	purpose?: string,
): AsyncGenerator<ScanPage> {
	const listCall = scans.call('listScans', { query });
	const call = { ...listCall, purpose: purpose ?? listCall.purpose };
	const first = context();
	const broken = (what: string) => scans.service.wrongShape(call, what, first.itemIndex);
	const circle = new PageCircle();
	let emptyPages = 0;
	let answer = await scans.service.send(call, first);
	for (;;) {
		const page = readPage(answer);
		if (page === undefined) throw broken("there is no list 'results'");
		emptyPages = page.records.length === 0 ? emptyPages + 1 : 0;
		yield { records: page.records, more: page.more };
		if (!page.more || page.next === undefined) return;
		if (page.next.length > LONGEST_NEXT_PAGE) throw broken("'next' is longer than 16 KB");
		if (circle.leadsBack(page.next, page.records)) throw broken("'next' leads in a circle");
		if (emptyPages >= EMPTY_PAGES) throw broken(`there were ${EMPTY_PAGES} empty pages in a row`);
		answer = await scans.service.follow(page.next, call.purpose, context());
	}
}

function readPage({ body }: Answer): ReadPage | undefined {
	if (!isRecord(body) || !Array.isArray(body.results)) return undefined;
	const results: unknown[] = body.results;
	if (!results.every(isRecord)) return undefined;
	const next = typeof body.next === 'string' && body.next !== '' ? body.next : undefined;
	return { records: results, next, more: next !== undefined && body.has_more !== false };
}
