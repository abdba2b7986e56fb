import { nodeGlobals } from '../support/engine/outsideJest.cts';
import type { Behaviour, RawServer } from '../support/transport/rawServer.cts';
import {
	answer,
	countlessHints,
	headWithoutEnd,
	startRawServer,
	staySilent,
	switchProtocols,
} from '../support/transport/rawServer.cts';
import { openTransport, TOKEN } from '../support/transport/transportBench.cts';

/**
 * Whatever a call is answered with, and wherever the other side goes silent: it ends within its
 * time, its slot in the queue is free, its socket is closed. The two minutes of a call with an
 * effect are half a second here.
 */

const SHORT_MS = 500;

let server: RawServer;
const { AbortSignal: signals } = nodeGlobals;
const { timeout } = signals;

beforeAll(async () => {
	server = await startRawServer();
	signals.timeout = (ms) => timeout.call(signals, ms > 60_000 ? SHORT_MS : ms);
});

beforeEach(() => (server.requests.length = 0));

afterAll(async () => {
	signals.timeout = timeout;
	await server.close();
});

const open = async (signal?: AbortSignal) =>
	await openTransport({
		credential: [
			'contentScanApi',
			{ environment: 'custom', baseUrl: server.origin, apiToken: TOKEN },
		],
		connection: {
			origin: server.origin,
			serviceName: 'scanning service',
			queueKey: 'key',
			secrets: [TOKEN],
			callsPerMinute: 3,
		},
		signal,
	});

const SUBMISSION = { method: 'POST', idempotent: false, purpose: 'scan the URL' } as const;

const ended = /did not answer|did not end within|unexpected status 101/;

const silences: Array<[string, Behaviour]> = [
	['status 101', switchProtocols('websocket')],
	['status 101 without a protocol', switchProtocols('')],
	['no answer', staySilent],
	['hints without end (103)', countlessHints],
	['a head that drips', headWithoutEnd],
	['a head and then nothing', headAlone],
	['half an answer and then nothing', halfAnAnswer],
];

describe.each(silences)('%s', (_, behaviour) => {
	it.each([
		['in an execution that can be canceled', new AbortController().signal],
		['where nothing cancels', undefined],
	])('ends a submission %s, and frees its slot and its socket', async (_where, signal) => {
		const bench = await open(signal);
		server.behave(behaviour);
		const sent = await Promise.all([bench.send(SUBMISSION), bench.send(SUBMISSION)]);
		for (const { error } of sent) {
			expect(error?.message).toMatch(ended);
			expect(error?.description).toContain('It is not certain whether the call was carried out');
		}
		expect(server.requests).toHaveLength(2);
		server.behave(answer(200, '{"scan_id": 1}'));
		expect(await bench.send(SUBMISSION)).toMatchObject({ status: 200 });
		expect(await server.openSockets()).toBe(0);
		bench.close();
	});

	it('ends a read at its deadline', async () => {
		const bench = await open();
		server.behave(behaviour);
		const { error } = await bench.send({}, { deadline: Date.now() + SHORT_MS });
		expect(error?.message).toMatch(ended);
		expect(await server.openSockets()).toBe(0);
		bench.close();
	});
});

test('a read that is not answered to its end is made again', async () => {
	const bench = await open();
	let calls = 0;
	server.behave((...exchange) => {
		const respond = ++calls > 1 ? answer(200, '{"found": 1}') : halfAnAnswer;
		respond(...exchange);
	});
	expect(await bench.send({}, { answerWithinMs: SHORT_MS })).toMatchObject({ status: 200 });
	expect(calls).toBe(2);
	bench.close();
});

test('a read that is silent for as long as its caller waits is not: the caller decides', async () => {
	const bench = await open();
	let calls = 0;
	server.behave((...exchange) => {
		calls++;
		staySilent(...exchange);
	});
	const { error } = await bench.send({}, { answerWithinMs: SHORT_MS });
	expect(error?.message).toContain('did not answer');
	expect(calls).toBe(1);
	bench.close();
});

describe('the socket of an answer that is not read to its end is closed', () => {
	it.each([
		['a redirect', answer(302, '', { location: '/elsewhere' })],
		['a redirect whose body goes on', endlessRedirect],
		['too long, then silent', longAndSilent],
	])('%s', async (_, behaviour) => {
		const bench = await open();
		server.behave(behaviour);
		const { error } = await bench.send({});
		expect(error?.message).toMatch(/redirects|more than 5 MB/);
		expect(await server.openSockets()).toBe(0);
		bench.close();
	});
});

function headAlone(...[response]: Parameters<Behaviour>): void {
	response.writeHead(200).flushHeaders();
}

function halfAnAnswer(...[response]: Parameters<Behaviour>): void {
	response.writeHead(200).write('{"scan_id":');
}

function endlessRedirect(...[response]: Parameters<Behaviour>): void {
	response.writeHead(302, { location: '/elsewhere' }).write('x');
}

function longAndSilent(...[response]: Parameters<Behaviour>): void {
	response.writeHead(200).write('x'.repeat(5 * 1024 * 1024 + 1));
}
