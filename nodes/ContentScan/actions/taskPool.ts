export type Settled<Result> = { ok: true; value: Result } | { ok: false; error: unknown };

/** What a task gets: its own end, and a way to let the next one begin. */
export interface Slot {
	/** Aborts when the task must start no further call. */
	signal: AbortSignal;
	/** Frees the task's concurrency slot before it has ended: from here on it only waits for others. */
	release(): void;
}

interface PoolOptions {
	/** How many tasks may hold a slot at the same time. */
	concurrency: number;
	/** Whether an error ends the run: nothing new starts, and what waits is broken off. */
	endsRun: (error: unknown) => boolean;
	signal?: AbortSignal;
}

export interface PoolOutcome<Result> {
	/** By index; `undefined` for tasks that were not started. */
	settled: Array<Settled<Result> | undefined>;
	/** Index of the task whose error ended the run. */
	endedBy?: number;
}

/** Runs tasks side by side, started in order of their index, until all have settled. */
export async function runTasks<Result>(
	count: number,
	{ concurrency, endsRun, signal }: PoolOptions,
	task: (index: number, slot: Slot) => Promise<Result>,
): Promise<PoolOutcome<Result>> {
	const settled = new Array<Settled<Result> | undefined>(count).fill(undefined);
	const running = new Set<AbortController>();
	let endedBy: number | undefined;
	let next = 0;
	let slotsTaken = 0;
	const isOver = () => next === count || endedBy !== undefined || signal?.aborted === true;
	const breakOff = () => running.forEach((controller) => controller.abort());
	signal?.addEventListener('abort', breakOff);
	await new Promise<void>((finish) => {
		const fill = () => {
			while (!isOver() && slotsTaken < concurrency) void run(next++);
			if (running.size === 0) finish();
		};
		const run = async (index: number) => {
			const controller = new AbortController();
			running.add(controller);
			slotsTaken++;
			let holdsSlot = true;
			const release = () => {
				if (!holdsSlot) return;
				holdsSlot = false;
				slotsTaken--;
				fill();
			};
			const outcome = await outcomeOf(task(index, { signal: controller.signal, release }));
			settled[index] = outcome;
			if (!outcome.ok && endedBy === undefined && endsRun(outcome.error)) {
				endedBy = index;
				breakOff();
			}
			running.delete(controller);
			release();
			fill();
		};
		fill();
	});
	signal?.removeEventListener('abort', breakOff);
	return { settled, endedBy };
}

async function outcomeOf<Result>(task: Promise<Result>): Promise<Settled<Result>> {
	return await task.then(
		(value) => ({ ok: true, value }),
		(error: unknown) => ({ ok: false, error }),
	);
}
