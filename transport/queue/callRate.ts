const MINUTE_MS = 60_000;

/**
 * How long after its answer a call still takes a slot. The service counted the call at some moment
 * before the answer and forgets it a minute later; the rest is for clocks of slightly different speed.
 */
const SLOT_MS = MINUTE_MS + 50;

const FIRST_BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 60_000;

/** A lower rate is kept for a minute, then doubles every 45 seconds until it is the configured one. */
const HOLD_MS = MINUTE_MS;
const DOUBLING_MS = 45_000;

/**
 * Slots that are left to urgent calls, a fifth at most, so that one finds a slot; and for how long after
 * one: a trigger may poll once a day.
 */
const URGENT_SLOTS = 2;
const URGENT_GO_ON_MS = 25 * 60 * MINUTE_MS;

/** How often to look whether the rate has risen. */
const RECHECK_MS = 1_000;

/** Part of the measured rate that is used; the rest leaves room for others who share the token. */
const SAFETY_FACTOR = 0.95;

/** Calls a minute: few calls before a refusal say little about how many are allowed. */
const LOWEST_RATE = 5;

/** How long the one call that goes alone is waited for: an upload may be on the wire for an hour. */
const PROBE_MS = 10_000;

/** After a pause longer than this the calls due in it are made up for. */
const SHORT_PAUSE_MS = 5_000;

/**
 * When the next call may be sent. It sends nothing itself and has no clock: times, in milliseconds of
 * a clock that never jumps, are passed in.
 *
 * - Never more than `limit` calls in any 60 s. While urgent ones come, the others leave two slots.
 * - A refusal (429) is a pause for all: as long as the service asked for, else a back-off with jitter.
 *   Then one call goes alone, and the others follow when it is accepted; while its answer takes long,
 *   another one goes every ten seconds.
 * - From then on calls are spread evenly at the rate at which the service accepted them before, and
 *   that rate rises again. So processes that share a token, and know nothing of each other, find their
 *   shares.
 */
export class CallRate {
	private inFlight = 0;

	/** When the calls were answered that still take a slot, oldest first. */
	private readonly answered: number[] = [];

	/** When calls were accepted in the last minute; during a pause, since a minute before it. */
	private readonly accepted: number[] = [];

	private pausedUntil = 0;

	/** When the pause began that no accepted call has ended. */
	private refusedAt?: number;

	private refusalsInARow = 0;

	private hasRetryAfter = false;

	/**
	 * Counts the refusals. What becomes of a call that was sent before one says nothing about the time
	 * after it: twenty calls refused together are one refusal.
	 */
	private round = 0;

	/** Whether one call goes alone, and whether it is on its way. */
	private probe: 'none' | 'next' | 'sent' = 'none';

	private probeSentAt = 0;

	private lowered?: { rate: number; since: number };

	/** When an urgent call was last sent. */
	private urgentAt = -Infinity;

	/** When a call was sent last, or would have been at an even pace. */
	private lastAt = 0;

	/** How far `lastAt` may lag behind: the calls due in that time may be sent at once. */
	private slackMs = 0;

	/**
	 * @param limit calls a minute, at least 1; `Infinity` where only refusals slow the calls
	 * @param random evenly distributed in [0, 1)
	 */
	constructor(
		public limit: number,
		private readonly random: () => number,
	) {}

	/** Whether nothing is remembered that matters for the next call. */
	isIdle(now: number): boolean {
		return this.freeSlotAt(now, 1) <= now && this.pausedUntil <= now && !this.isLowered(now);
	}

	/**
	 * The time before which certainly no call is sent, unless `limit` is raised.
	 * @param leavesSlots Whether it is about a call that leaves slots to urgent ones.
	 */
	earliest(now: number, leavesSlots = false): number {
		const mayBeUrgent = now - this.urgentAt < URGENT_GO_ON_MS;
		const most = Math.min(URGENT_SLOTS, Math.floor(this.limit / 5));
		const left = mayBeUrgent && leavesSlots ? most : 0;
		return Math.max(now, this.pausedUntil, this.freeSlotAt(now, this.limit - left));
	}

	/** When the next call may be sent. */
	next(now: number, leavesSlots: boolean): number {
		const earliest = this.earliest(now, leavesSlots);
		if (this.probe === 'sent') return Math.max(earliest, this.probeSentAt + PROBE_MS);
		if (!this.isLowered(now)) return earliest;
		const rate = this.rate(now);
		return Math.max(earliest, this.freeSlotAt(now, rate), this.lastAt + MINUTE_MS / rate);
	}

