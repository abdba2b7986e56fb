import { sleep } from 'n8n-workflow';

/** Time is passed in, so that a test sets it and never sleeps. */
export interface Clock {
	/** Milliseconds since the epoch. */
	now(): number;
	/** Resolves after `ms` milliseconds, earlier when `signal` aborts; it never rejects. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** No timer fires so much too early. */
const EARLY_TIMER_MS = 1_000;

/** The longest delay a timer of Node.js keeps; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Resolves when `signal` aborts or n8n's timer ends. n8n's `sleep` takes a signal and rejects when it
 * aborts; in older versions of n8n it ignores the signal, hence the listener.
 */
async function sleepOnce(ms: number, signal: AbortSignal): Promise<void> {
	return await new Promise((resolve) => {
		const end = () => {
			signal.removeEventListener('abort', end);
			resolve();
		};
		signal.addEventListener('abort', end);
		sleep(ms, signal).then(end, end);
	});
}

/** The clock of the machine. Any length of sleep is kept, also above the 24.8 days of one timer. */
export const systemClock: Clock = {
	now: () => Date.now(),
	async sleep(ms, signal) {
		for (let left = ms; left > 0 && !signal?.aborted; left -= LONGEST_TIMER_MS) {
			const step = Math.min(left, LONGEST_TIMER_MS);
			await (signal ? sleepOnce(step, signal) : sleep(step));
		}
	},
};

/**
 * A clock that does not step back when the machine's clock is set back, so that no pause grows by
 * what the clock was set back. Its readings are good for differences only.
 */
export class SteadyTime {
	private lastReading: number;

	private setBackMs = 0;

	constructor(private readonly clock: Clock) {
		this.lastReading = clock.now();
	}

	/** Milliseconds; never less than the reading before. */
	now(): number {
		const reading = this.clock.now();
		this.setBackMs += Math.max(0, this.lastReading - reading);
		this.lastReading = reading;
		return reading + this.setBackMs;
	}

	/**
	 * A sleep until `time` has ended by itself. A clock that is still far from there was set back;
	 * a timer alone is at most a few milliseconds early.
	 */
	onSlept(time: number): void {
		const missingMs = time - this.now();
		if (missingMs > EARLY_TIMER_MS) this.setBackMs += missingMs;
	}

	/** A time of the machine's clock, as the steady clock will read at that moment. */
	at(time: number): number {
		return this.now() + (time - this.lastReading);
	}
}
