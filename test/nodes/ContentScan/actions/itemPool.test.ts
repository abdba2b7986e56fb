import { runPool } from '../../../../nodes/ContentScan/actions/itemPool';
import type { Place } from '../../../../nodes/ContentScan/actions/itemPool';
import { macrotask } from '../support/macrotask.cts';

/** Tasks that end when the test says so. */
class Tasks {
	readonly started: number[] = [];
	readonly places: Place[] = [];
	private readonly ends: Array<{ resolve: (value: string) => void; reject: (e: unknown) => void }> =
		[];

	readonly run = async (index: number, place: Place): Promise<string> => {
		this.started.push(index);
		this.places[index] = place;
		return await new Promise((resolve, reject) => {
			this.ends[index] = { resolve, reject };
			place.signal.addEventListener('abort', () => reject(new Error(`${index} broken off`)));
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

const everyItem = { concurrency: 2, failFast: false };
const untilFailure = { concurrency: 3, failFast: true };

describe('the item pool', () => {
	it('runs so many tasks at a time, and starts them in order', async () => {
		const tasks = new Tasks();
		const outcome = runPool(4, everyItem, tasks.run);
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
		expect(await runPool(0, everyItem, new Tasks().run)).toMatchObject({ settled: [] });
	});

	it('gives the place of a task that only waits to the next one', async () => {
		const tasks = new Tasks();
		void runPool(5, everyItem, tasks.run);
		tasks.places[0].release();
		tasks.places[0].release();
		expect(tasks.started).toStrictEqual([0, 1, 2]);
		await tasks.succeed(0);
		expect(tasks.started).toStrictEqual([0, 1, 2]);
	});

	it('keeps each failure with its index when it is to go on', async () => {
		const tasks = new Tasks();
		const outcome = runPool(3, everyItem, tasks.run);
		await tasks.fail(1);
		await tasks.succeed(0);
		await tasks.fail(2);
		const { settled, failedAt } = await outcome;
		expect(failedAt).toBeUndefined();
		expect(settled).toMatchObject([
			{ ok: true },
			{ ok: false, error: { message: 'failed 1' } },
			{ ok: false, error: { message: 'failed 2' } },
		]);
	});
});

describe('after a failure that ends the run', () => {
	it('nothing new starts, and what comes later is broken off', async () => {
		const tasks = new Tasks();
		const outcome = runPool(10, untilFailure, tasks.run);
		await tasks.fail(0);
		expect(await outcome).toMatchObject({ failedAt: 0 });
		expect(tasks.started).toStrictEqual([0, 1, 2]);
		expect(tasks.places.map(({ signal }) => signal.aborted)).toStrictEqual([false, true, true]);
	});

	it('an earlier item is awaited, and is the first failure when it fails too', async () => {
		const tasks = new Tasks();
		const outcome = runPool(10, untilFailure, tasks.run);
		await tasks.fail(2);
		expect(tasks.places[0].signal.aborted).toBe(false);
		await tasks.succeed(0);
		await tasks.fail(1);
		const { failedAt, settled } = await outcome;
		expect(failedAt).toBe(1);
		expect(settled[0]).toMatchObject({ ok: true });
		expect(tasks.started).toStrictEqual([0, 1, 2]);
	});

	it('an earlier item that only waits is broken off', async () => {
		const tasks = new Tasks();
		const outcome = runPool(10, untilFailure, tasks.run);
		tasks.places[0].release();
		await tasks.fail(1);
		expect(await outcome).toMatchObject({ failedAt: 1, settled: [undefined, { ok: false }] });
	});

	it('an earlier item that begins to wait only then is broken off', async () => {
		const tasks = new Tasks();
		const outcome = runPool(10, untilFailure, tasks.run);
		await tasks.fail(1);
		tasks.places[0].release();
		expect(await outcome).toMatchObject({ failedAt: 1 });
	});
});

describe('a run that is cancelled', () => {
	it('starts nothing more and breaks off what runs', async () => {
		const cancel = new AbortController();
		const tasks = new Tasks();
		const outcome = runPool(9, { ...untilFailure, signal: cancel.signal }, tasks.run);
		cancel.abort();
		expect(await outcome).toStrictEqual({ settled: Array(9).fill(undefined), failedAt: undefined });
		expect(tasks.started).toStrictEqual([0, 1, 2]);
	});

	it('keeps what became of its items when it is to go on after failures', async () => {
		const cancel = new AbortController();
		const tasks = new Tasks();
		const outcome = runPool(3, { ...everyItem, signal: cancel.signal }, tasks.run);
		await tasks.succeed(0);
		cancel.abort();
		expect((await outcome).settled).toMatchObject([{ ok: true }, { ok: false }, { ok: false }]);
	});
});
