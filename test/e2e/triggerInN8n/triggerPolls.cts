import { duration } from '../../../scripts/progress.cts';

const LIST_ANSWERED = /^GET \/api\/(admin-audit-log-entries|v1\/scans\/list\/) 200$/;

/** Calls closer together than this are pages of one poll. */
const SAME_POLL_MS = 1_000;

interface Waiter {
	poll: number;
	delayMs: number;
	resolve: () => void;
	timer?: NodeJS.Timeout;
}

/** Sees the polls of one trigger as its service sees them. */
export class TriggerPolls {
	private count = 0;
	private lastAnswerMs = 0;
	private readonly waiters = new Set<Waiter>();

	/** To be given every line of the sandbox's log. */
	readonly note = (line: string): void => {
		if (!LIST_ANSWERED.test(line)) return;
		const now = Date.now();
		if (now - this.lastAnswerMs > SAME_POLL_MS) this.count += 1;
		this.lastAnswerMs = now;
		for (const waiter of this.waiters) {
			if (this.count < waiter.poll) continue;
			clearTimeout(waiter.timer);
			waiter.timer = setTimeout(waiter.resolve, waiter.delayMs);
		}
	};

	/** When the service last answered, in milliseconds since the epoch. */
	get lastAnswer(): number {
		return this.lastAnswerMs;
	}

	/**
	 * Resolves so long after the last answer of the poll that is the `nth` from now on.
	 * @throws Error when it does not come within `withinMs`
	 */
	async afterPoll(nth: number, delayMs: number, withinMs: number): Promise<void> {
		const patience = new AbortController();
		const waiter: Waiter = { poll: this.count + nth, delayMs, resolve: () => {} };
		try {
			await new Promise<void>((resolve, reject) => {
				waiter.resolve = resolve;
				this.waiters.add(waiter);
				const late = new Error(`n8n did not poll ${nth} times within ${duration(withinMs)}.`);
				const timer = setTimeout(() => reject(late), withinMs);
				patience.signal.addEventListener('abort', () => clearTimeout(timer));
			});
		} finally {
			patience.abort();
			clearTimeout(waiter.timer);
			this.waiters.delete(waiter);
		}
	}
}
