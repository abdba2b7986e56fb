import { fraction } from '../../sandbox/deterministic.cts';
import { FakeClock } from '../../test/support/fakeClock.cts';
import {
	RateLimitedServer,
	type RateLimitedServerOptions,
} from '../../test/support/rateLimitedServer';
import { SimulatedWorker } from './simulatedWorker.cts';

const MINUTE_MS = 60_000;
/** Between the moments that are looked at for when the workers had settled. */
const STEP_MS = 5_000;
/** Latency of each way: 20 to 160 ms, so that answers overtake each other. */
const LATENCY_MS = { shortest: 20, longest: 160 };

/** What a minute must be like to count as settled. */
const SETTLED = { use: 0.85, refusals: 0.05 };

/** How well the limit was used for some time. */
export interface Use {
	/** Of the calls that the server would have accepted. */
	use: number;
	/** Refused calls for each accepted one. */
	refusals: number;
	/** Of each worker, in the accepted calls. */
	shares: number[];
}

export interface SharedServerOptions
	extends Pick<RateLimitedServerOptions, 'limit' | 'retryAfter'> {
	/** `callsPerMinute` of each worker. */
	workers: readonly number[];
	callsOfEach: number;
	seed: number;
}

/** A strict server on a simulated clock, and workers with a queue each that share its limit. */
export class SharedServer {
	readonly clock = new FakeClock();
	readonly server: RateLimitedServer;
	readonly workers: SimulatedWorker[];
	private draws = 0;

	constructor({ limit, retryAfter, workers, callsOfEach, seed }: SharedServerOptions) {
		const random = (): number => fraction(seed, this.draws++);
		const { shortest, longest } = LATENCY_MS;
		const oneWay = (): number => shortest + Math.floor((longest - shortest + 1) * random());
		const latency = () => ({ toCount: oneWay(), toAnswer: oneWay() });
		this.server = new RateLimitedServer({ clock: this.clock, limit, retryAfter, latency });
		this.workers = workers.map(
			(callsPerMinute) =>
				new SimulatedWorker({
					server: this.server,
					clock: this.clock,
					random,
					callsPerMinute,
					calls: callsOfEach,
				}),
		);
	}

	/** Goes on for some minutes and tells how the limit was used in them. */
	async goOn(minutes: number): Promise<Use> {
		const from = this.clock.now();
		await this.clock.advance(minutes * MINUTE_MS);
		return this.useIn(from, this.clock.now());
	}

	/** @param from in milliseconds of the clock, like `to` */
	private useIn(from: number, to: number): Use {
		const accepted = this.server.acceptedIn(to - from, to);
		const within = (time: number): boolean => time > from && time <= to;
		return {
			use: (accepted * MINUTE_MS) / ((to - from) * this.server.limit),
			refusals: this.server.refusedIn(to - from, to) / Math.max(1, accepted),
			shares: this.workers.map(
				({ answeredAt }) => answeredAt.filter(within).length / Math.max(1, accepted),
			),
		};
	}

	/**
	 * Milliseconds from `from` to the first minute in which the limit was used as it should be, and
	 * hardly exceeded; `undefined` when there has been none yet.
	 */
	settledAfterMs(from: number): number | undefined {
		for (let start = from; start + MINUTE_MS <= this.clock.now(); start += STEP_MS) {
			const { use, refusals } = this.useIn(start, start + MINUTE_MS);
			if (use >= SETTLED.use && refusals <= SETTLED.refusals) return start - from;
		}
		return undefined;
	}

	/** Goes on until every call has been answered, or never will be. */
	async finish(): Promise<void> {
		await this.clock.run();
	}
}
