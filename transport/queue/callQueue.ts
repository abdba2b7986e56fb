import { AbortWatch } from './abortWatch';
import { CallPause } from './callPause';
import { CallRate } from './callRate';
import { SteadyTime, type Clock } from '../clock';
import { PriorityQueue } from './priorityQueue';
import { SlidingWindow } from './slidingWindow';

/**
 * How long a call takes one of the places after its answer. The service counts a call at some moment
 * before its answer, and a minute later it has forgotten it; the rest is for clocks that run at
 * slightly different speeds.
 */
const PLACE_MS = 60_000 + 50;

/** What came of sending a call once. */
export type Attempt<T> =
	| { kind: 'answered'; value: T }
	/** Status 429. `retryAfterMs`: what the service asked to wait, in milliseconds, if it did. */
	| { kind: 'refused'; retryAfterMs?: number };

/** The call left the queue without an answer. `waitedMs` and `refusals` as in `Outcome`. */
export type Left =
	/**
	 * Its deadline came, or was certain to come, before its turn. `retryAfterMs`: how long it will take
	 * at the least until any call can be sent.
	 */
	| { kind: 'expired'; waitedMs: number; retryAfterMs: number; refusals: number }
	/** Its signal aborted while it waited. */
	| { kind: 'cancelled'; waitedMs: number };

/**
 * What became of a call. `waitedMs` is the time it waited for its turn, before the first sending and
 * after each refusal, without the time on the wire; `refusals` says how often it was refused.
 */
export type Outcome<T> = { kind: 'answered'; value: T; waitedMs: number; refusals: number } | Left;

/** What a queue goes by. */
export interface CallQueueOptions {
	/**
	 * Calls in any 60 s (interface.md, Limits), rounded down to a whole number, at least 1. Without it
	 * only refusals slow the queue.
	 */
	callsPerMinute?: number;
	clock: Clock;
	/** Evenly distributed in [0, 1), for the jitter of the back-off. */
	random: () => number;
}

/** When a call leaves the queue unsent. */
export interface RunOptions {
	/** In milliseconds of the clock. A call that cannot be sent before it leaves the queue. */
	deadline?: number;
	/** A waiting call leaves the queue when it aborts. A call on the wire is its sender's business. */
	signal?: AbortSignal;
}

interface QueuedCall<T = unknown> {
	/** Its place in the line, which it keeps when it is refused. */
	readonly number: number;
	/** In steady time. */
	readonly deadline: number;
	readonly signal?: AbortSignal;
	readonly attempt: () => Promise<Attempt<T>>;
	resolve(outcome: Outcome<T>): void;
	reject(error: unknown): void;
	unwatch?: () => void;
	waitingSince: number;
	waitedMs: number;
	refusals: number;
}

/**
 * The calls to one service with one token, first in, first out (interface.md, Errors: 429, "using a
 * retry mechanism that keeps its queue of calls").
 *
 * - Not more than `callsPerMinute` calls are sent in any 60 s, the refused ones included.
 * - On a refusal all calls rest, for the time the service asked for or else for a back-off. The
 *   refused call then goes first, alone, and the others follow when it is accepted (callPause.ts).
 * - Refusals also teach the queue a rate lower than the one it was given (callRate.ts).
 */
export class CallQueue {
	private readonly waiting = new PriorityQueue<QueuedCall>((call) => call.number);

	private readonly deadlines = new PriorityQueue<QueuedCall>((call) => call.deadline);

	private readonly signals = new AbortWatch();

	private readonly time: SteadyTime;

	private readonly pause: CallPause;

	private readonly rate: CallRate;

	/** When calls were answered that still take a place, as those in flight do. */
	private readonly answered = new SlidingWindow(PLACE_MS);

	private inFlight = 0;

	private callsSoFar = 0;

	/** The one sleep that is under way. */
	private alarm?: { at: number; off: AbortController };

	constructor(private readonly options: CallQueueOptions) {
		this.time = new SteadyTime(options.clock);
		this.pause = new CallPause(options.random);
		this.rate = new CallRate(ceiling(options.callsPerMinute));
	}

	/** Applies the limit of an edited credential; bounds as in `CallQueueOptions`. */
	setCallsPerMinute(callsPerMinute: number | undefined): void {
		if (this.rate.ceiling === ceiling(callsPerMinute)) return;
		this.rate.ceiling = ceiling(callsPerMinute);
		this.pump();
	}

	/** Whether a new queue in its place would do the same as this one. */
	isIdle(): boolean {
		const now = this.time.now();
		this.answered.slideTo(now);
		const calls = this.waiting.size + this.inFlight + this.answered.count;
		return calls === 0 && this.pause.until <= now && !this.rate.isLearned(now);
	}

	/**
	 * Sends a call when its turn comes, and again when it was refused.
	 * @param attempt sends it once and must end some time. It is never called again before it has
	 *   ended, nor after an answer.
	 * @throws what `attempt` throws; the other calls go on
	 */
	run<T>(attempt: () => Promise<Attempt<T>>, options: RunOptions = {}): Promise<Outcome<T>> {
		return new Promise((resolve, reject) => {
			const now = this.time.now();
			const call: QueuedCall<T> = {
				number: this.callsSoFar++,
				deadline: options.deadline === undefined ? Infinity : this.time.at(options.deadline),
				signal: options.signal,
				attempt,
				resolve,
				reject,
				waitingSince: now,
				waitedMs: 0,
				refusals: 0,
			};
			this.enqueue(call, now);
			this.pump();
		});
	}

