import type { DescribedError } from '../support/engine/describedError.cts';
import type { Behaviour, RawServer } from '../support/transport/rawServer.cts';
import {
	answer,
	bomb,
	cutAfterTheHead,
	cutBeforeTheAnswer,
	cutInTheBody,
	cutInTheChunks,
	cutInTheHead,
	deadOrigin,
	hugeHead,
	long,
	speakNonsense,
	startRawServer,
} from '../support/transport/rawServer.cts';
import type { Sent, TransportBench } from '../support/transport/transportBench.cts';
import { openScanTransport, TOKEN } from '../support/transport/transportBench.cts';

/** What each fault does to a call that may be sent twice and to one that must not, on the wire. */

let server: RawServer;
let bench: TransportBench;

beforeAll(async () => {
	server = await startRawServer();
	bench = await openScanTransport(server.origin);
});

afterAll(async () => {
	bench.close();
	await server.close();
});

const EFFECT = {
	method: 'POST',
	idempotent: false,
	purpose: 'scan the URL',
	howToCheck: "Look at 'Scan: Get Many' first.",
	body: { type: 'form', fields: { path: 'http://x' } },
} as const;

function expectNoSecret({ error }: Sent): void {
	const everything = `${error?.everything()} ${JSON.stringify(error?.raw)} ${bench.log()}`;
	expect(everything).not.toContain(TOKEN);
}

interface Row {
	fault: string;
	behaviour: Behaviour;
	message: string;
	httpCode?: string;
	/** How often the read is sent; 1 unless it is repeated. */
	reads?: 4;
	/** Whether the outcome of the call with an effect is open. */
	unclear?: true;
}

const echo = JSON.stringify({ detail: `Wrong: ${TOKEN}`, header: `Token ${TOKEN}` });

const refused: Row[] = [
	[400, 'refused the request (400)'],
	[401, 'did not accept the credential (401)'],
	[402, 'asks for payment (402)'],
	[403, 'does not allow this call (403)'],
	[404, 'has nothing at this address (404)'],
	[405, 'does not allow this method here (405)'],
	[409, 'the state of the object does not allow it (409)'],
	[410, 'has nothing at this address (410)'],
	[413, 'it is too large for the scanning service (413)'],
	[422, 'refused the request (422)'],
].map(([status, message]) => ({
	fault: String(status),
	behaviour: answer(Number(status), echo),
	message: String(message),
	httpCode: String(status),
}));

const faulty: Row[] = [500, 501, 505, 520].map((status) => ({
	fault: String(status),
	behaviour: answer(status, echo),
	message: `answered with status ${status}`,
	httpCode: String(status),
	unclear: true,
}));

const passing: Row[] = [408, 502, 503, 504].map((status) => ({
	fault: String(status),
	behaviour: answer(status, '<html>Bad gateway</html>', { 'content-type': 'text/html' }),
	message: `is not available at the moment (${status})`,
	httpCode: String(status),
	reads: 4,
	unclear: true,
}));

const unreadable: Row[] = [
	[
		'a sign-in page',
		answer(200, '<html>Sign in</html>', { 'content-type': 'text/html' }),
		'web page',
	],
	['half a JSON', answer(200, '{"items": [{"broken'), 'only a part of the answer', 4],
	['another language', answer(200, 'items: []', { 'content-type': 'text/yaml' }), 'is not JSON'],
	[
		'a body said to be zipped',
		answer(200, '{}', { 'content-encoding': 'gzip' }),
		'only a part of the answer',
		4,
	],
	['40 MB', long(40 * 1024 * 1024), 'holds more than 5 MB'],
	['a zip bomb', bomb(64 * 1024 * 1024), 'holds more than 5 MB'],
].map(([fault, behaviour, message, reads]) => ({
	fault,
	behaviour,
	message,
	reads,
	unclear: true,
})) as Row[];

const cut: Row[] = [
	['a cut before the answer', cutBeforeTheAnswer, 'did not answer (the connection broke)'],
	['a cut in the head', cutInTheHead, 'did not answer (the connection broke)'],
	['a cut after the head', cutAfterTheHead, 'only a part of the answer'],
	['a cut in the body', cutInTheBody, 'only a part of the answer'],
	['a cut between chunks', cutInTheChunks, 'only a part of the answer'],
	['something that is not HTTP', speakNonsense, 'did not answer (the connection broke)'],
	['a head without end', hugeHead, 'did not answer (the connection broke)'],
].map(([fault, behaviour, message]) => ({
	fault,
	behaviour,
	message,
	reads: 4,
	unclear: true,
})) as Row[];

