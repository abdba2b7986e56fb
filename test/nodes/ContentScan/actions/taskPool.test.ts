import { runTasks } from '../../../../nodes/ContentScan/actions/taskPool';
import type { Slot } from '../../../../nodes/ContentScan/actions/taskPool';
import { macrotask } from '../../../support/macrotask.cts';

/** Tasks that end when the test says so. */
class Tasks {
	readonly started: number[] = [];
	readonly slots: Slot[] = [];
	private readonly ends: Array<{ resolve: (value: string) => void; reject: (e: unknown) => void }> =
		[];

	readonly run = async (index: number, slot: Slot): Promise<string> => {
		this.started.push(index);
		this.slots[index] = slot;
		return await new Promise((resolve, reject) => {
			this.ends[index] = { resolve, reject };
			slot.signal.addEventListener('abort', () => reject(new Error(`${index} broken off`)));
		});
	};

	async succeed(...indexes: number[]): Promise<void> {
		for (const index of indexes) this.ends[index].resolve(`done ${index}`);
		await macrotask();
	}

	async fail(index: number): Promise<void> {
		this.ends[index].reject(new Error(`failed ${index}`));
		await macrotask();
	}
}

const everyItem = { concurrency: 2, endsRun: () => false };
const untilFailure = { concurrency: 3, endsRun: () => true };

describe('the item pool', () => {
	it('runs so many tasks at a time, and starts them in order', async () => {
		const tasks = new Tasks();
		const outcome = runTasks(4, everyItem, tasks.run);
		expect(tasks.started).toStrictEqual([0, 1]);
		await tasks.succeed(1);
		expect(tasks.started).toStrictEqual([0, 1, 2]);
		await tasks.succeed(0, 2);
		await tasks.succeed(3);
		expect((await outcome).settled).toStrictEqual(
			[0, 1, 2, 3].map((index) => ({ ok: true, value: `done ${index}` })),
		);
	});

	it('is done at once with nothing to do', async () => {
		expect(await runTasks(0, everyItem, new Tasks().run)).toMatchObject({ settled: [] });
	});

	it('gives the place of a task that only waits to the next one', async () => {
		const tasks = new Tasks();
		void runTasks(5, everyItem, tasks.run);
		tasks.slots[0].release();
		tasks.slots[0].release();
		expect(tasks.started).toStrictEqual([0, 1, 2]);
		await tasks.succeed(0);
		expect(tasks.started).toStrictEqual([0, 1, 2]);
	});

	it('keeps each failure with its index when it is to go on', async () => {
		const tasks = new Tasks();
		const outcome = runTasks(3, everyItem, tasks.run);
		await tasks.fail(1);
		await tasks.succeed(0);
		await tasks.fail(2);
		const { settled, endedBy } = await outcome;
		expect(endedBy).toBeUndefined();
		expect(settled).toMatchObject([
			{ ok: true },
			{ ok: false, error: { message: 'failed 1' } },
			{ ok: false, error: { message: 'failed 2' } },
		]);
	});
});

describe('after a failure that ends the run', () => {
	it('nothing new starts, and what runs is broken off', async () => {
		const tasks = new Tasks();
		const outcome = runTasks(10, untilFailure, tasks.run);
		await tasks.fail(1);
		expect(await outcome).toMatchObject({ endedBy: 1 });
		expect(tasks.started).toStrictEqual([0, 1, 2]);
		expect(tasks.slots.map(({ signal }) => signal.aborted)).toStrictEqual([true, true, true]);
	});

	it('what became of the others is kept', async () => {
		const tasks = new Tasks();
		const outcome = runTasks(10, untilFailure, tasks.run);
		await tasks.succeed(0);
		await tasks.fail(2);
		const { settled } = await outcome;
		expect(settled.slice(0, 3)).toMatchObject([
			{ ok: true },
			{ ok: false, error: { message: '1 broken off' } },
			{ ok: false, error: { message: 'failed 2' } },
		]);
	});
});

it('a failure that does not end the run lets all others start and settle', async () => {
	const tasks = new Tasks();
	const endsRun = (error: unknown) => (error as Error).message !== 'failed 0';
	const outcome = runTasks(3, { concurrency: 1, endsRun }, tasks.run);
	await tasks.fail(0);
	await tasks.succeed(1);
	await tasks.succeed(2);
	expect(await outcome).toMatchObject({ endedBy: undefined, settled: [{ ok: false }, {}, {}] });
});

describe('a run that is cancelled', () => {
	it('starts nothing more and breaks off what runs', async () => {
		const cancel = new AbortController();
		const tasks = new Tasks();
		const outcome = runTasks(9, { ...untilFailure, signal: cancel.signal }, tasks.run);
		cancel.abort();
		expect((await outcome).settled.slice(3)).toStrictEqual(Array(6).fill(undefined));
		expect(tasks.started).toStrictEqual([0, 1, 2]);
	});

	it('keeps what became of its items when it is to go on after failures', async () => {
		const cancel = new AbortController();
		const tasks = new Tasks();
		const outcome = runTasks(3, { ...everyItem, signal: cancel.signal }, tasks.run);
		await tasks.succeed(0);
		cancel.abort();
		expect((await outcome).settled).toMatchObject([{ ok: true }, { ok: false }, { ok: false }]);
	});
});
