import type { IHttpRequestOptions, INode } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import { getEntry, listEntries } from '../../services/console/auditLog';
import type { Answer, Call, Service } from '../../transport/call';
import type { Connection, RequestContext } from '../../transport/connection';
import { DEEPEST_LEVEL, MOST_VALUES } from '../../transport/exactJson';
import { systemClock } from '../../transport/clock';
import { exchange } from '../../transport/exchange';
import { redactor } from '../../transport/errors/redaction';
import { quotation } from '../../transport/errors/serverMessage';
import { seededRandom } from '../support/seededRandom.cts';

/** Answers that a broken or hostile service may send, through every parser of an answer. */

const RUNS = 100_000;

// Thousands of SyntaxErrors: jest makes each stack trace dear.
Error.stackTraceLimit = 0;
const SECRET = 'SECRET/with "quotes" & ünicode 4711';

/** The same choices in every run of the test. */
class Chance {
	readonly next: () => number;

	constructor(seed: number) {
		this.next = seededRandom(seed);
	}

	below(limit: number): number {
		return Math.floor(this.next() * limit);
	}

	of<T>(choices: readonly T[]): T {
		return choices[this.below(choices.length)];
	}
}

const ENTRY = { auditlogId: 'a1', createdAt: '2026-06-15T12:00:00.000Z', actor: { email: 'x@y' } };

const TEXTS = [
	JSON.stringify({ items: [ENTRY, ENTRY], nextPageToken: 'abc' }),
	JSON.stringify({ items: [], nextPageToken: null }),
	JSON.stringify(ENTRY),
	JSON.stringify({ detail: `Bad token ${SECRET}.` }),
	JSON.stringify({ error: { message: [`${SECRET} ${SECRET}`], code: 7 } }),
	JSON.stringify({ [SECRET]: ['is required'], items: 'x' }),
	JSON.stringify(`bare ${SECRET}`),
	`<html><body>${SECRET}</body></html>`,
	`Sorry, ${SECRET} is wrong`,
	'',
];

const FRAGMENTS = [
	'null',
	'true',
	'-1e999',
	'12345678901234567890123',
	'1'.repeat(400),
	'"\\ud800"',
	'\u0000',
	'\ufeff',
	'\u2028',
	'"__proto__":{"x":1}',
	'"toString":1',
	'{}',
	'[]',
	'"',
	'\\',
	',',
	':',
	'{',
	'}',
	'[',
	']',
	SECRET,
	encodeURIComponent(SECRET),
	JSON.stringify(SECRET),
];

/** What stands in an answer too often. */
const MANY = ['{},', '[],', '0,', '{"a":1},', '"",'];

function nested(text: string, levels: number): string {
	return `{"items":[${'{"a":['.repeat(levels / 2)}${text}${']}'.repeat(levels / 2)}]}`;
}

function mutated(chance: Chance, run: number): Uint8Array {
	let text = chance.of(TEXTS);
	for (let changes = chance.below(4); changes > 0; changes--) {
		const at = chance.below(text.length + 1);
		const end = Math.min(text.length, at + chance.below(12));
		const kept = chance.of(['', text.slice(at, end), chance.of(TEXTS)]);
		text = text.slice(0, at) + chance.of(FRAGMENTS) + kept + text.slice(end);
	}
	if (chance.below(8) === 0) text = text.slice(0, chance.below(text.length + 1));
	if (run % 2000 === 0) text = chance.of(['[', '{"detail":', '{"items":[']).repeat(20_000) + text;
	if (run % 2000 === 1) text = '['.repeat(20_000) + text + ']'.repeat(20_000);
	if (run % 2000 === 2) text = `{"items":[${chance.of(MANY).repeat(150_000)}${text}]}`;
	if (run % 2000 === 3) text = nested(chance.of(TEXTS), 90 + chance.below(20));
	const bytes = new TextEncoder().encode(text);
	for (let flips = chance.below(3); flips > 0 && chance.below(3) === 0; flips--) {
		bytes[chance.below(bytes.length)] = chance.below(256);
	}
	return bytes;
}

const HEADERS = [
	{},
	{ 'content-type': 'application/json' },
	{ 'content-type': 'text/plain', date: 'x', 'retry-after': '-5' },
	{ 'content-type': 'text/html', 'retry-after': '9'.repeat(400), location: `https://${SECRET}/` },
	{ 'retry-after': ['1', '2'], location: ['a', 'b'], date: '2026-06-15T12:00:00Z' },
];

