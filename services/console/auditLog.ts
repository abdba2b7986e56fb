import type { Answer, CallContext, Service } from '../../transport/call';
import type { Clock } from '../../transport/clock';
import { isRecord } from '../../transport/isRecord';
import { LONGEST_NEXT_PAGE, MOST_ON_A_PAGE, TOO_MANY_ON_A_PAGE } from '../pageCircle';
import { believedTime, toldTime } from '../serverTime';
import { errorIn, isError, saysNothing, tellsErrorBeside } from '../toldError';
import { isoTime } from './auditLogEntry';
import type { AuditLogEntry } from './auditLogEntry';
import type { AuditLogPage, PageCall } from './auditLogPage';
import { ENTRIES_PATH } from './auditLogPage';

/** n8n items are objects; anything else that a log may hold is wrapped, so that it is not lost. */
function asEntry(item: unknown): AuditLogEntry {
	return isRecord(item) ? item : { value: item };
}

/** An answer's time, size and digest. */
export interface TimedAnswer {
	/** The server's clock, in milliseconds; `undefined` where it sent none. */
	serverTime: number | undefined;
	/** Of the answer, unpacked, as `Answer` counts them. */
	bytes: number;
	/** Of the answer, where it is short. */
	digest: string | undefined;
}

export interface TimedPage extends TimedAnswer {
	page: AuditLogPage;
}

const purpose = 'read the audit log';

const DAY_MS = 24 * 3_600_000;

/**
 * One page of the audit log, oldest entry first.
 * @throws NodeApiError as the transport, and for an answer that is no page, or whose page token
 * cannot be sent.
 */
export async function listEntries(
	service: Service,
	call: PageCall,
	context: CallContext = {},
): Promise<TimedPage> {
	const answer = await askForPage(service, call, context);
	const page = await pageIn(answer, service, context);
	if (page.unusableToken === undefined) return { page, ...factsOf(answer) };
	throw await service.wrongShape(
		{ purpose, idempotent: true },
		page.unusableToken,
		context.itemIndex,
	);
}

/**
 * The same for a reader that goes on by position where the page token cannot be sent.
 * @param knownDigest Digest of an answer that the reader knows: where it comes again, there is no page.
 * @throws NodeApiError as the transport, and for an answer that is no page.
 */
export async function listEntriesByPosition(
	service: Service,
	call: PageCall,
	context: CallContext = {},
	knownDigest?: string,
): Promise<TimedAnswer & { page?: AuditLogPage }> {
	const answer = await askForPage(service, call, context, knownDigest);
	const isKnown = knownDigest !== undefined && answer.digest === knownDigest;
	const page = isKnown ? undefined : await pageIn(answer, service, context);
	return { page, ...factsOf(answer) };
}

async function askForPage(
	service: Service,
	{ since, limit, pageToken }: PageCall,
	context: CallContext,
	knownDigest?: string,
): Promise<Answer> {
	return await service.send(
		{
			method: 'GET',
			path: ENTRIES_PATH,
			query: { since, limit, pageToken },
			nextPageField: 'nextPageToken',
			knownDigest,
			idempotent: true,
			purpose,
		},
		context,
	);
}

function factsOf(answer: Answer): TimedAnswer {
	return { serverTime: toldTime(answer), bytes: answer.bytes, digest: answer.digest };
}

async function pageIn(
	{ body }: Answer,
	service: Service,
	{ itemIndex }: CallContext,
): Promise<AuditLogPage> {
	const call = { purpose, idempotent: true };
	if (isRecord(body) && tellsErrorBeside(body.items, body))
		throw await service.toldError(call, itemIndex, errorIn(body));
	const broken = async (what: string) =>
		await service.wrongShape(call, what, itemIndex, errorIn(body));
	// Some services write null for an empty list.
	const items = isRecord(body) && (body.items === null && saysNothing(body) ? [] : body.items);
	if (!isRecord(body) || !Array.isArray(items)) throw await broken("there is no list of 'items'");
	if (items.length > MOST_ON_A_PAGE) throw await broken(TOO_MANY_ON_A_PAGE);
	return { items: items.map(asEntry), ...tokenOf(body.nextPageToken) };
}

function tokenOf(token: unknown): Pick<AuditLogPage, 'nextPageToken' | 'unusableToken'> {
	if (token === undefined || token === null || token === '') return {};
	if (typeof token !== 'string') {
		return { unusableToken: "the 'nextPageToken' is neither text nor null" };
	}
	if (token.length <= LONGEST_NEXT_PAGE) return { nextPageToken: token };
	return { unusableToken: `the 'nextPageToken' is longer than ${LONGEST_NEXT_PAGE / 1024} KB` };
}

/** The call that shows the console's clock. A console may refuse a time to come, and n8n's clock may be ahead. */
export function clockCall(now: number): PageCall {
	return { since: isoTime(now - DAY_MS), limit: 1 };
}

/** The server's clock for a poll, in milliseconds; `undefined` where it does not tell, or not truly. */
export async function toldNow(
	service: Service,
	{ clock, deadline }: { clock: Clock; deadline: number },
): Promise<number | undefined> {
	const call = clockCall(clock.now());
	const { serverTime } = await listEntriesByPosition(service, call, { deadline, isUrgent: true });
	return believedTime(serverTime, clock.now());
}

/** The same; the computer's clock where the server does not tell. */
export async function serverNow(
	service: Service,
	poll: { clock: Clock; deadline: number },
): Promise<number> {
	return (await toldNow(service, poll)) ?? poll.clock.now();
}

/**
 * One entry by its id, which is one path segment whatever it contains.
 * @throws NodeApiError as the transport, and for an answer that is no entry.
 */
export async function getEntry(
	service: Service,
	auditlogId: string,
	context: CallContext,
): Promise<AuditLogEntry> {
	const purpose = 'get the audit log entry';
	const { body } = await service.send(
		{
			method: 'GET',
			path: `${ENTRIES_PATH}/{auditlogId}`,
			pathValues: { auditlogId },
			idempotent: true,
			purpose,
			ifNotFound: 'Check the ID.',
		},
		context,
	);
	const flaw = !isEntry(body)
		? 'there is no entry'
		: isOther(body, auditlogId) && 'it is another entry';
	if (!flaw) return body as AuditLogEntry;
	throw await service.wrongShape(
		{ purpose, idempotent: true },
		flaw,
		context.itemIndex,
		errorIn(body),
	);
}

/** Which fields an entry has is not known: what has a page's, or an error's and no other, is none. */
function isEntry(body: unknown): body is AuditLogEntry {
	if (!isRecord(body)) return false;
	if (Array.isArray(body.items) && body.auditlogId === undefined) return false;
	return !isError(body);
}

function isOther({ auditlogId }: AuditLogEntry, asked: string): boolean {
	const isId = typeof auditlogId === 'string' || typeof auditlogId === 'number';
	return isId && String(auditlogId).toLowerCase() !== asked.toLowerCase();
}