	private enqueue(call: QueuedCall, now: number): void {
		if (call.signal?.aborted) {
			call.resolve({ kind: 'cancelled', waitedMs: call.waitedMs });
			return;
		}
		call.waitingSince = now;
		this.waiting.add(call);
		if (call.deadline < Infinity) this.deadlines.add(call);
		if (call.signal) call.unwatch = this.signals.add(call.signal, () => this.cancel(call));
	}

	private dequeue(call: QueuedCall, now: number): void {
		call.waitedMs += now - call.waitingSince;
		this.waiting.remove(call);
		this.deadlines.remove(call);
		call.unwatch?.();
	}

	private cancel(call: QueuedCall): void {
		this.dequeue(call, this.time.now());
		call.resolve({ kind: 'cancelled', waitedMs: call.waitedMs });
		this.pump();
	}

	/** Lets go what its deadline keeps from a turn, sends what may be sent, sets the alarm for the rest. */
	private pump(): void {
		const now = this.time.now();
		this.expire(now);
		let call = this.waiting.first();
		while (call && this.pause.allowsOneMore && this.nextTurn(now) <= now) {
			this.dequeue(call, now);
			void this.send(call, now);
			call = this.waiting.first();
		}
		this.setAlarm(now);
	}

	private expire(now: number): void {
		let call = this.deadlines.first();
		if (!call) return;
		const turn = this.nextTurn(now);
		while (call && call.deadline <= turn) {
			this.dequeue(call, now);
			const { waitedMs, refusals } = call;
			call.resolve({ kind: 'expired', waitedMs, retryAfterMs: turn - now, refusals });
			call = this.deadlines.first();
		}
	}

	/** The earliest time, from `now` on, at which the next call can be sent; certain, but for edits. */
	private nextTurn(now: number): number {
		this.answered.slideTo(now);
		const turn = this.rate.nextTurn(now, (places) => this.freePlaceAt(now, places));
		return Math.max(now, this.pause.until, turn);
	}

	/** When fewer than `places` will be taken, provided that all in flight are answered right now. */
	private freePlaceAt(now: number, places: number): number {
		const inTheWay = this.inFlight + this.answered.count - places + 1;
		if (inTheWay <= 0) return now;
		return (this.answered.time(inTheWay - 1) ?? now) + PLACE_MS;
	}

	private async send(call: QueuedCall, now: number): Promise<void> {
		const round = this.pause.onSent();
		this.rate.onSent(now);
		this.inFlight += 1;
		try {
			const result = await call.attempt();
			if (result.kind === 'refused') this.onRefused(call, round, result.retryAfterMs);
			else this.onAnswered(call, round, result.value);
		} catch (error) {
			call.reject(error);
		}
		this.inFlight -= 1;
		this.pause.onBack(round);
		this.answered.add(this.time.now());
		this.pump();
	}

	private onAnswered(call: QueuedCall, round: number, value: unknown): void {
		const now = this.time.now();
		if (this.pause.onAccepted(round)) {
			this.rate.onResumed(now, this.pause.wasTold);
			if (this.rate.isLearned(now)) this.pause.allowAll();
		}
		this.rate.onAccepted(now);
		const { waitedMs, refusals } = call;
		call.resolve({ kind: 'answered', value, waitedMs, refusals });
	}

	private onRefused(call: QueuedCall, round: number, retryAfterMs: number | undefined): void {
		const now = this.time.now();
		if (this.pause.onRefused(now, round, retryAfterMs)) this.rate.onRefused(now);
		call.refusals += 1;
		this.enqueue(call, now);
	}

	private setAlarm(now: number): void {
		const at = this.alarmAt(now);
		if (this.alarm && this.alarm.at <= at && at < Infinity) return;
		this.alarm?.off.abort();
		this.alarm = undefined;
		if (at < Infinity) void this.wakeAt(at, now);
	}

	private alarmAt(now: number): number {
		if (this.waiting.size === 0) return Infinity;
		const turn = this.pause.allowsOneMore ? this.nextTurn(now) : Infinity;
		return Math.min(turn, this.deadlines.first()?.deadline ?? Infinity);
	}

	private async wakeAt(at: number, now: number): Promise<void> {
		const alarm = { at, off: new AbortController() };
		this.alarm = alarm;
		await this.options.clock.sleep(Math.ceil(at - now), alarm.off.signal);
		if (this.alarm !== alarm) return;
		this.alarm = undefined;
		this.time.onSlept(at);
		this.pump();
	}
}

/** Calls a minute: whole, and at least 1, so that an impossible limit never stops the queue. */
function ceiling(callsPerMinute: number | undefined): number {
	if (callsPerMinute === undefined) return Infinity;
	return callsPerMinute >= 1 ? Math.floor(callsPerMinute) : 1;
}
