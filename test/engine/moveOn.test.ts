import { ConsoleBench, idsOf } from '../support/consoleBench.cts';
import { macrotask } from '../support/macrotask.cts';
import type { Ending, PersistenceMode, PollHarness } from '../support/engine/pollHarness.cts';

/** What becomes of a batch, by how its execution ends, in n8n's poll executor and in both its modes. */

jest.setTimeout(30_000);

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let bench: ConsoleBench;

beforeEach(async () => (bench = await ConsoleBench.open()));

afterEach(async () => await bench.close());

type MoveOn = 'handedOver' | 'finished' | 'succeeded';

async function active(mode: PersistenceMode, moveOn: MoveOn, options: object = {}) {
	const parameters = { startFrom: 'oldest', options: { moveOn, ...options } };
	const harness = await bench.trigger(mode, parameters);
	await harness.activate();
	return harness;
}

async function ticks(harness: PollHarness, count: number): Promise<void> {
	for (let tick = 0; tick < count; tick++) {
		bench.clock.advance(MINUTE);
		await harness.tick();
	}
}

/** The ids of each execution that has items. */
const batches = (harness: PollHarness) =>
	harness.executions
		.map(({ items }) => items.map(({ auditlogId }) => String(auditlogId)))
		.filter((ids) => ids.length > 0);

/** Longer than a poll waits. */
function longWork(ending: Ending): () => Ending {
	return () => {
		bench.clock.advance(10 * MINUTE);
		return ending;
	};
}

