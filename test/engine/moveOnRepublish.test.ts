import { ConsoleBench } from '../support/consoleBench.cts';
import { macrotask } from '../support/macrotask.cts';
import type { Ending, PersistenceMode } from '../support/engine/pollHarness.cts';
import { activeTrigger, batchesOf, heldWork } from '../support/moveOn.cts';

/** What becomes of a batch where the workflow is published, started over or restarted meanwhile. */

jest.setTimeout(30_000);

let bench: ConsoleBench;

beforeEach(async () => (bench = await ConsoleBench.open()));

afterEach(async () => await bench.close());

describe.each<PersistenceMode>(['default', 'durable'])('in %s mode', (mode) => {
	it('an activation does not wait for its batch, and does not deliver it twice', async () => {
		const ids = bench.append(5);
		const harness = await bench.trigger(mode, {
			startFrom: 'oldest',
			options: { moveOn: 'finished' },
		});
		let end: (ending: Ending) => void = () => {};
		harness.workflow = () => new Promise((resolve) => (end = resolve));
		await harness.activate();
		await bench.minutes(harness, 2);
		end('success');
		await bench.minutes(harness, 2);
		expect(batchesOf(harness)).toEqual([ids]);
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
		await bench.minutes(harness, 2);
		expect(batchesOf(harness)).toEqual([ids]);
	});

	it('a republish and overlapping polls do no harm', async () => {
		const harness = await activeTrigger(bench, mode, 'succeeded');
		const first = bench.append(5);
		await harness.overlappingTicks(3);
		await harness.update({ parameters: {} });
		const second = bench.append(5);
		const { workflow, end } = heldWork(bench.clock);
		harness.workflow = workflow;
		await bench.minutes(harness);
		await harness.update({ parameters: {} });
		await harness.overlappingTicks(3);
		end('success');
		harness.workflow = () => 'success';
		await harness.update({ parameters: {} });
		await bench.minutes(harness, 2);
		expect(batchesOf(harness)).toEqual([first, second]);
	});

	it('an execution from before a start over does not bring its position back', async () => {
		const options = { moveOn: 'finished', maxEntriesPerPoll: 5 };
		const harness = await bench.trigger(mode, { startFrom: 'oldest', options });
		await harness.activate();
		const batch = bench.append(5);
		const { workflow, end } = heldWork(bench.clock);
		harness.workflow = workflow;
		await bench.minutes(harness);
		harness.workflow = () => 'success';
		await harness.update({
			parameters: { startFrom: 'oldest', options: { ...options, startOver: 'again' } },
		});
		await bench.minutes(harness);
		end('success');
		await macrotask();
		await harness.restart();
		await bench.minutes(harness, 2);
		expect(batchesOf(harness)).toEqual([batch, batch]);
	});
});
