import type { Clock } from '../clock';
import { CallRate } from './callRate';

export type Attempt<T> =
	| { kind: 'answered'; value: T }
	/** Status 429. `retryAfterMs`: what the service asked to wait, in milliseconds, if it did. */
	| { kind: 'refused'; retryAfterMs?: number };

/** The call left the queue without an answer. `waitedMs` and `refusals` as in `Outcome`. */
export type Unsent =
	/**
	 * Its deadline came, or was certain to come, before it could be sent. `retryAfterMs`: how long it
	 * takes at the least until any call can be sent.
	 */
	| { kind: 'expired'; waitedMs: number; retryAfterMs: number; refusals: number }
	| { kind: 'cancelled'; waitedMs: number };

/**
 * What became of a call. `waitedMs` is the time it waited in the queue, before the first sending and
 * after each refusal, without the time on the wire; `refusals` says how often it was refused.
 */
export type Outcome<T> =
	| { kind: 'answered'; value: T; waitedMs: number; refusals: number }
	| Unsent;

interface CallQueueOptions {
	/**
	 * Calls in any 60 s, rounded down to a whole number, at least 1. Without it only refusals slow the
	 * queue.
	 */
	callsPerMinute?: number;
	clock: Clock;
	/** Evenly distributed in [0, 1), for the jitter of the back-off. */
	random: () => number;
}

export interface RunOptions {
	/** By the monotonic clock, in milliseconds. A call that cannot be sent before it leaves the queue. */
	deadline?: number;
	/** A waiting call leaves the queue when it aborts. A call on the wire is its sender's business. */
	signal?: AbortSignal;
	/** Whether it goes before the others, which could make it wait for longer than it can. */
	isUrgent?: boolean;
}

interface QueuedCall<T = unknown> {
	/** Order of arrival, which it keeps when it is refused. */
	readonly number: number;
	readonly deadline: number;
	readonly signal?: AbortSignal;
	readonly isUrgent: boolean;
	readonly attempt: () => Promise<Attempt<T>>;
	resolve(outcome: Outcome<T>): void;
	reject(error: unknown): void;
	waitingSince: number;
	waitedMs: number;
	refusals: number;
}

function goesBefore(one: QueuedCall, other: QueuedCall): boolean {
	return one.isUrgent === other.isUrgent ? one.number < other.number : one.isUrgent;
}

/**
 * The calls to one service with one token, first in, first out; `CallRate` says when the next one may
 * be sent. A refused call goes back to where it was, and so is sent first again. Urgent calls go
 * before the others, in turn with them where all have to wait: neither may starve the other.
 */
export class CallQueue {
	private waiting: QueuedCall[] = [];

	private arrivals = 0;

	private sentUrgent = false;

	/** Whether the call sent last was a patient one that had been refused before. */
	private sentAgain = false;

	/** No waiting call has an earlier one. */
	private firstDeadline = Infinity;

	/** How many waiting calls have a signal. It gets one listener: more would cost O(n²). */
	private readonly signals = new Map<AbortSignal, number>();

	private alarm?: { at: number; off: AbortController };

	private readonly clock: Clock;

	private readonly rate: CallRate;

	constructor({ callsPerMinute, clock, random }: CallQueueOptions) {
		this.clock = clock;
		this.rate = new CallRate(limit(callsPerMinute), random);
	}

	/** Calls in any 60 s: whole, at least 1; `Infinity` where only refusals slow the queue. */
	get callsPerMinute(): number {
		return this.rate.limit;
	}

	setCallsPerMinute(callsPerMinute: number | undefined): void {
		if (this.rate.limit === limit(callsPerMinute)) return;
		this.rate.limit = limit(callsPerMinute);
		this.pump();
	}

	/** Whether a new queue in its place would do the same as this one. */
	isIdle(): boolean {
		return this.waiting.length === 0 && this.rate.isIdle(this.clock.monotonic());
	}

	/**
	 * Sends a call when it may be sent, and again when it was refused.
	 * @param attempt sends it once and must end some time. It is never called again before it has
	 *   ended, nor after an answer.
	 * @throws what `attempt` throws; the other calls go on
	 */
	run<T>(attempt: () => Promise<Attempt<T>>, options: RunOptions = {}): Promise<Outcome<T>> {
		return new Promise((resolve, reject) => {
			const { deadline = Infinity, signal, isUrgent = false } = options;
			const call: QueuedCall<T> = {
				number: this.arrivals++,
				deadline,
				signal,
				isUrgent,
				attempt,
				resolve,
				reject,
				waitingSince: 0,
				waitedMs: 0,
				refusals: 0,
			};
			this.enqueue(call);
			this.pump();
		});
	}

	private readonly onAbort = (): void => {
		this.letGo(this.clock.monotonic());
		this.pump();
	};

