/** Time is passed in everywhere, so that a test sets it and never sleeps. */
export interface Clock {
	/** Milliseconds since the epoch. */
	now(): number;
	/** Resolves after `ms` milliseconds of this clock, earlier when `signal` aborts; never rejects. */
	sleep?(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The computer's own time. Its sleeps do not keep the process alive. */
export const systemClock: Clock = {
	now: () => Date.now(),
	sleep: (ms, signal) => realSleep(ms, signal),
};

/** Sleeps in real time, whatever clock the sandbox has. At most 2^31 - 1 ms. */
export async function realSleep(ms: number, signal?: AbortSignal): Promise<void> {
	if (signal?.aborted) return;
	await new Promise<void>((resolve) => {
		const timer = setTimeout(done, Math.min(ms, 2 ** 31 - 1));
		timer.unref();
		signal?.addEventListener('abort', done, { once: true });
		function done(): void {
			clearTimeout(timer);
			signal?.removeEventListener('abort', done);
			resolve();
		}
	});
}

/** A clock that stands still until it is moved. */
export class ManualClock implements Clock {
	private sleepers: Array<{ wakeAtMs: number; wake: () => void }> = [];

	/** @param currentMs Milliseconds since the epoch at which the clock begins. */
	constructor(private currentMs: number) {}

	now(): number {
		return this.currentMs;
	}

	/** Moves the clock forward and wakes those whose time has come, in order. */
	advance(ms: number): void {
		if (!(ms >= 0)) throw new RangeError('A clock only moves forward');
		this.currentMs += ms;
		const due = this.sleepers.filter((sleeper) => sleeper.wakeAtMs <= this.currentMs);
		this.sleepers = this.sleepers.filter((sleeper) => sleeper.wakeAtMs > this.currentMs);
		due.sort((a, b) => a.wakeAtMs - b.wakeAtMs).forEach((sleeper) => sleeper.wake());
	}

	/** Begins at another moment, an earlier one too; whoever still sleeps is forgotten. */
	restart(currentMs: number): void {
		this.currentMs = currentMs;
		this.sleepers = [];
	}

	async sleep(ms: number, signal?: AbortSignal): Promise<void> {
		if (ms <= 0 || signal?.aborted) return;
		await new Promise<void>((resolve) => {
			this.sleepers.push({ wakeAtMs: this.currentMs + ms, wake: resolve });
			signal?.addEventListener('abort', () => resolve(), { once: true });
		});
	}
}
