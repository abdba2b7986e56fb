import type { IAdditionalCredentialOptions, IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import type { Call, CallContext } from '../../transport/call';
import { CallQueue } from '../../transport/queue/callQueue';
import type { StatedRate } from '../../transport/queue/queueRegistry';
import type { Connection, RequestContext } from '../../transport/connection';
import { connect } from '../../transport/connect';
import { consoleNode as node } from '../support/consoleNode.cts';
import { FakeClock } from '../support/fakeClock.cts';

const ORIGIN = 'https://console.example.com';

const CALL: Call = { method: 'GET', path: '/entries', idempotent: true, purpose: 'read the log' };

interface Response {
	status?: number;
	headers?: Record<string, string>;
	body?: unknown;
}

type Behaviour = (request: IHttpRequestOptions, attempt: number) => Response;

function bodyStream(body: unknown) {
	async function* content() {
		if (typeof body === 'function') await (body as () => Promise<void>)();
		yield new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body ?? {}));
	}
	return Object.assign(content(), { destroy: () => undefined, on: () => undefined });
}

/** A service behind a fake n8n, on a clock that only goes on when it is told. */
function setUp(behaviour: Behaviour, connection: Partial<Connection> = {}) {
	const clock = new FakeClock();
	const requests: IHttpRequestOptions[] = [];
	const credentialOptions: Array<IAdditionalCredentialOptions | undefined> = [];
	const queues = new Map<string, CallQueue>();
	const credential: IDataObject = {};
	const context = {
		getNode: () => node,
		getCredentials: async () => credential,
		helpers: {
			httpRequestWithAuthentication: async (
				_: string,
				request: IHttpRequestOptions,
				options?: IAdditionalCredentialOptions,
			) => {
				requests.push(request);
				credentialOptions.push(options);
				const { status = 200, headers = {}, body } = behaviour(request, requests.length);
				return { statusCode: status, headers, body: bodyStream(body) };
			},
		},
	} as unknown as RequestContext;
	const queue = (key: string, { callsPerMinute }: StatedRate) => {
		const known = queues.get(key) ?? new CallQueue({ clock, callsPerMinute, random: () => 0.5 });
		queues.set(key, known);
		return known;
	};
	const service = connect(
		context,
		{
			credentialType: 'browserConsoleHeadersApi',
			origin: ORIGIN,
			serviceName: 'console',
			secrets: ['TOP-SECRET-1'],
			readOnly: true,
			...connection,
		},
		{ clock, random: () => 0, queue },
	);
	const settled = async (call: Partial<Call> = {}, callContext?: CallContext) => {
		const answer = service.send({ ...CALL, ...call }, callContext);
		const outcome = answer.then(
			({ body }) => ({ body }),
			(error: Error & { description: string }) => ({ error }),
		);
		await clock.run();
		return await outcome;
	};
	return { service, clock, requests, credentialOptions, queues, credential, settled };
}

it('asks n8n for a stream, without redirects and without errors for a status', async () => {
	const { settled, requests } = setUp(() => ({ body: { items: [] } }));
	expect(await settled({ query: { limit: 1 } })).toStrictEqual({ body: { items: [] } });
	expect(requests[0]).toMatchObject({
		method: 'GET',
		url: `${ORIGIN}/entries?limit=1`,
		encoding: 'stream',
		disableFollowRedirect: true,
		ignoreHttpStatusErrors: true,
		timeout: 120_000,
	});
});

it('tells how long the request took that was answered, and not what was before it', async () => {
	const { service, clock } = setUp((_, attempt) => {
		const body = async () => await clock.sleep(attempt * 1000);
		return attempt === 1 ? { status: 503, body } : { body };
	});
	const answer = service.send(CALL);
	await clock.run();
	expect((await answer).tookMs).toBe(2000);
});

it('tells no time below zero where the clock was set back meanwhile', async () => {
	const { service, clock } = setUp(() => {
		clock.set(clock.now() - 1000);
		return {};
	});
	const answer = service.send(CALL);
	await clock.run();
	expect((await answer).tookMs).toBe(0);
});

describe('the credential', () => {
	it('is handed to n8n where it was read before, so that n8n does not read it for each request', async () => {
		const credential = { consoleUrl: ORIGIN };
		const { settled, credentialOptions } = setUp(() => ({}), { credential });
		await settled();
		expect(credentialOptions[0]?.credentialsDecrypted?.data).toBe(credential);
	});

	it('is read by n8n where it is not at hand', async () => {
		const { settled, credentialOptions } = setUp(() => ({}));
		await settled();
		expect(credentialOptions).toStrictEqual([undefined]);
	});
});