describe.each<PersistenceMode>(['default', 'durable'])('in %s mode', (mode) => {
	const delivered: Array<[MoveOn, Ending[]]> = [
		['finished', ['success', 'waiting', 'error', 'stopped', 'timedOut']],
		['succeeded', ['success', 'waiting']],
	];
	const endings: Ending[] = [
		...(['success', 'error', 'waiting', 'deadWorker'] as const),
		...(['stopped', 'timedOut', 'shutdown'] as const),
	];
	const table = delivered.flatMap(([moveOn, ends]) =>
		endings.map((ending): [MoveOn, Ending, boolean] => [moveOn, ending, ends.includes(ending)]),
	);

	it.each(table)(
		'%s: an execution that ends as %s has delivered: %s',
		async (moveOn, ending, is) => {
			const harness = await active(mode, moveOn);
			const first = bench.append(5);
			let count = 0;
			harness.workflow = () => (count++ === 0 ? ending : 'success');
			await ticks(harness, 1);
			const late = bench.append(3);
			await ticks(harness, 2);

			expect(batches(harness)).toEqual(is ? [first, late] : [first, first, late]);
			await harness.restart();
			await ticks(harness, 2);
			expect(batches(harness)).toHaveLength(is ? 2 : 3);
			expect(harness.errors).toEqual([]);
		},
	);

	it.each<MoveOn>(['finished', 'succeeded'])(
		'%s: n8n is killed at work: the batch comes again',
		async (moveOn) => {
			const harness = await active(mode, moveOn);
			const first = bench.append(5);
			harness.workflow = () => {
				bench.clock.advance(10 * MINUTE);
				harness.kill();
				return 'success';
			};
			await ticks(harness, 1);
			harness.workflow = () => 'success';
			const later = bench.append(3);
			await harness.restart();
			await ticks(harness, 2);

			expect(batches(harness)).toEqual([first, first, later]);
		},
	);

	it('one batch at a time: a workflow that takes long holds the next batch back', async () => {
		const harness = await active(mode, 'finished');
		const first = bench.append(5);
		let end: (ending: Ending) => void = () => {};
		harness.workflow = () => {
			bench.clock.advance(10 * MINUTE);
			return new Promise((resolve) => (end = resolve));
		};
		await ticks(harness, 1);
		const second = bench.append(5);
		const calls = bench.calls().length;
		await ticks(harness, 5);
		expect(batches(harness)).toEqual([first]);
		expect(bench.calls()).toHaveLength(calls);

		harness.workflow = () => 'success';
		end('success');
		await ticks(harness, 2);
		expect(batches(harness)).toEqual([first, second]);
		await harness.restart();
		await ticks(harness, 2);
		expect(batches(harness)).toEqual([first, second]);
	});

	it('an execution of which n8n never tells holds nothing back after a day', async () => {
		const harness = await active(mode, 'finished');
		const first = bench.append(5);
		harness.workflow = longWork('never');
		await ticks(harness, 1);
		bench.clock.advance(23 * HOUR);
		await ticks(harness, 1);
		expect(batches(harness)).toEqual([first]);
		harness.workflow = () => 'success';
		bench.clock.advance(HOUR);
		await ticks(harness, 2);
		expect(batches(harness)).toEqual([first, first]);
	});

	it('a backlog drains in one poll where the workflow is quick', async () => {
		const harness = await active(mode, 'succeeded', { maxEntriesPerPoll: 100 });
		const ids = bench.append(1000);
		await ticks(harness, 1);

		expect(batches(harness).length).toBeGreaterThanOrEqual(10);
		expect(idsOf(harness)).toEqual(ids);
		await harness.restart();
		await ticks(harness, 2);
		expect(idsOf(harness)).toEqual(ids);
	});

	it('in default mode one execution without items stores that a batch is delivered', async () => {
		const harness = await active(mode, 'finished', { maxEntriesPerPoll: 100 });
		bench.append(250);
		await ticks(harness, 3);

		const empty = harness.executions.filter(({ items }) => items.length === 0);
		expect(empty).toHaveLength(mode === 'default' ? 1 : 0);
		expect(batches(harness)).toHaveLength(3);
	});

	it('an activation does not wait for its batch, and does not deliver it twice', async () => {
		const ids = bench.append(5);
		const harness = await bench.trigger(mode, {
			startFrom: 'oldest',
			options: { moveOn: 'finished' },
		});
		let end: (ending: Ending) => void = () => {};
		harness.workflow = () => new Promise((resolve) => (end = resolve));
		await harness.activate();
		await ticks(harness, 2);
		end('success');
		await ticks(harness, 2);
		expect(batches(harness)).toEqual([ids]);
	});

	it('what an activation handed over does not come again after an orderly restart', async () => {
		const ids = bench.append(5);
		const parameters = { startFrom: 'oldest', options: { moveOn: 'finished' } };
		const harness = await bench.trigger(mode, parameters);
		let end: (ending: Ending) => void = () => {};
		harness.workflow = ({ items }) =>
			items.length === 0 ? 'success' : new Promise((resolve) => (end = resolve));
		await harness.activate();
		end('success');
		// Until what follows from it has happened.
		await harness.manual();
		await harness.restart();
		await ticks(harness, 2);
		expect(batches(harness)).toEqual([ids]);
	});

	it('a republish and overlapping polls do no harm', async () => {
		const harness = await active(mode, 'succeeded');
		const first = bench.append(5);
		await harness.overlappingTicks(3);
		await harness.update({ parameters: {} });
		const second = bench.append(5);
		let end: (ending: Ending) => void = () => {};
		harness.workflow = () => {
			bench.clock.advance(10 * MINUTE);
			return new Promise((resolve) => (end = resolve));
		};
		await ticks(harness, 1);
		await harness.update({ parameters: {} });
		await harness.overlappingTicks(3);
		end('success');
		harness.workflow = () => 'success';
		await harness.update({ parameters: {} });
		await ticks(harness, 2);
		expect(batches(harness)).toEqual([first, second]);
	});

	it('an execution from before a start over does not bring its position back', async () => {
		const options = { moveOn: 'finished', maxEntriesPerPoll: 5 };
		const harness = await bench.trigger(mode, { startFrom: 'oldest', options });
		await harness.activate();
		const batch = bench.append(5);
		let end: (ending: Ending) => void = () => {};
		harness.workflow = () => {
			bench.clock.advance(10 * MINUTE);
			return new Promise((resolve) => (end = resolve));
		};
		await ticks(harness, 1);
		harness.workflow = () => 'success';
		await harness.update({
			parameters: { startFrom: 'oldest', options: { ...options, startOver: 'again' } },
		});
		await ticks(harness, 1);
		end('success');
		await macrotask();
		await harness.restart();
		await ticks(harness, 2);
		expect(batches(harness)).toEqual([batch, batch]);
	});

	it('succeeded: a failing workflow gets the same batch again, with pauses that grow, and n8n is told', async () => {
		const harness = await active(mode, 'succeeded');
		const batch = bench.append(5);
		harness.workflow = () => 'error';
		await ticks(harness, 1);
		bench.append(7);
		await ticks(harness, 1);
		expect(harness.errors).toEqual([]);
		await ticks(harness, 1);
		expect(harness.errors).toHaveLength(1);
		expect(harness.errors[0].message).toMatch(/did not succeed with the same batch, 3 times/);
		expect(harness.errors[0].failure).toMatchObject({ retryAfterMs: MINUTE });
		expect(batches(harness)).toEqual([batch, batch, batch]);

		const at: number[] = [];
		harness.workflow = () => {
			at.push(bench.clock.now());
			return 'error';
		};
		await ticks(harness, 400);
		const pauses = at.map((time, index) => (time - (at[index - 1] ?? time)) / MINUTE).slice(1);
		expect(pauses.slice(0, 8)).toEqual([2, 4, 8, 16, 32, 60, 60, 60]);
		expect(harness.errors).toHaveLength(1 + at.length);

		harness.workflow = () => 'success';
		await ticks(harness, 61);
		expect(new Set(idsOf(harness)).size).toBe(12);
	});

	it('succeeded: a batch that keeps failing does not keep the mended workflow from being published', async () => {
		const harness = await active(mode, 'succeeded');
		const batch = bench.append(5);
		let end: (ending: Ending) => void = () => {};
		harness.workflow = () => {
			bench.clock.advance(10 * MINUTE);
			return new Promise((resolve) => (end = resolve));
		};
		for (let failures = 1; failures <= 3; failures++) {
			await ticks(harness, 1);
			end('error');
			await macrotask();
		}
		harness.workflow = () => 'success';
		await harness.update({ parameters: {} });
		expect(harness.errors).toEqual([]);
		await ticks(harness, 2);
		expect(batches(harness)).toEqual([batch, batch, batch, batch]);
	});

	it('succeeded: a failing workflow gets the same batch again after a restart, and the pause too', async () => {
		const harness = await active(mode, 'succeeded');
		const batch = bench.append(5);
		harness.workflow = () => 'error';
		await ticks(harness, 2);
		await harness.restart();
		bench.append(7);
		if (mode === 'durable') await harness.tick();
		expect(batches(harness)).toEqual([batch, batch, batch]);
		await harness.restart();
		await harness.tick();
		expect(batches(harness)).toHaveLength(3);
		await ticks(harness, 1);
		expect(batches(harness)).toEqual([batch, batch, batch, batch]);
	});

	it('a redelivery holds what appeared late before its end, and nothing after it', async () => {
		const harness = await active(mode, 'succeeded');
		const first = bench.append(5);
		harness.workflow = () => 'error';
		await ticks(harness, 1);
		const late = bench.sandbox.append([{ at: bench.clock.now() - MINUTE - 1500 }]).map(String);
		const later = bench.append(2);
		harness.workflow = () => 'success';
		await ticks(harness, 2);
		const [, again, rest] = batches(harness);
		expect([...again].sort()).toEqual([...first, ...late].sort());
		expect(rest).toEqual(later);
	});

	it('goes on where a batch that failed is gone from the console', async () => {
		const harness = await active(mode, 'succeeded');
		bench.append(5);
		harness.workflow = () => 'error';
		await ticks(harness, 1);
		bench.clock.advance(370 * 24 * HOUR);
		harness.workflow = () => 'success';
		const later = bench.append(2);
		await ticks(harness, 1);
		expect(batches(harness).at(-1)).toEqual(later);
		expect(harness.errors).toEqual([]);
	});

	it('a console that fails behind a delivered batch does not bring that batch again', async () => {
		const harness = await active(mode, 'finished', { maxEntriesPerPoll: 100, pageSize: 100 });
		const ids = bench.append(200);
		bench.sandbox.faults.add({ service: 'console', nth: 2, times: 2, status: 403 });
		await ticks(harness, 1);
		await harness.restart().catch(() => {});
		await harness.restart();
		await ticks(harness, 2);
		expect(idsOf(harness)).toEqual(ids);
	});
});

