import { fraction } from '../../sandbox/deterministic.cts';
import { FakeClock } from '../../test/support/fakeClock.cts';
import {
	RateLimitedServer,
	type RateLimitedServerOptions,
} from '../../test/support/rateLimitedServer';
import { CallQueue, type Attempt } from '../../transport/queue/callQueue';

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

/** What must not happen to a call. */
export interface Harm {
	/** Calls that were never answered. */
	lost: number;
	/** Calls that were sent although they were answered or on the wire. */
	twice: number;
	/** Times that a call was sent while an earlier one waited. */
	overtaken: number;
}

export interface SimulationOptions extends Pick<RateLimitedServerOptions, 'limit' | 'retryAfter'> {
	/** `callsPerMinute` of each worker. */
	workers: readonly number[];
	/** Of each worker, all of them waiting from the start. */
	calls: number;
	seed: number;
}

/** A strict server on a simulated clock, and processes with a queue each that share its limit. */
export class Simulation {
	readonly clock = new FakeClock();
	readonly server: RateLimitedServer;
	readonly harm: Harm = { lost: 0, twice: 0, overtaken: 0 };
	private readonly answeredAt: number[][];

	constructor({ limit, retryAfter, workers, calls, seed }: SimulationOptions) {
		let draws = 0;
		const random = (): number => fraction(seed, draws++);
		const { shortest, longest } = LATENCY_MS;
		const oneWay = (): number => shortest + Math.floor((longest - shortest + 1) * random());
		const latency = () => ({ toCount: oneWay(), toAnswer: oneWay() });
		this.server = new RateLimitedServer({ clock: this.clock, limit, retryAfter, latency });
		this.answeredAt = workers.map((callsPerMinute) =>
			this.startWorker(new CallQueue({ callsPerMinute, clock: this.clock, random }), calls),
		);
	}

	/** When the last answer came, in milliseconds of the clock. */
	get lastAnswerAt(): number {
		return Math.max(...this.answeredAt.map((times) => times.at(-1) ?? 0));
	}

	/** Goes on for some minutes and tells how the limit was used in them. */
	async goOn(minutes: number): Promise<Use> {
		const from = this.clock.now();
		await this.clock.advance(minutes * MINUTE_MS);
		return this.useIn(from, this.clock.now());
	}

	/**
	 * Milliseconds from `from` to the first minute in which the limit was used as it should be, and
	 * hardly exceeded; `Infinity` when there has been none yet.
	 */
	settledAfterMs(from: number): number {
		for (let start = from; start + MINUTE_MS <= this.clock.now(); start += STEP_MS) {
			const { use, refusals } = this.useIn(start, start + MINUTE_MS);
			if (use >= SETTLED.use && refusals <= SETTLED.refusals) return start - from;
		}
		return Infinity;
	}

	private useIn(from: number, to: number): Use {
		const accepted = this.server.acceptedIn(to - from, to);
		const within = (time: number): boolean => time > from && time <= to;
		return {
			use: (accepted * MINUTE_MS) / ((to - from) * this.server.limit),
			refusals: this.server.refusedIn(to - from, to) / Math.max(1, accepted),
			shares: this.answeredAt.map((times) => times.filter(within).length / Math.max(1, accepted)),
		};
	}

	/** @returns when its calls were answered */
	private startWorker(queue: CallQueue, calls: number): number[] {
		const stages = new Array<'waiting' | 'onTheWire' | 'answered'>(calls).fill('waiting');
		const answeredAt: number[] = [];
		let firstUnanswered = 0;
		const send = async (number: number): Promise<Attempt<number>> => {
			if (stages[number] !== 'waiting') this.harm.twice += 1;
			stages[number] = 'onTheWire';
			if (stages.slice(firstUnanswered, number).includes('waiting')) this.harm.overtaken += 1;
			const result = await this.server.call(number);
			stages[number] = result.kind === 'answered' ? 'answered' : 'waiting';
			if (result.kind === 'answered') answeredAt.push(this.clock.now());
			while (stages[firstUnanswered] === 'answered') firstUnanswered += 1;
			return result;
		};
		this.harm.lost += calls;
		for (let number = 0; number < calls; number += 1) {
			void queue.run(async () => await send(number)).then(() => (this.harm.lost -= 1));
		}
		return answeredAt;
	}
}