	private enqueue(call: QueuedCall): void {
		const now = this.clock.monotonic();
		call.waitingSince = now;
		const unsent = this.unsent(call, now);
		if (unsent) return call.resolve(unsent);
		let place = this.waiting.length;
		while (place > 0 && goesBefore(call, this.waiting[place - 1])) place -= 1;
		this.waiting.splice(place, 0, call);
		this.firstDeadline = Math.min(this.firstDeadline, call.deadline);
		this.count(call.signal, 1);
	}

	private unsent(call: QueuedCall, now: number): Unsent | undefined {
		const { deadline, signal, refusals } = call;
		const waitedMs = call.waitedMs + now - call.waitingSince;
		if (signal?.aborted) return { kind: 'cancelled', waitedMs };
		const earliest = this.rate.earliest(now);
		if (deadline > earliest) return undefined;
		return { kind: 'expired', waitedMs, retryAfterMs: Math.ceil(earliest - now), refusals };
	}

	private letGo(now: number): void {
		const all = this.waiting;
		this.waiting = [];
		this.firstDeadline = Infinity;
		for (const call of all) {
			const unsent = this.unsent(call, now);
			if (unsent) {
				this.count(call.signal, -1);
				call.resolve(unsent);
			} else {
				this.waiting.push(call);
				this.firstDeadline = Math.min(this.firstDeadline, call.deadline);
			}
		}
	}

	/** Listens to a signal as long as calls with it wait. */
	private count(signal: AbortSignal | undefined, change: 1 | -1): void {
		if (!signal) return;
		const calls = (this.signals.get(signal) ?? 0) + change;
		if (calls === 1 && change === 1) signal.addEventListener('abort', this.onAbort);
		if (calls === 0) signal.removeEventListener('abort', this.onAbort);
		if (calls === 0) this.signals.delete(signal);
		else this.signals.set(signal, calls);
	}

	private pump(): void {
		const now = this.clock.monotonic();
		if (this.firstDeadline <= this.rate.earliest(now)) this.letGo(now);
		for (let place = this.due(now); place >= 0; place = this.due(now)) {
			const [call] = this.waiting.splice(place, 1);
			this.sentUrgent = call.isUrgent;
			this.sentAgain = !call.isUrgent && call.refusals > 0;
			void this.send(call, now);
		}
		this.setAlarm(now);
	}

	/** Where the call is that goes next; -1 where none may go yet. */
	private due(now: number): number {
		const patient = this.waiting.findIndex(({ isUrgent }) => !isUrgent);
		const urgent = patient === 0 ? undefined : this.waiting[0];
		// An urgent call that has just come finds the slots that were left to it; from then on both take turns.
		const mustWait = urgent !== undefined && urgent.waitingSince < now;
		// What was refused goes first again. Many that were refused together take turns with the urgent ones.
		const goesAgain = (this.waiting[patient]?.refusals ?? 0) > 0 && !this.sentAgain;
		const isItsTurn = !urgent || goesAgain || (mustWait && this.sentUrgent);
		const place = patient >= 0 && isItsTurn ? patient : 0;
		const mayGo = this.waiting.length > 0 && this.rate.next(now, !urgent) <= now;
		return mayGo ? place : -1;
	}

	private async send(call: QueuedCall, now: number): Promise<void> {
		this.count(call.signal, -1);
		call.waitedMs += now - call.waitingSince;
		const round = this.rate.onSent(now, call.isUrgent);
		try {
			const result = await call.attempt();
			if (result.kind === 'refused') {
				this.rate.onRefused(this.clock.monotonic(), round, result.retryAfterMs);
				call.refusals += 1;
				this.enqueue(call);
			} else {
				this.rate.onAccepted(this.clock.monotonic(), round);
				const { waitedMs, refusals } = call;
				call.resolve({ kind: 'answered', value: result.value, waitedMs, refusals });
			}
		} catch (error) {
			this.rate.onFailed(this.clock.monotonic(), round);
			call.reject(error);
		}
		this.pump();
	}

	private setAlarm(now: number): void {
		const [first] = this.waiting;
		const at = first
			? Math.min(this.rate.nextCheck(now, !first.isUrgent), this.firstDeadline)
			: Infinity;
		if (this.alarm && this.alarm.at <= at && at < Infinity) return;
		this.alarm?.off.abort();
		this.alarm = undefined;
		if (at < Infinity) void this.wakeAt(at, now);
	}

	private async wakeAt(at: number, now: number): Promise<void> {
		const alarm = { at, off: new AbortController() };
		this.alarm = alarm;
		await this.clock.sleep(Math.ceil(at - now), alarm.off.signal);
		if (this.alarm !== alarm) return;
		this.alarm = undefined;
		this.pump();
	}
}

/** Calls a minute: whole, and at least 1, so that an impossible limit never stops the queue. */
function limit(callsPerMinute = Infinity): number {
	return callsPerMinute >= 1 ? Math.floor(callsPerMinute) : 1;
}