describe.each([...refused, ...faulty, ...passing, ...unreadable, ...cut])(
	'$fault',
	({ behaviour, message, httpCode, reads = 1, unclear = false }) => {
		beforeEach(() => {
			server.requests.length = 0;
			server.behave(behaviour);
		});

		it('ends a call that may be sent twice', async () => {
			const sent = await bench.send({}, { itemIndex: 2 });
			expect(sent.error).toMatchObject({ name: 'NodeApiError', itemIndex: 2 });
			expect(sent.error?.message).toMatch(/^Could not read the log: .* \[item 2\]$/);
			expect(sent.error?.message).toContain(message);
			expect(sent.error?.httpCode).toBe(httpCode ?? sent.error?.httpCode);
			expect(server.requests).toHaveLength(reads);
			expectNoSecret(sent);
		});

		it('ends a call with an effect, which is sent once', async () => {
			const sent = await bench.send(EFFECT);
			expect(sent.error?.message).toContain(message);
			expect(server.requests.map(({ body }) => body)).toStrictEqual(['path=http%3A%2F%2Fx']);
			const { description } = sent.error as DescribedError;
			const open = 'It is not certain whether the call was carried out, so it was not repeated.';
			expect(description?.includes(open)).toBe(unclear);
			expect(description?.includes(EFFECT.howToCheck)).toBe(unclear);
			expectNoSecret(sent);
		});
	},
);

it('quotes the service without the token it echoes', async () => {
	server.behave(answer(403, echo));
	const { error } = await bench.send({});
	expect(error?.description).toMatch(/^The scanning service says: "Wrong: \[redacted\]"\./);
	expect(error?.description).toContain('its role may be too low');
});

it('takes an empty answer for one without data', async () => {
	server.behave(answer(204));
	expect(await bench.send({})).toStrictEqual({ status: 204 });
});

describe('a passing fault', () => {
	it('does not matter to a read that is answered in the end', async () => {
		server.requests.length = 0;
		server.behave(cutBeforeTheAnswer, answer(503), cutInTheBody, answer(200, '{"items": []}'));
		expect(await bench.send({})).toStrictEqual({ status: 200, body: { items: [] } });
		expect(server.requests).toHaveLength(4);
	});

	it.each([
		['in seconds', () => '30'],
		['as a date', () => new Date(Date.now() + 31_000).toUTCString()],
	])('is waited for as long as Retry-After says, %s', async (_, retryAfter) => {
		server.behave(answer(503, '', { 'retry-after': retryAfter() }), answer(200, '{}'));
		const before = bench.waited();
		expect(await bench.send({})).toMatchObject({ status: 200 });
		expect(bench.waited() - before).toBeGreaterThanOrEqual(29_000);
		expect(bench.waited() - before).toBeLessThanOrEqual(31_000);
	});

	it('with an absurd Retry-After is not waited for, and n8n is told', async () => {
		server.behave(answer(503, '', { 'retry-after': '9999999' }));
		const { error } = await bench.send({});
		expect(error?.failure).toStrictEqual({
			cause: 'temporarily-unavailable',
			retryAfterMs: 24 * 60 * 60 * 1000,
		});
	});
});

describe('429', () => {
	it.each([
		['in seconds', () => '20', 20_000],
		['as a date', () => new Date(Date.now() + 20_500).toUTCString(), 20_000],
		['not at all', () => undefined, 500],
		['in nonsense', () => 'soon', 500],
		['in the past', () => 'Mon, 15 Jun 2020 12:00:10 GMT', 500],
	])('is waited for and repeated, also a call with an effect (%s)', async (_, header, atLeast) => {
		const value = header();
		server.requests.length = 0;
		server.behave(answer(429, echo, value ? { 'retry-after': value } : {}), answer(200, '{}'));
		const before = bench.waited();
		expect(await bench.send(EFFECT)).toMatchObject({ status: 200 });
		expect(server.requests).toHaveLength(2);
		expect(bench.waited() - before).toBeGreaterThanOrEqual(atLeast - 1000);
	});

	it('until the deadline says how long it waited', async () => {
		server.behave(answer(429, echo, { 'retry-after': '3600' }));
		const own = await openScanTransport(server.origin);
		const sent = await own.send(EFFECT, { deadline: Date.now() + 60_000 });
		own.close();
		expect(sent.error?.message).toContain('allows no more calls for now (429). ');
		expect(sent.error?.failure).toMatchObject({ cause: 'rate-limited' });
		expect(sent.error?.description).not.toContain('not certain');
		expectNoSecret(sent);
	});
});

describe.each([
	['a read', {}],
	['a call with an effect', EFFECT],
])('%s that cannot arrive', (_, call) => {
	const at = async (origin: string) => {
		const own = await openScanTransport(origin);
		const sent = await own.send(call, { deadline: Date.now() + 100 });
		own.close();
		expect(sent.error?.description).not.toContain('not certain');
		expectNoSecret(sent);
		return sent.error?.message;
	};

	it('says that nothing listens', async () => {
		const origin = await deadOrigin();
		expect(await at(origin)).toContain(`nothing accepts connections at ${origin}`);
	});

	it('says that the host is not known', async () => {
		expect(await at('https://no-such-host.invalid')).toContain(
			'the host of https://no-such-host.invalid is not known',
		);
	});

	it('says that the certificate is not trusted, and sends nothing', async () => {
		const secure = await startRawServer({ tls: true });
		expect(await at(secure.origin)).toContain(`the certificate of ${secure.origin} is not trusted`);
		expect(secure.requests).toHaveLength(0);
		await secure.close();
	});

	it('says that the other side speaks no TLS', async () => {
		expect(await at(server.origin.replace('http:', 'https:'))).toContain(
			'no secure connection (TLS)',
		);
	});
});
