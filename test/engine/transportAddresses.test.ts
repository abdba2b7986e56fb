import type { RawServer } from '../support/transport/rawServer.cts';
import { answer, startRawServer } from '../support/transport/rawServer.cts';
import type { TransportBench } from '../support/transport/transportBench.cts';
import { openTransport, TOKEN } from '../support/transport/transportBench.cts';

/** Where a request goes, and that a credential goes nowhere else. */

let server: RawServer;
let other: RawServer;
let console: TransportBench;

beforeAll(async () => {
	server = await startRawServer();
	other = await startRawServer();
	const headers = { values: [{ name: 'X-Console-Key', value: TOKEN }] };
	console = await openTransport({
		credential: ['browserConsoleHeadersApi', { consoleUrl: server.origin, headers }],
		connection: {
			origin: server.origin,
			serviceName: 'console',
			queueKey: 'key',
			secrets: [TOKEN],
			readOnly: true,
		},
	});
});

beforeEach(() => {
	server.requests.length = 0;
	server.behave(answer(200, '{}'));
});

afterAll(async () => {
	console.close();
	await server.close();
	await other.close();
});

describe.each([301, 302, 303, 307, 308])('a redirect with %d', (status) => {
	it('to another host is not followed: nothing arrives there', async () => {
		server.behave(answer(status, '', { location: `${other.origin}/stolen` }));
		const { error } = await console.send({});
		expect(error?.message).toBe(`Could not read the log: the console redirects to ${other.origin}`);
		expect(error?.failure).toStrictEqual({ cause: 'configuration-invalid' });
		expect(other.requests).toHaveLength(0);
	});

	it('to the same host is not followed either', async () => {
		server.behave(answer(status, '', { location: '/login' }), answer(200, '{}'));
		const { error } = await console.send({});
		expect(error?.message).toContain('redirects to another path');
		expect(server.requests).toHaveLength(1);
	});
});

it('a query that the service handed out is sent as it is, at the call’s own path', async () => {
	expect(await console.send({ rawQuery: '_cursor=a%2Fb&x=1&x=2' })).toMatchObject({ status: 200 });
	expect(server.requests[0]).toMatchObject({ url: '/entries?_cursor=a%2Fb&x=1&x=2' });
});

it.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)(
	'a %s never leaves towards the console',
	async (method) => {
		const { error } = await console.send({ method, body: { type: 'json', text: '{}' } });
		expect(error?.message).toContain('the console is read only');
		expect(server.requests).toHaveLength(0);
	},
);

it.each([
	['a/b', 'a%2Fb'],
	['a/../admin', 'a%2F..%2Fadmin'],
	['a%2e%2e', 'a%252e%252e'],
	['a%2f%2e%2e%2f', 'a%252f%252e%252e%252f'],
	['a?b=c#d', 'a%3Fb%3Dc%23d'],
	['a\\..\\b', 'a%5C..%5Cb'],
	['a\r\nX-Evil: 1', 'a%0D%0AX-Evil%3A%201'],
	['a\u0000b', 'a%00b'],
	['ünïçødé', '%C3%BCn%C3%AF%C3%A7%C3%B8d%C3%A9'],
	['😀', '%F0%9F%98%80'],
	['.\u2025', '.%E2%80%A5'],
	[' a ', '%20a%20'],
])('the id %j arrives as the one segment %s', async (id, segment) => {
	await console.send({ path: '/entries/{id}', pathValues: { id } });
	expect(server.requests[0]).toMatchObject({ url: `/entries/${segment}` });
	expect(server.requests[0].headers['x-evil']).toBeUndefined();
});

it.each(['', ' ', '.', '..', '\ud800', '../admin', '%2e%2e%2f', '..%2f..', 'a\\..\\..\\b'])(
	'the id %j is refused before anything is sent',
	async (id) => {
		const { error } = await console.send(
			{ path: '/entries/{id}', pathValues: { id } },
			{ itemIndex: 1 },
		);
		expect(error).toMatchObject({ name: 'NodeOperationError', itemIndex: 1 });
		expect(error?.message).toContain('the ID cannot be used in a URL');
		expect(server.requests).toHaveLength(0);
	},
);

it('a query arrives as it was meant', async () => {
	const since = '2026-06-15T12:00:00.000Z';
	await console.send({ query: { since, limit: 100, pageToken: 'a+b/c=&d ü', none: undefined } });
	const { searchParams } = new URL(server.requests[0].url, server.origin);
	expect([...searchParams]).toStrictEqual([
		['since', since],
		['limit', '100'],
		['pageToken', 'a+b/c=&d ü'],
	]);
});

it('sends the headers of the credential, one of each, and nothing of n8n but its name', async () => {
	await console.send({});
	const { rawHeaders } = server.requests[0];
	const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
	expect(names.sort()).toStrictEqual([
		'accept',
		'accept-encoding',
		'connection',
		'host',
		'user-agent',
		'x-console-key',
	]);
});

it.each([
	[[{ name: 'X-Key', value: 'a\r\nX-Evil: 1' }], 'has a value with a line break'],
	[[{ name: 'X-Key\r\nX-Evil', value: 'a' }], 'forbidden character'],
	[[{ name: 'Host', value: 'evil.example' }], 'n8n sets itself'],
	[[], 'holds no headers'],
])('the header rows %j of a credential send nothing', async (values, message) => {
	const bench = await openTransport({
		credential: ['browserConsoleHeadersApi', { consoleUrl: server.origin, headers: { values } }],
		connection: {
			origin: server.origin,
			serviceName: 'console',
			queueKey: 'key',
			secrets: [],
			readOnly: true,
		},
	});
	const { error } = await bench.send({});
	bench.close();
	expect(error?.message).toContain('n8n did not send the request');
	expect(error?.description).toContain(message);
	expect(server.requests).toHaveLength(0);
});