describe('time', () => {
	it('goes on as before where the clock is set while a call waits to be sent again', async () => {
		for (const hours of [1, -1]) {
			const { settled, requests, clock } = setUp((_, attempt) => {
				if (attempt === 1) clock.set(clock.now() + hours * 3_600_000);
				return attempt < 3 ? { status: 503 } : {};
			});
			expect(await settled({}, { deadline: clock.now() + 30_000 })).toStrictEqual({ body: {} });
			expect(requests.map(({ timeout }) => timeout)).toStrictEqual([30_000, 29_000, 26_000]);
		}
	});

	it('goes on as before where the clock is set while a call waits in the queue', async () => {
		const { service, requests, clock } = setUp(() => ({}), { callsPerMinute: 1 });
		const first = service.send(CALL);
		const second = service.send(CALL, { deadline: clock.now() + 90_000 });
		clock.set(clock.now() + 3_600_000);
		await clock.run();
		await Promise.all([first, second]);
		expect(requests[1].timeout).toBe(90_000 - 60_050);
	});

	it('for an idempotent call is what is left before the deadline', async () => {
		const { settled, requests, clock } = setUp(() => ({}));
		await settled({}, { deadline: clock.now() + 5000 });
		expect(requests[0].timeout).toBe(5000);
		expect(requests[0].abortSignal).toBeDefined();
	});

	it('for a call with an effect is not cut short by the deadline, and grows with its upload', async () => {
		const { settled, requests, clock } = setUp(() => ({}), { readOnly: false });
		const effect = { method: 'POST', idempotent: false } as const;
		await settled(effect, { deadline: clock.now() + 5000 });
		const file = {
			part: 'data',
			fileName: 'f',
			mimeType: 'x/y',
			size: 500 * 1024 * 1024,
			open: async () => await Promise.reject(new Error('is not opened here')),
		};
		await settled({ ...effect, body: { type: 'multipart', fields: {}, file } });
		expect(requests.map(({ timeout }) => timeout)).toStrictEqual([120_000, 120_000 + 4_096_000]);
		expect(requests[0].abortSignal?.aborted).toBe(false);
	});
});

it('lets nothing but GET leave towards a service that is read only', async () => {
	const { settled, requests } = setUp(() => ({}));
	for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
		expect(await settled({ method })).toMatchObject({
			error: { message: expect.stringContaining('the console is read only') },
		});
	}
	expect(requests).toHaveLength(0);
});

it.each(['@evil.example/', '.evil.example/', ':80@evil.example/'])(
	'does not send a call whose path %j would lead elsewhere',
	async (path) => {
		const { settled, requests } = setUp(() => ({}));
		expect(await settled({ path })).toMatchObject({ error: expect.anything() });
		expect(requests).toHaveLength(0);
	},
);

describe('a call that meets', () => {
	it('503 is sent again, after what the service asked for', async () => {
		const { settled, requests, clock } = setUp((_, attempt) =>
			attempt < 3 ? { status: 503, headers: { 'retry-after': '20' } } : { body: 'true' },
		);
		const begun = clock.now();
		expect(await settled()).toStrictEqual({ body: true });
		expect(requests).toHaveLength(3);
		expect(clock.now() - begun).toBe(40_000);
	});

	it('503 for good is given up after four attempts', async () => {
		const { settled, requests } = setUp(() => ({ status: 503 }));
		expect(await settled()).toMatchObject({ error: { httpCode: '503' } });
		expect(requests).toHaveLength(4);
	});

	it('503 is not sent again past its deadline', async () => {
		const { settled, requests, clock } = setUp(() => ({ status: 503 }));
		await settled({}, { deadline: clock.now() + 900 });
		expect(requests).toHaveLength(1);
	});

	it('429 keeps its place in the queue and is answered in the end', async () => {
		const { settled, requests } = setUp((_, attempt) =>
			attempt === 1 ? { status: 429, headers: { 'retry-after': '7' } } : { body: 'true' },
		);
		expect(await settled()).toStrictEqual({ body: true });
		expect(requests).toHaveLength(2);
	});

	it('429 until its deadline says so, and how long it waited', async () => {
		const { settled, clock } = setUp(() => ({ status: 429 }));
		const outcome = await settled({}, { deadline: clock.now() + 30_000 });
		expect(outcome).toMatchObject({
			error: {
				httpCode: '429',
				message: expect.stringMatching(/\(429\)\. It waited \d+ seconds\./),
				failure: { cause: 'rate-limited', retryAfterMs: expect.any(Number) },
			},
		});
	});

	it('429 with a Retry-After of a day says until when, also to the calls behind it', async () => {
		const { service, clock, requests } = setUp(() => ({
			status: 429,
			headers: { 'retry-after': '86400' },
		}));
		const deadline = clock.now() + 60_000;
		const send = async () =>
			await service.send(CALL, { deadline }).catch(({ message }: Error) => message);
		const outcomes = [send(), send().then(async () => await send())];
		await clock.run();
		const [first, last] = await Promise.all(outcomes);
		const until = 'No call can be sent before 2023-11-15T22:13:20Z.';
		expect(first).toBe(
			`Could not read the log: the console allows no more calls for now (429). ${until}`,
		);
		expect(last).toBe(
			`Could not read the log: the call was not sent, because no more are allowed for now. ${until}`,
		);
		expect(requests).toHaveLength(2);
	});

	it('a cancellation while it waits is not sent', async () => {
		const { settled, requests } = setUp(() => ({}));
		expect(await settled({}, { signal: AbortSignal.abort() })).toMatchObject({
			error: { message: expect.stringContaining('canceled while the call waited to be sent') },
		});
		expect(requests).toHaveLength(0);
	});
});

