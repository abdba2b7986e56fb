import { CallQueue, type Attempt } from '../../transport/queue/callQueue';
import type { FakeClock } from '../../test/support/fakeClock.cts';
import type { RateLimitedServer } from '../../test/support/rateLimitedServer';

/** What must not happen to a call. */
export interface Harm {
	/** Calls that were never answered. */
	lost: number;
	/** Calls that were sent although they were answered or on the wire. */
	twice: number;
	/** Times that a call was sent while an earlier one waited. */
	overtaken: number;
}

export interface SimulatedWorkerOptions {
	server: RateLimitedServer;
	clock: FakeClock;
	random: () => number;
	callsPerMinute: number;
	calls: number;
}

type Stage = 'waiting' | 'onTheWire' | 'answered';

/** A process of its own with all its calls to make at once, through the real call queue. */
export class SimulatedWorker {
	/** When each answer came, in milliseconds of the clock. */
	readonly answeredAt: number[] = [];
	private readonly stages: Stage[];
	private firstUnanswered = 0;
	private twice = 0;
	private overtaken = 0;

	constructor(private readonly options: SimulatedWorkerOptions) {
		const { clock, random, callsPerMinute, calls } = options;
		this.stages = new Array<Stage>(calls).fill('waiting');
		const queue = new CallQueue({ callsPerMinute, clock, random });
		for (let number = 0; number < calls; number += 1) {
			void queue.run(async () => await this.send(number));
		}
	}

	get harm(): Harm {
		const lost = this.stages.filter((stage) => stage !== 'answered').length;
		return { lost, twice: this.twice, overtaken: this.overtaken };
	}

	private async send(number: number): Promise<Attempt<number>> {
		if (this.stages[number] !== 'waiting') this.twice += 1;
		this.stages[number] = 'onTheWire';
		if (this.stages.slice(this.firstUnanswered, number).includes('waiting')) this.overtaken += 1;
		const result = await this.options.server.call(number);
		this.stages[number] = result.kind === 'answered' ? 'answered' : 'waiting';
		if (result.kind === 'answered') this.answeredAt.push(this.options.clock.now());
		while (this.stages[this.firstUnanswered] === 'answered') this.firstUnanswered += 1;
		return result;
	}
}
