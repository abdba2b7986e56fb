import { AbortWatch } from './abortWatch';
import { CallRate } from './callRate';
import { SteadyTime, type Clock } from './clock';
import { PriorityQueue } from './priorityQueue';
import { SlidingWindow } from './slidingWindow';

/**
 * How long a call counts after its answer. The service counts a call at some moment before its
 * answer, so that after a minute it has forgotten it; the rest is for clocks that run differently.
 */
const PLACE_MS = 60_000 + 50;

const FIRST_BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 60_000;

/** What came of sending a call once. */
export type Attempt<T> =
	| { kind: 'answered'; value: T }
	/** Status 429. `retryAfterMs` is what the service asked to wait, in milliseconds. */
	| { kind: 'refused'; retryAfterMs?: number };

/** The call left the queue without an answer. */
export type Left =
	/**
	 * Its deadline came, or was certain to come, before its turn. `retryAfterMs`: how long it will take
	 * at least until the service can be called again.
	 */
	| { kind: 'expired'; waitedMs: number; retryAfterMs: number; refusals: number }
	/** Its signal aborted while it waited. */
	| { kind: 'cancelled'; waitedMs: number };

/** `waitedMs` is the time spent waiting for a turn, without the time on the wire. */
export type Outcome<T> = { kind: 'answered'; value: T; waitedMs: number; refusals: number } | Left;

export interface CallQueueOptions {
	/** Calls in any 60 s (interface.md, Limits), at least 1; without it only refusals slow the queue. */
	callsPerMinute?: number;
	clock: Clock;
	/** Evenly distributed in [0, 1), for the jitter of the back-off. */
	random: () => number;
}

export interface RunOptions {
	/** In milliseconds of the clock. A call that was not sent before it leaves the queue. */
	deadline?: number;
	/** A waiting call leaves the queue when it aborts. A call on the wire is its sender's business. */
	signal?: AbortSignal;
}

interface QueuedCall {
	/** Its place in the line, kept when it is refused. */
	readonly number: number;
	/** In steady time. */
	readonly deadline: number;
	/** Sends it once. Gives the refusal, or `undefined` when the caller has got the outcome. */
	readonly attempt: () => Promise<{ retryAfterMs?: number } | undefined>;
	readonly leave: (outcome: Left) => void;
	readonly fail: (error: unknown) => void;
	readonly signal?: AbortSignal;
	unwatch?: () => void;
	waitingSince: number;
	waitedMs: number;
	refusals: number;
	/** The pause after which it was sent last: a refusal from before a pause says nothing new. */
	round: number;
}

/**
 * The calls to one service with one token, first in, first out (interface.md, Errors: 429, "using a
 * retry mechanism that keeps its queue of calls").
 *
 * - No more than `callsPerMinute` calls are sent in any 60 s, the refused ones included.
 * - A refused call goes first again, after the time the service asked for or else a back-off. Until
 *   then the whole queue rests; then one call goes ahead, and the others follow when it is answered.
 * - Refusals also teach the queue a lower rate than the one it was given (callRate.ts).
 */
export class CallQueue {
	private readonly waiting = new PriorityQueue<QueuedCall>((call) => call.number);

	private readonly deadlines = new PriorityQueue<QueuedCall>((call) => call.deadline);

	private readonly signals = new AbortWatch();

	private readonly time: SteadyTime;

	/** When the calls of the last minute were answered; each still takes one of the places. */
	private readonly answered = new SlidingWindow(PLACE_MS);

	private readonly rate: CallRate;

	private inFlight = 0;

	private callsSoFar = 0;

	/** Counts the pauses. */
	private round = 0;

	private pausedUntil = 0;

	/** How many calls in a row were refused after a pause of their own. */
	private refusalsInRow = 0;

	/** Whether the service itself said how long to pause. */
	private pauseWasTold = false;

	/** On while, after a pause, one call goes ahead of the others to see whether it is accepted. */
	private probing: 'no' | 'next' | 'inFlight' = 'no';

	private wake?: { at: number; alarm: AbortController };

	constructor(private readonly options: CallQueueOptions) {
		this.time = new SteadyTime(options.clock);
		this.rate = new CallRate(ceiling(options.callsPerMinute));
	}

	/** Applies an edited credential, from the next call on. */
	setCallsPerMinute(callsPerMinute: number | undefined): void {
		if (this.rate.ceiling === ceiling(callsPerMinute)) return;
		this.rate.ceiling = ceiling(callsPerMinute);
		this.pump();
	}

	/** Whether forgetting this queue would change nothing for the service. */
	isIdle(): boolean {
		const now = this.time.now();
		this.answered.slideTo(now);
		return (
			this.waiting.size + this.inFlight + this.answered.count === 0 &&
			this.pausedUntil <= now &&
			!this.rate.isLearned(now)
		);
	}

	/**
	 * Sends a call when its turn comes, and again when it is refused.
	 * @param attempt sends it once; never called again before it has ended, nor after an answer
	 * @throws what `attempt` throws; the queue goes on
	 */
	async run<T>(attempt: () => Promise<Attempt<T>>, options: RunOptions = {}): Promise<Outcome<T>> {
		return await new Promise((resolve, reject) => {
			const call: QueuedCall = {
				number: this.callsSoFar++,
				deadline: options.deadline === undefined ? Infinity : this.time.at(options.deadline),
				attempt: async () => {
					const result = await attempt();
					if (result.kind === 'refused') return result;
					const { waitedMs, refusals } = call;
					resolve({ kind: 'answered', value: result.value, waitedMs, refusals });
					return undefined;
				},
				leave: resolve,
				fail: reject,
				signal: options.signal,
				waitingSince: this.time.now(),
				waitedMs: 0,
				refusals: 0,
				round: 0,
			};
			this.enqueue(call);
			this.pump();
		});
	}