it('counts the calls that waited, and the longest wait', async () => {
	const { settled, service } = setUp(() => ({}), { callsPerMinute: 1 });
	await settled();
	await settled();
	expect(service.delays).toStrictEqual({ calls: 1, longestMs: 60_050 });
});

describe('the queue', () => {
	const keyOf = async (connection: Partial<Connection>) => {
		const { settled, queues } = setUp(() => ({}), connection);
		await settled();
		return [...queues.keys()][0];
	};

	it('belongs to an address and a token', async () => {
		const key = await keyOf({});
		expect(await keyOf({})).toBe(key);
		expect(await keyOf({ secrets: ['another'] })).not.toBe(key);
		expect(key).not.toContain('TOP-SECRET-1');
	});

	it('stays the same when a token is renewed', async () => {
		const renewed = { queueIdentity: 'client-1', secrets: ['bearer-2'] };
		expect(await keyOf(renewed)).toBe(await keyOf({ ...renewed, secrets: ['bearer-1'] }));
		expect(await keyOf(renewed)).not.toBe(await keyOf({ ...renewed, queueIdentity: 'client-2' }));
	});
});

describe('the words of the service', () => {
	it('come without secrets, as one line', async () => {
		const { settled } = setUp(() => ({
			status: 400,
			body: { detail: 'Your  key\nTOP-SECRET-1 is odd' },
		}));
		expect(await settled()).toMatchObject({
			error: { description: expect.stringContaining('"Your key [redacted] is odd"') },
		});
	});

	it('come without the token that n8n renewed meanwhile', async () => {
		const { settled, credential } = setUp(
			() => ({ status: 400, body: { detail: 'renewed-bearer of type bearer is odd' } }),
			{ renewsToken: true },
		);
		credential.oauthTokenData = { access_token: 'renewed-bearer', token_type: 'bearer' };
		expect(await settled()).toMatchObject({
			error: { description: expect.stringContaining('"[redacted] of type bearer is odd"') },
		});
	});

	it.each([
		['text/plain', 'Not today', true],
		['text/html', '<p>Not today</p>', false],
		['application/json', '{"broken": "Not today', false],
	])('of type %s are read if they are words', async (type, body, quoted) => {
		const { settled } = setUp(() => ({ status: 400, headers: { 'content-type': type }, body }));
		const { error } = (await settled()) as { error: Error & { description: string } };
		expect(error.description.includes('Not today')).toBe(quoted);
	});

	it('are left out where they are too long to be words', async () => {
		const body = JSON.stringify({ detail: 'x'.repeat(100_000) });
		const { settled } = setUp(() => ({ status: 400, body }));
		const { error } = (await settled()) as { error: Error & { description: string } };
		expect(error.description).toMatch(/^Correct the value the service rejected/);
	});
});

it.each([
	['https://elsewhere.example/login?next=/', 'https://elsewhere.example'],
	['//user:pw@elsewhere.example/x', 'https://elsewhere.example'],
	['http://console.example.com/entries', 'http://console.example.com'],
	['/login', 'another path'],
	['https://console.example.com/login', 'another path'],
	['https://TOP-SECRET-1.elsewhere.example/', 'https://[redacted].elsewhere.example'],
	['data:text/html,x', 'data:'],
	['https://', 'an address that is not valid'],
	[undefined, 'an address it does not name'],
])('names the origin that %j redirects to', async (location, target) => {
	const { settled } = setUp(() => ({ status: 302, headers: { ...(location && { location }) } }));
	const { error } = (await settled()) as { error: Error };
	expect(error.message).toBe(`Could not read the log: the console redirects to ${target}`);
});

it('does not repeat a host without end', async () => {
	const location = `https://${'x'.repeat(5000)}.example/`;
	const { settled } = setUp(() => ({ status: 302, headers: { location } }));
	const { error } = (await settled()) as { error: Error };
	expect(error.message.length).toBeLessThan(700);
});

