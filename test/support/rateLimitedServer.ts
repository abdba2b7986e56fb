import type { Attempt } from '../../transport/queue/callQueue';
import type { FakeClock } from './fakeClock.cts';

const MINUTE_MS = 60_000;

export interface RateLimitedServerOptions {
	clock: FakeClock;
	/** Calls accepted in any 60 s. */
	limit: number;
	/** Milliseconds from the sending of a call to its counting, and from there to its answer. */
	latency?: () => { toCount: number; toAnswer: number };
	/** What a refusal says; by default the time until the next call would be accepted. */
	retryAfter?: 'honest' | 'none' | number;
}

/** Accepts at most `limit` calls in any 60 s, both ends included, and refuses the others with 429. */
export class RateLimitedServer {
	limit: number;

	/** When each accepted call was counted. */
	readonly accepted: number[] = [];

	/** When each refused call was refused. */
	readonly refused: number[] = [];

	private oldest = 0;

	constructor(private readonly options: RateLimitedServerOptions) {
		this.limit = options.limit;
	}

	async call<T>(value: T): Promise<Attempt<T>> {
		const { clock, latency } = this.options;
		const { toCount, toAnswer } = latency?.() ?? { toCount: 20, toAnswer: 20 };
		await clock.sleep(toCount);
		const refusal = this.count(clock.now());
		await clock.sleep(toAnswer);
		return refusal ?? { kind: 'answered', value };
	}

	/** Calls accepted in the `span` milliseconds before `end`. */
	acceptedIn(span: number, end = this.options.clock.now()): number {
		return this.accepted.filter((time) => time > end - span && time <= end).length;
	}

	refusedIn(span: number, end = this.options.clock.now()): number {
		return this.refused.filter((time) => time > end - span && time <= end).length;
	}

	private count(now: number): { kind: 'refused'; retryAfterMs?: number } | undefined {
		while (this.accepted[this.oldest] < now - MINUTE_MS) this.oldest += 1;
		const inWindow = this.accepted.length - this.oldest;
		if (inWindow < this.limit) {
			this.accepted.push(now);
			return undefined;
		}
		this.refused.push(now);
		return { kind: 'refused', retryAfterMs: this.retryAfterMs(now, inWindow) };
	}

	private retryAfterMs(now: number, inWindow: number): number | undefined {
		const { retryAfter = 'honest' } = this.options;
		if (retryAfter === 'none') return undefined;
		if (retryAfter !== 'honest') return retryAfter;
		const lastInTheWay = this.accepted[this.oldest + inWindow - this.limit];
		return Math.ceil((lastInTheWay + MINUTE_MS + 1 - now) / 1000) * 1000;
	}
}