	private enqueue(call: QueuedCall): void {
		call.waitingSince = this.time.now();
		if (call.signal?.aborted) {
			call.leave({ kind: 'cancelled', waitedMs: call.waitedMs });
			return;
		}
		this.waiting.add(call);
		if (call.deadline < Infinity) this.deadlines.add(call);
		if (call.signal) call.unwatch = this.signals.add(call.signal, () => this.cancel(call));
	}

	private dequeue(call: QueuedCall, now: number): void {
		this.waiting.remove(call);
		this.deadlines.remove(call);
		call.unwatch?.();
		call.waitedMs += now - call.waitingSince;
	}

	private cancel(call: QueuedCall): void {
		this.dequeue(call, this.time.now());
		call.leave({ kind: 'cancelled', waitedMs: call.waitedMs });
		this.pump();
	}

	/** Sends what may be sent, lets go what is past its deadline, and sets the alarm for the rest. */
	private pump(): void {
		const now = this.time.now();
		this.expire(now);
		let call = this.waiting.first();
		while (call && this.probing !== 'inFlight' && this.nextTurn(now) <= now) {
			this.dequeue(call, now);
			void this.send(call, now);
			call = this.waiting.first();
		}
		this.expire(now);
		this.setAlarm(now);
	}

	private expire(now: number): void {
		const turn = Math.max(now, this.nextTurn(now));
		let call = this.deadlines.first();
		while (call && call.deadline <= turn) {
			this.dequeue(call, now);
			const { waitedMs, refusals } = call;
			call.leave({ kind: 'expired', waitedMs, retryAfterMs: turn - now, refusals });
			call = this.deadlines.first();
		}
	}

	/** The earliest time at which a call can be sent, as far as it is certain now. */
	private nextTurn(now: number): number {
		const free = this.freePlaceAt(now, this.rate.ceiling);
		if (this.probing !== 'no' || !this.rate.isLearned(now)) return Math.max(this.pausedUntil, free);
		const places = Math.floor(this.rate.perMinute(now));
		const learnedFree = Math.min(this.freePlaceAt(now, places), this.rate.risesTo(places + 1));
		return Math.max(this.pausedUntil, free, this.rate.paceAt, learnedFree);
	}

	private freePlaceAt(now: number, places: number): number {
		this.answered.slideTo(now);
		const inTheWay = this.inFlight + this.answered.count - places + 1;
		if (inTheWay <= 0) return now;
		return (this.answered.time(inTheWay - 1) ?? now) + PLACE_MS;
	}

	private async send(call: QueuedCall, now: number): Promise<void> {
		call.round = this.round;
		if (this.probing === 'next') this.probing = 'inFlight';
		this.inFlight += 1;
		this.rate.onSent(now);
		try {
			const refusal = await call.attempt();
			if (refusal) this.onRefused(call, refusal.retryAfterMs);
			else this.onAccepted(call);
		} catch (error) {
			this.onFailed(call);
			call.fail(error);
		}
		this.inFlight -= 1;
		this.answered.add(this.time.now());
		this.pump();
	}

	private onAccepted(call: QueuedCall): void {
		const now = this.time.now();
		if (this.isProbe(call)) {
			this.probing = 'no';
			this.refusalsInRow = 0;
			this.rate.onResumed(now, this.pauseWasTold);
		}
		this.rate.onAccepted(now);
	}

	private onFailed(call: QueuedCall): void {
		if (this.isProbe(call)) this.probing = 'next';
	}

	private onRefused(call: QueuedCall, retryAfterMs: number | undefined): void {
		const now = this.time.now();
		call.refusals += 1;
		const told = retryAfterMs !== undefined && retryAfterMs > 0;
		if (told) this.pausedUntil = Math.max(this.pausedUntil, now + retryAfterMs);
		if (call.round === this.round) {
			this.round += 1;
			this.probing = 'next';
			this.pauseWasTold = told;
			if (!told) this.pausedUntil = Math.max(this.pausedUntil, now + this.backOffMs());
			this.refusalsInRow += 1;
			this.rate.onRefused(now);
		}
		this.enqueue(call);
	}

	private isProbe(call: QueuedCall): boolean {
		return this.probing === 'inFlight' && call.round === this.round;
	}

	/** Between half and the whole of 1 s, 2 s, 4 s … 60 s. */
	private backOffMs(): number {
		const most = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** this.refusalsInRow);
		return most * (0.5 + this.options.random() / 2);
	}

	private setAlarm(now: number): void {
		const at = this.alarmAt(now);
		if (this.wake && this.wake.at <= at && at < Infinity) return;
		this.wake?.alarm.abort();
		this.wake = undefined;
		if (at < Infinity) void this.wakeUpAt(at, now);
	}

	private alarmAt(now: number): number {
		if (this.waiting.size === 0) return Infinity;
		const turn = this.probing === 'inFlight' ? Infinity : this.nextTurn(now);
		return Math.min(turn, this.deadlines.first()?.deadline ?? Infinity);
	}

	private async wakeUpAt(at: number, now: number): Promise<void> {
		const wake = { at, alarm: new AbortController() };
		this.wake = wake;
		await this.options.clock.sleep(at - now, wake.alarm.signal);
		if (this.wake !== wake) return;
		this.wake = undefined;
		this.pump();
	}
}

/** Calls a minute: whole, at least 1, so that an impossible limit never stops the queue for good. */
function ceiling(callsPerMinute: number | undefined): number {
	if (callsPerMinute === undefined) return Infinity;
	return callsPerMinute >= 1 ? Math.floor(callsPerMinute) : 1;
}