	/** When to ask `next` again, since a rising rate brings it nearer. */
	nextCheck(now: number, leavesSlots: boolean): number {
		const next = this.next(now, leavesSlots);
		if (this.probe === 'sent' || !this.isLowered(now)) return next;
		return Math.min(next, Math.max(this.earliest(now, leavesSlots), now + RECHECK_MS));
	}

	/** A call goes out. @returns its round, to be given back with what became of it */
	onSent(now: number, isUrgent: boolean): number {
		this.inFlight += 1;
		if (isUrgent) this.urgentAt = now;
		if (this.probe !== 'none') {
			this.probe = 'sent';
			this.probeSentAt = now;
		}
		this.lastAt = Math.max(this.lastAt + MINUTE_MS / this.rate(now), now - this.slackMs);
		return this.round;
	}

	onAccepted(now: number, round: number): void {
		this.onBack(now);
		if (round === this.round && this.refusedAt !== undefined) this.endPause(now, this.refusedAt);
		if (this.refusedAt === undefined) dropUntil(this.accepted, now - MINUTE_MS);
		this.accepted.push(now);
	}

	/** @param retryAfterMs what the service asked to wait; it counts if it is above 0 and finite */
	onRefused(now: number, round: number, retryAfterMs = 0): void {
		this.onBack(now);
		const hasRetryAfter = retryAfterMs > 0 && retryAfterMs < Infinity;
		if (hasRetryAfter) this.pauseUntil(now + retryAfterMs);
		if (round !== this.round) return;
		if (this.refusedAt === undefined) dropUntil(this.accepted, now - MINUTE_MS);
		this.refusedAt ??= now;
		this.hasRetryAfter = hasRetryAfter;
		this.pauseUntil(now + this.backOffMs());
		this.refusalsInARow += 1;
		this.round += 1;
		this.probe = 'next';
	}

	/** The call failed in another way: the service may have counted it. */
	onFailed(now: number, round: number): void {
		this.onBack(now);
		if (round === this.round && this.probe === 'sent') this.probe = 'next';
	}

	private onBack(now: number): void {
		this.inFlight -= 1;
		this.answered.push(now);
	}

	private pauseUntil(time: number): void {
		this.pausedUntil = Math.max(this.pausedUntil, time);
	}

	/**
	 * Between half and the whole of 1 s, 2 s, 4 s … 60 s. A service that names a time is taken at its
	 * word, until that was wrong twice in a row.
	 */
	private backOffMs(): number {
		const doublings = this.hasRetryAfter ? this.refusalsInARow - 2 : this.refusalsInARow;
		if (doublings < 0) return 0;
		const most = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** doublings);
		return most * (0.5 + this.random() / 2);
	}

	private endPause(now: number, refusedAt: number): void {
		const rate = Math.max(LOWEST_RATE, SAFETY_FACTOR * this.measuredRate(now));
		this.lowered = { rate, since: now };
		const pauseMs = now - refusedAt;
		const wasRight = this.hasRetryAfter && this.refusalsInARow === 1;
		this.slackMs = wasRight && pauseMs > SHORT_PAUSE_MS ? Math.min(pauseMs, MINUTE_MS) : 0;
		this.lastAt = now - this.slackMs;
		this.refusedAt = undefined;
		this.refusalsInARow = 0;
		this.probe = 'none';
	}

	/** Calls accepted since a minute before the refusal, over the time they took. */
	private measuredRate(now: number): number {
		const { length, 0: oldest } = this.accepted;
		if (length === 0) return this.rate(now) / 2;
		return (length * MINUTE_MS) / Math.min(MINUTE_MS, now - oldest);
	}

	/** Calls a minute at `now`, rounded down; not above the limit. */
	private rate(now: number): number {
		if (!this.lowered) return this.limit;
		const { rate, since } = this.lowered;
		const doublings = Math.max(0, now - since - HOLD_MS) / DOUBLING_MS;
		return Math.min(this.limit, Math.floor(rate * 2 ** doublings));
	}

	private isLowered(now: number): boolean {
		return this.rate(now) < this.limit;
	}

	/** When fewer than `slots` are taken, provided that all calls on the wire are answered right now. */
	private freeSlotAt(now: number, slots: number): number {
		dropUntil(this.answered, now - SLOT_MS);
		const surplus = this.inFlight + this.answered.length - slots;
		return surplus < 0 ? now : (this.answered[surplus] ?? now) + SLOT_MS;
	}
}

function dropUntil(times: number[], end: number): void {
	const kept = times.findIndex((time) => time > end);
	times.splice(0, kept < 0 ? times.length : kept);
}