const STATUSES = [200, 200, 200, 200, 204, 299, 302, 400, 401, 403, 404, 409, 429, 500, 503, 700];

/** n8n's request helper in front of a service that answers anything. */
function hostileContext(chance: Chance): RequestContext {
	let run = 0;
	const answer = () => {
		const bytes = mutated(chance, run++);
		const isCut = chance.below(50) === 0;
		async function* content() {
			const half = chance.below(bytes.length + 1);
			yield bytes.subarray(0, half);
			if (isCut) throw new Error(`cut after ${SECRET}`);
			yield bytes.subarray(half);
		}
		const body = Object.assign(content(), {
			destroy: () => undefined,
			on: () => undefined,
			prependListener: () => undefined,
		});
		return { statusCode: chance.of(STATUSES), headers: chance.of(HEADERS), body };
	};
	const httpRequestWithAuthentication = async (_: string, request: IHttpRequestOptions) => {
		if (chance.below(40) > 0) return answer();
		throw Object.assign(new Error(`Failed with ${SECRET}`), {
			code: chance.of(['ECONNRESET', 'EAUTH', undefined, 7]),
			config: request,
		});
	};
	return { helpers: { httpRequestWithAuthentication } } as unknown as RequestContext;
}

const CALL: Call = { method: 'GET', path: '/x', idempotent: true, purpose: 'read the log' };

const CONNECTION: Connection = {
	credentialType: 'browserConsoleHeadersApi',
	origin: 'https://console.example.com',
	serviceName: 'console',
	queueKey: 'key',
	secrets: [SECRET],
};

const WRONG_SHAPE = new NodeApiError({ name: 'n', type: 't' } as INode, { message: 'wrong shape' });

/** What the operations of the console make of an answer. */
async function parsed(answer: Answer): Promise<string> {
	const refusal = async () => WRONG_SHAPE;
	const sent = async () => answer;
	const service = { send: sent, wrongShape: refusal, toldError: refusal } as unknown as Service;
	const outcomes = await Promise.allSettled([
		listEntries(service, { limit: 1 }),
		getEntry(service, 'a1', {}),
	]);
	for (const outcome of outcomes) {
		if (outcome.status === 'rejected' && outcome.reason !== WRONG_SHAPE) throw outcome.reason;
	}
	return outcomes.map(({ status }) => status).join();
}

/** No more values and levels than an answer may have. */
function expectBounded(body: unknown): void {
	let values = 0;
	const walk = (value: unknown, level: number): void => {
		values++;
		if (level > DEEPEST_LEVEL) throw new Error(`An answer has more than ${DEEPEST_LEVEL} levels`);
		if (typeof value !== 'object' || value === null) return;
		for (const key in value) walk((value as Record<string, unknown>)[key], level + 1);
	};
	walk(body, 0);
	if (values > MOST_VALUES + 1) throw new Error(`An answer has ${values} values`);
}

const SPELLINGS = [SECRET, encodeURIComponent(SECRET), JSON.stringify(SECRET).slice(1, -1)];

it(`${RUNS} of them make values or failures, and no failure shows the secret`, async () => {
	// Time is tested elsewhere; 200,000 timers would cost more than the parsing.
	jest.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal);
	const chance = new Chance(20_260_615);
	const context = hostileContext(chance);
	const redact = redactor(CONNECTION.secrets);
	const url = `${CONNECTION.origin}/x`;
	const seen = new Map<string, number>();
	const leaks: string[] = [];
	for (let run = 0; run < RUNS; run++) {
		const deadline = systemClock.monotonic() + 60_000;
		const result = await exchange(context, CONNECTION, CALL, url, systemClock, { deadline });
		if (result.ok) expectBounded(result.answer.body);
		const what = result.ok ? await parsed(result.answer) : result.failure.kind;
		seen.set(what, (seen.get(what) ?? 0) + 1);
		if (result.ok) continue;
		const { quote = '', detail = '' } = result.failure;
		const shown = `${quotation(quote, redact)} ${quotation(detail, redact)}`;
		if (SPELLINGS.some((spelling) => shown.includes(spelling))) leaks.push(shown);
	}
	expect(leaks).toStrictEqual([]);
	for (const what of [
		'fulfilled,rejected',
		'rejected,fulfilled',
		'badRequest',
		'notJson',
		'webPage',
	]) {
		expect([what, (seen.get(what) ?? 0) > 500]).toStrictEqual([what, true]);
	}
	expect(seen.get('answerTooLarge') ?? 0).toBeGreaterThan(5);
}, 300_000);
