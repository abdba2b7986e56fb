import { sleep } from 'n8n-workflow';

/** Time is passed in, so that a test sets it and never sleeps. */
export interface Clock {
	/** Milliseconds since the epoch. It jumps when somebody sets the machine's clock. */
	now(): number;
	/** Whole milliseconds since some moment, for intervals: it never jumps. */
	monotonic(): number;
	/** Resolves after `ms` milliseconds, earlier when `signal` aborts; it never rejects. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The longest delay a timer of Node.js keeps; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** What a timer ends. */
interface Sleep {
	end?: () => void;
}

/** A timer's function that holds nothing else: older versions of n8n let one run on after an abort. */
function ringing(sleeping: Sleep): () => void {
	return () => sleeping.end?.();
}

/**
 * Resolves when `signal` aborts or n8n's timer ends. n8n's `sleep` takes a signal and rejects when it
 * aborts; in older versions of n8n it ignores the signal, hence the listener.
 */
async function sleepOnce(ms: number, signal: AbortSignal): Promise<void> {
	const sleeping: Sleep = {};
	const ring = ringing(sleeping);
	return await new Promise((resolve) => {
		const end = () => {
			signal.removeEventListener('abort', end);
			sleeping.end = undefined;
			resolve();
		};
		sleeping.end = end;
		signal.addEventListener('abort', end);
		sleep(ms, signal).then(ring, ring);
	});
}

/** The clock of the machine. Any length of sleep is kept, also above the 24.8 days of one timer. */
export const systemClock: Clock = {
	now: () => Date.now(),
	// Whole, as times that are worked out from it end up in positions and addresses.
	monotonic: () => Math.floor(performance.now()),
	async sleep(ms, signal) {
		for (let left = ms; left > 0 && !signal?.aborted; left -= LONGEST_TIMER_MS) {
			const step = Math.min(left, LONGEST_TIMER_MS);
			await (signal ? sleepOnce(step, signal) : sleep(step));
		}
	},
};
