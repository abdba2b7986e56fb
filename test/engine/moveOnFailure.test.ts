import { ConsoleBench, idsOf } from '../support/consoleBench.cts';
import { macrotask } from '../support/macrotask.cts';
import type { PersistenceMode } from '../support/engine/pollHarness.cts';
import { activeTrigger, batchesOf, heldWork } from '../support/moveOn.cts';

/** What becomes of a batch whose execution failed, or that the console cannot give again. */

jest.setTimeout(30_000);

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let bench: ConsoleBench;

beforeEach(async () => (bench = await ConsoleBench.open()));

afterEach(async () => await bench.close());

describe.each<PersistenceMode>(['default', 'durable'])('in %s mode', (mode) => {
	it('succeeded: a failing workflow gets the same batch again, with pauses that grow, and n8n is told', async () => {
		const harness = await activeTrigger(bench, mode, 'succeeded');
		const batch = bench.append(5);
		harness.workflow = () => 'error';
		await bench.minutes(harness);
		bench.append(7);
		await bench.minutes(harness);
		expect(harness.errors).toEqual([]);
		await bench.minutes(harness);
		expect(harness.errors).toHaveLength(1);
		expect(harness.errors[0].message).toMatch(
			/On the same batch, the workflow did not succeed 3 times/,
		);
		expect(harness.errors[0].failure).toMatchObject({ retryAfterMs: MINUTE });
		expect(batchesOf(harness)).toEqual([batch, batch, batch]);

		const at: number[] = [];
		harness.workflow = () => {
			at.push(bench.clock.now());
			return 'error';
		};
		await bench.minutes(harness, 400);
		const pauses = at.map((time, index) => (time - (at[index - 1] ?? time)) / MINUTE).slice(1);
		expect(pauses.slice(0, 8)).toEqual([2, 4, 8, 16, 32, 60, 60, 60]);
		expect(harness.errors).toHaveLength(1 + at.length);

		harness.workflow = () => 'success';
		await bench.minutes(harness, 61);
		expect(new Set(idsOf(harness)).size).toBe(12);
	});

	it('succeeded: a batch that keeps failing does not keep the mended workflow from being published', async () => {
		const harness = await activeTrigger(bench, mode, 'succeeded');
		const batch = bench.append(5);
		const { workflow, end } = heldWork(bench.clock);
		harness.workflow = workflow;
		for (let failures = 1; failures <= 3; failures++) {
			await bench.minutes(harness);
			end('error');
			await macrotask();
		}
		harness.workflow = () => 'success';
		await harness.update({ parameters: {} });
		expect(harness.errors).toEqual([]);
		await bench.minutes(harness, 2);
		expect(batchesOf(harness)).toEqual([batch, batch, batch, batch]);
	});

	it('succeeded: a failing workflow gets the same batch again after a restart, and the pause too', async () => {
		const harness = await activeTrigger(bench, mode, 'succeeded');
		const batch = bench.append(5);
		harness.workflow = () => 'error';
		await bench.minutes(harness, 2);
		await harness.restart();
		bench.append(7);
		if (mode === 'durable') await harness.tick();
		expect(batchesOf(harness)).toEqual([batch, batch, batch]);
		await harness.restart();
		await harness.tick();
		expect(batchesOf(harness)).toHaveLength(3);
		await bench.minutes(harness);
		expect(batchesOf(harness)).toEqual([batch, batch, batch, batch]);
	});

	it('a redelivery holds what appeared late before its end, and nothing after it', async () => {
		const harness = await activeTrigger(bench, mode, 'succeeded');
		const first = bench.append(5);
		harness.workflow = () => 'error';
		await bench.minutes(harness);
		const late = bench.sandbox.append([{ at: bench.clock.now() - MINUTE - 1500 }]).map(String);
		const later = bench.append(2);
		harness.workflow = () => 'success';
		await bench.minutes(harness, 2);
		const [, again, rest] = batchesOf(harness);
		expect([...again].sort()).toEqual([...first, ...late].sort());
		expect(rest).toEqual(later);
	});

	it('goes on where a batch that failed is gone from the console', async () => {
		const harness = await activeTrigger(bench, mode, 'succeeded');
		bench.append(5);
		harness.workflow = () => 'error';
		await bench.minutes(harness);
		bench.clock.advance(370 * 24 * HOUR);
		harness.workflow = () => 'success';
		const later = bench.append(2);
		await bench.minutes(harness);
		expect(batchesOf(harness).at(-1)).toEqual(later);
		expect(harness.errors).toEqual([]);
	});

	it('a console that fails behind a delivered batch does not bring that batch again', async () => {
		const harness = await activeTrigger(bench, mode, 'finished', {
			maxEntriesPerPoll: 100,
			pageSize: 100,
		});
		const ids = bench.append(200);
		bench.sandbox.faults.add({ service: 'console', nth: 2, times: 2, status: 401 });
		await bench.minutes(harness);
		await harness.restart().catch(() => {});
		await harness.restart();
		await bench.minutes(harness, 2);
		expect(idsOf(harness)).toEqual(ids);
	});
});