it.each([
	['<!DOCTYPE html><html></html>', 'application/json', 'a web page came back'],
	['  \n<html>', '', 'a web page came back'],
	['Please sign in', 'text/html; charset=utf-8', 'a web page came back'],
	['{"items": [{"broken', 'application/json', 'is not JSON'],
	['NaN', 'application/json', 'is not JSON'],
])('does not take %j for data', async (body, type, text) => {
	const { settled } = setUp(() => ({ headers: { 'content-type': type }, body }));
	const { error } = (await settled()) as { error: Error };
	expect(error.message).toContain(text);
});

it.each([
	['', undefined],
	['  \n', undefined],
	['\ufeff{"a":1}', { a: 1 }],
	['"text"', 'text'],
	['null', null],
	['12345678901234567890', '12345678901234567890'],
])('takes %j for %j', async (body, value) => {
	const { settled } = setUp(() => ({ body }));
	expect(await settled()).toStrictEqual({ body: value });
});

it('makes an error of an answer that lacks something', () => {
	const { service } = setUp(() => ({}));
	const error = service.wrongShape(
		{ purpose: 'read the log', idempotent: true },
		'there is no x',
		2,
	);
	expect(error.message).toBe(
		'Could not read the log: there is no x in the answer of the console [item 2]',
	);
});

it('cuts secrets out of what an answer lacks, for who quotes the answer there', () => {
	const { service } = setUp(() => ({}), { secrets: ['pass word 1'] });
	const what = "'next' is pass%2520word%25201";
	const error = service.wrongShape({ purpose: 'read the log', idempotent: true }, what);
	expect(error.message).toContain("'next' is [redacted] in the answer");
});

describe('what the service echoes', () => {
	it('of the item is in none of its errors', async () => {
		const { settled } = setUp(() => ({ status: 400, body: { detail: 'no pass%20word%201 here' } }));
		const outcome = await settled({}, { secrets: ['pass word 1'] });
		expect(outcome).toMatchObject({
			error: { description: expect.stringContaining('"no [redacted] here"') },
		});
	});

	const TOKEN = 'TOP-SECRET-1';

	it.each([
		['a text', { detail: `Hello ${TOKEN}!` }, { detail: 'Hello [redacted]!' }],
		['a key', { [`x${TOKEN}`]: [1] }, { 'x[redacted]': [1] }],
		['a list', { items: [{ a: { b: [TOKEN] } }] }, { items: [{ a: { b: ['[redacted]'] } }] }],
	])('of the token is in no answer: %s', async (_, body, shown) => {
		for (const text of [JSON.stringify(body), JSON.stringify(body).replace(/T/g, '\\u0054')]) {
			const { settled } = setUp(() => ({ body: text }), { tokens: [TOKEN] });
			expect(await settled()).toStrictEqual({ body: shown });
		}
	});

	it('of a token with a quote in it is in no answer', async () => {
		const { settled } = setUp(() => ({ body: '{"is":"TOP-\\"SECRET\\""}' }), {
			tokens: ['TOP-"SECRET"'],
		});
		expect(await settled()).toStrictEqual({ body: { is: '[redacted]' } });
	});

	it('of a token with a slash in it is in no answer', async () => {
		const { settled } = setUp(() => ({ body: '{"is":"TOP\\/SECRET"}' }), {
			tokens: ['TOP/SECRET'],
		});
		expect(await settled()).toStrictEqual({ body: { is: '[redacted]' } });
	});

	it('of a token of digits alone is in no answer, as a number either', async () => {
		const body = '{"is":12345678,"in":"a 12345678","not":[123456789]}';
		const { settled } = setUp(() => ({ body }), { tokens: ['12345678'] });
		const shown = { is: '[redacted]', in: 'a [redacted]', not: [123456789] };
		expect(await settled()).toStrictEqual({ body: shown });
	});

	it('of the token is cut out below any key', async () => {
		const text = `{"__proto__":"${TOKEN}","constructor":{"__proto__":["${TOKEN}"]}}`;
		const { settled } = setUp(() => ({ body: text }), { tokens: [TOKEN] });
		const { body } = (await settled()) as { body: unknown };
		expect(JSON.stringify(body)).toBe(text.replaceAll(TOKEN, '[redacted]'));
	});

	it('of values that are no tokens stays, as entries are passed on as sent', async () => {
		const body = { tenant: TOKEN, short: 'abc' };
		const { settled } = setUp(() => ({ body: JSON.stringify(body) }), { tokens: ['abc'] });
		expect(await settled()).toStrictEqual({ body: { tenant: TOKEN, short: 'abc' } });
	});
});