it('is refused where n8n lets no poll start an execution', async () => {
	const { core } = (await import('../support/engine/engine.cts')).engine();
	const harness = await bench.trigger('default', { options: { moveOn: 'finished' } });
	const { getNodeParameter } = core.PollContext.prototype;
	jest.spyOn(core.PollContext.prototype, 'getNodeParameter').mockImplementation(function (
		this: object,
		...args
	) {
		Reflect.set(this, '__emit', undefined);
		return getNodeParameter.apply(this as never, args) as never;
	});
	await expect(harness.activate()).rejects.toThrow("'Move On When' cannot wait");
	jest.restoreAllMocks();
});

it('default: a position put back by another execution brings entries again, and loses none', async () => {
	const harness = await active('default', 'finished');
	const first = bench.append(5);
	const before = harness.snapshot();
	await ticks(harness, 1);
	const second = bench.append(5);
	harness.rewind(before);
	await harness.restart();
	await ticks(harness, 2);
	expect([...new Set(idsOf(harness))]).toEqual([...first, ...second]);
});

it('durable: what a poll hands over after n8n waits for it no longer starts nothing, and comes again', async () => {
	const harness = await active('durable', 'finished');
	const ids = bench.append(5);
	bench.clock.advance(MINUTE);
	await harness.tick({ abandoned: true });
	expect(idsOf(harness)).toEqual([]);
	await ticks(harness, 2);
	expect(idsOf(harness)).toEqual(ids);
});
