import type { RawServer } from '../support/transport/rawServer.cts';
import {
	answer,
	drip,
	long,
	startRawServer,
	staySilent,
	afterwards,
} from '../support/transport/rawServer.cts';
import { expectCost } from '../support/expectCost.cts';
import { memoryHeldDuring } from '../support/transport/memory.cts';
import { costOf } from '../support/transport/worstAnswers.cts';
import type { BenchOptions, TransportBench } from '../support/transport/transportBench.cts';
import { openScanTransport } from '../support/transport/transportBench.cts';

/** Answers without end, in bytes or in time, and executions that are canceled meanwhile. */

const MB = 1024 * 1024;

let server: RawServer;
let bench: TransportBench;

const open = async (more: Partial<BenchOptions> = {}) =>
	await openScanTransport(server.origin, more);

beforeAll(async () => {
	server = await startRawServer();
	bench = await open();
});

beforeEach(() => (server.requests.length = 0));

afterAll(async () => {
	bench.close();
	await server.close();
});

/** The bench's clock runs ahead by what it has skipped. */
const inMs = (ms: number) => ({ deadline: Date.now() + bench.waited() + ms });

describe('an answer of 1 GB', () => {
	it('is read up to the bound only', async () => {
		server.behave(long(1024 * MB));
		const { result, held } = await memoryHeldDuring(async () => await bench.send({}));
		expect(result.error?.message).toContain('holds more than 5 MB');
		// What was read, and what the buffers of both sides hold.
		expect(server.requests[0].answeredBytes()).toBeGreaterThan(5 * MB);
		expect(server.requests[0].answeredBytes()).toBeLessThan(21 * MB);
		expect(held).toBeLessThan(64 * MB);
	});

	it('that refuses the call is hardly read at all', async () => {
		server.behave(long(1024 * MB, 400));
		const { error } = await bench.send({});
		expect(error?.message).toContain('refused the request (400)');
		expect(server.requests[0].answeredBytes()).toBeLessThan(16 * MB);
	});

	it('behind a redirect is not read', async () => {
		server.behave(long(1024 * MB, 302));
		const { error } = await bench.send({});
		expect(error?.message).toContain('redirects to an address it does not name');
		expect(server.requests[0].answeredBytes()).toBeLessThan(16 * MB);
	});
});

describe('ten answers at once', () => {
	// Memory counts with what waits to be collected, of which there is more on a busy machine.
	it.each(['one object', 'long nested keys', 'strings and a euro', 'long numbers'])(
		'cost about 400 MB at most, and less than a second each: %s',
		async (name) => {
			const first = await costOf(name);
			// Beside other tests all takes longer: then the better of two counts.
			const cost = first.processorTime < 1000 ? first : await costOf(name);
			expect(cost.taken).toBe(10);
			expect(cost.memory).toBeLessThan(430);
			expect(cost.processorTime).toBeLessThan(1000);
		},
	);

	it('of millions of values are refused unparsed', async () => {
		server.behave(answer(200, `[${'{},'.repeat(1_700_000)}{}]`, {}));
		await expectCost(10, async () => {
			const sent = await Promise.all(Array.from({ length: 10 }, async () => await bench.send({})));
			for (const { error } of sent)
				expect(error?.message).toContain('holds more than 300,000 values');
		});
	});
});

describe('a read', () => {
	it('of an answer that drips without end ends at its deadline', async () => {
		server.behave(drip);
		const { error } = await bench.send({}, inMs(1000));
		expect(error?.message).toContain('did not end within 1 second');
	});

	it('that is never answered ends at its deadline', async () => {
		server.behave(staySilent);
		const { error } = await bench.send({}, inMs(1000));
		expect(error?.message).toContain('did not answer (it was silent for too long)');
		expect(server.requests).toHaveLength(1);
	});
});

describe('an execution that is canceled', () => {
	const EFFECT = { method: 'POST', idempotent: false, purpose: 'scan the URL' } as const;

	it.each([
		['a read without an answer', staySilent, {}],
		['a read whose answer drips', drip, {}],
		['a call with an effect without an answer', staySilent, EFFECT],
		['a call with an effect whose answer drips', drip, EFFECT],
	])('breaks off %s, and says so in the word n8n looks for', async (_, behaviour, call) => {
		const cancel = new AbortController();
		const own = await open({ signal: cancel.signal });
		server.behave((response, request) => {
			behaviour(response, request);
			afterwards(() => cancel.abort());
		});
		const { error } = await own.send(call);
		own.close();
		expect(error?.message).toContain('the execution was canceled while the call was on its way');
		expect(error?.description?.includes('It is not certain')).toBe(call === EFFECT);
		expect(server.requests).toHaveLength(1);
	});

	it('sends nothing more', async () => {
		const own = await open({ signal: AbortSignal.abort() });
		const { error } = await own.send({});
		own.close();
		expect(error?.message).toContain('canceled while the call waited to be sent');
		expect(server.requests).toHaveLength(0);
	});
});

it('leaves no listener behind at the signal of the execution', async () => {
	const { signal } = new AbortController();
	const own = await open({ signal });
	const counts = { added: 0, removed: 0 };
	const { addEventListener, removeEventListener } = signal;
	signal.addEventListener = (...values: Parameters<typeof addEventListener>) => {
		counts.added++;
		addEventListener.apply(signal, values);
	};
	signal.removeEventListener = (...values: Parameters<typeof removeEventListener>) => {
		counts.removed++;
		removeEventListener.apply(signal, values);
	};
	server.behave(answer(200, '{}'));
	for (let call = 0; call < 20; call++) await own.send({});
	own.close();
	expect(counts.added).toBeGreaterThan(0);
	expect(counts.removed).toBe(counts.added);
});
