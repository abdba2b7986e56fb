import type { MoveOn } from '../../nodes/common/polling/moveOn';
import { ConsoleBench, idsOf } from '../support/consoleBench.cts';
import type { Ending, PersistenceMode } from '../support/engine/pollHarness.cts';
import { activeTrigger, batchesOf, heldWork, longWork } from '../support/moveOn.cts';

/** What becomes of a batch, by how its execution ends, in n8n's poll executor and in both its modes. */

jest.setTimeout(30_000);

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let bench: ConsoleBench;

beforeEach(async () => (bench = await ConsoleBench.open()));

afterEach(async () => await bench.close());

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
			const harness = await activeTrigger(bench, mode, moveOn);
			const first = bench.append(5);
			let count = 0;
			harness.workflow = () => (count++ === 0 ? ending : 'success');
			await bench.minutes(harness);
			const late = bench.append(3);
			await bench.minutes(harness, 2);

			expect(batchesOf(harness)).toEqual(is ? [first, late] : [first, first, late]);
			await harness.restart();
			await bench.minutes(harness, 2);
			expect(batchesOf(harness)).toHaveLength(is ? 2 : 3);
			expect(harness.errors).toEqual([]);
		},
	);

	it.each<MoveOn>(['finished', 'succeeded'])(
		'%s: n8n is killed at work: the batch comes again',
		async (moveOn) => {
			const harness = await activeTrigger(bench, mode, moveOn);
			const first = bench.append(5);
			harness.workflow = () => {
				bench.clock.advance(10 * MINUTE);
				harness.kill();
				return 'success';
			};
			await bench.minutes(harness);
			harness.workflow = () => 'success';
			const later = bench.append(3);
			await harness.restart();
			await bench.minutes(harness, 2);

			expect(batchesOf(harness)).toEqual([first, first, later]);
		},
	);

	it('one batch at a time: a workflow that takes long holds the next batch back', async () => {
		const harness = await activeTrigger(bench, mode, 'finished');
		const first = bench.append(5);
		const { workflow, end } = heldWork(bench.clock);
		harness.workflow = workflow;
		await bench.minutes(harness);
		const second = bench.append(5);
		const calls = bench.calls().length;
		await bench.minutes(harness, 5);
		expect(batchesOf(harness)).toEqual([first]);
		expect(bench.calls()).toHaveLength(calls);

		harness.workflow = () => 'success';
		end('success');
		await bench.minutes(harness, 2);
		expect(batchesOf(harness)).toEqual([first, second]);
		await harness.restart();
		await bench.minutes(harness, 2);
		expect(batchesOf(harness)).toEqual([first, second]);
	});

	it('an execution of which n8n never tells holds nothing back after a day', async () => {
		const harness = await activeTrigger(bench, mode, 'finished');
		const first = bench.append(5);
		harness.workflow = longWork(bench.clock, 'never');
		await bench.minutes(harness);
		bench.clock.advance(23 * HOUR);
		await bench.minutes(harness);
		expect(batchesOf(harness)).toEqual([first]);
		harness.workflow = () => 'success';
		bench.clock.advance(HOUR);
		await bench.minutes(harness, 2);
		expect(batchesOf(harness)).toEqual([first, first]);
	});

	it('a backlog drains in one poll where the workflow is quick', async () => {
		const harness = await activeTrigger(bench, mode, 'succeeded', { maxEntriesPerPoll: 100 });
		const ids = bench.append(1000);
		await bench.minutes(harness);

		expect(batchesOf(harness).length).toBeGreaterThanOrEqual(10);
		expect(idsOf(harness)).toEqual(ids);
		await harness.restart();
		await bench.minutes(harness, 2);
		expect(idsOf(harness)).toEqual(ids);
	});

	it('in default mode one execution without items stores that a batch is delivered', async () => {
		const harness = await activeTrigger(bench, mode, 'finished', { maxEntriesPerPoll: 100 });
		bench.append(250);
		await bench.minutes(harness, 3);

		const empty = harness.executions.filter(({ items }) => items.length === 0);
		expect(empty).toHaveLength(mode === 'default' ? 1 : 0);
		expect(batchesOf(harness)).toHaveLength(3);
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
	const harness = await activeTrigger(bench, 'default', 'finished');
	const first = bench.append(5);
	const before = harness.snapshot();
	await bench.minutes(harness);
	const second = bench.append(5);
	harness.rewind(before);
	await harness.restart();
	await bench.minutes(harness, 2);
	expect([...new Set(idsOf(harness))]).toEqual([...first, ...second]);
});

it('durable: what a poll hands over after n8n waits for it no longer starts nothing, and comes again', async () => {
	const harness = await activeTrigger(bench, 'durable', 'finished');
	const ids = bench.append(5);
	bench.clock.advance(MINUTE);
	await harness.tick({ abandoned: true });
	expect(idsOf(harness)).toEqual([]);
	await bench.minutes(harness, 2);
	expect(idsOf(harness)).toEqual(ids);
});
