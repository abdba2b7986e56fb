/** What became of one task. */
export type Settled<Result> = { ok: true; value: Result } | { ok: false; error: unknown };

/** What a task gets: its own end, and a way to give its place to the next one. */
export interface Place {
	/** Aborts when the task must start no further call. */
	signal: AbortSignal;
	/** Frees the task's place before it has ended: from here on it only waits for others. */
	release(): void;
}

/** How tasks share the pool. */
export interface PoolOptions {
	/** How many tasks may hold a place at the same time. */
	concurrency: number;
	/** Whether the first task that does not succeed ends the run. */
	failFast: boolean;
	/** Ends the run from outside. */
	signal?: AbortSignal;
}

/** What became of all tasks. */
export interface PoolOutcome<Result> {
	/** By index; `undefined` for tasks that were not started or were broken off. */
	settled: Array<Settled<Result> | undefined>;
	/** Lowest index that did not succeed, where `failFast` ended the run. */
	failedAt?: number;
}

/**
 * Runs tasks side by side, started in order of their index.
 *
 * With `failFast` the outcome is that of a run one after the other, as far as it can be: after a
 * failure nothing new starts, what has a higher index or merely waits is broken off, and what has a
 * lower index is awaited, since it may fail too and is then the first failure.
 */
export async function runPool<Result>(
	count: number,
	options: PoolOptions,
	task: (index: number, place: Place) => Promise<Result>,
): Promise<PoolOutcome<Result>> {
	return await new Pool(count, options, task).run();
}

class Pool<Result> {
	private readonly settled: Array<Settled<Result> | undefined>;
	private readonly running = new Map<number, { end: AbortController; released: boolean }>();
	private next = 0;
	private held = 0;
	private failedAt?: number;
	private finish = () => {};

	constructor(
		private readonly count: number,
		private readonly options: PoolOptions,
		private readonly task: (index: number, place: Place) => Promise<Result>,
	) {
		this.settled = new Array<Settled<Result> | undefined>(count).fill(undefined);
	}

	async run(): Promise<PoolOutcome<Result>> {
		const { signal } = this.options;
		const cancel = () => this.running.forEach(({ end }) => end.abort());
		signal?.addEventListener('abort', cancel);
		await new Promise<void>((resolve) => {
			this.finish = resolve;
			this.fill();
		});
		signal?.removeEventListener('abort', cancel);
		return { settled: this.settled, failedAt: this.failedAt };
	}

	private fill(): void {
		const ended = () => this.failedAt !== undefined || this.options.signal?.aborted;
		while (!ended() && this.next < this.count && this.held < this.options.concurrency) {
			this.held++;
			void this.start(this.next++);
		}
		if (this.running.size === 0) this.finish();
	}

	private async start(index: number): Promise<void> {
		const entry = { end: new AbortController(), released: false };
		this.running.set(index, entry);
		const release = () => {
			if (entry.released) return;
			entry.released = true;
			this.held--;
			if (this.failedAt !== undefined) entry.end.abort();
			this.fill();
		};
		const outcome = await this.outcomeOf(index, { signal: entry.end.signal, release });
		this.running.delete(index);
		if (!entry.released) this.held--;
		const brokenOff = entry.end.signal.aborted && !outcome.ok;
		if (!brokenOff || !this.options.failFast) this.settled[index] = outcome;
		if (!outcome.ok && !brokenOff && this.options.failFast) this.failAt(index);
		this.fill();
	}

	private async outcomeOf(index: number, place: Place): Promise<Settled<Result>> {
		try {
			return { ok: true, value: await this.task(index, place) };
		} catch (error) {
			return { ok: false, error };
		}
	}

	private failAt(index: number): void {
		// Never above an earlier one: what comes after that was broken off.
		this.failedAt = index;
		for (const [other, { end, released }] of this.running) {
			if (released || other > index) end.abort();
		}
	}
}
