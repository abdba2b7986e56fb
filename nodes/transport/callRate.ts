import { SlidingWindow } from './slidingWindow';

const MINUTE_MS = 60_000;

/** How long a learned rate is kept before more is tried. */
const HOLD_MS = 60_000;

/** How long it then takes to raise the rate by the whole ceiling: slowly first, then faster. */
const RAMP_MS = 50_000;

/** The documented default (interface.md, Limits): the scale of the ramp where no ceiling is set. */
const DEFAULT_CEILING = 100;

/** Part of the measured rate that is used, which leaves others that share it some room. */
const MODESTY = 0.95;

interface LearnedRate {
	/** Calls a minute. */
	base: number;
	since: number;
}

/**
 * What the refusals (429) tell about the rate the service allows. It is measured as the calls that
 * were accepted from the minute before a refusal to the first call accepted after it, whatever way
 * the service counts, and whoever else uses the same token (interface.md, Limits: "Scope of the rate
 * counter: not shown"). Calls then go out evenly at that rate; after a minute without a refusal the
 * rate rises again, and 110 s after the refusal it is back at the ceiling.
 */
export class CallRate {
	private readonly accepted = new SlidingWindow(MINUTE_MS);

	private refusedAt?: number;

	private learned?: LearnedRate;

	/** When the next call may follow the calls already sent. */
	private nextAt = 0;

	/** @param ceiling calls a minute, `Infinity` when only refusals set a limit */
	constructor(public ceiling: number) {}

	/** Calls a minute at `now`; never more than the ceiling. */
	perMinute(now: number): number {
		return Math.min(this.ceiling, this.learnedAt(now));
	}

	/**
	 * The earliest time at which the rate lets a call follow, while `perMinute` is below the ceiling.
	 */
	get paceAt(): number {
		return this.nextAt;
	}

	/** The time at which the rate will have risen to `perMinute`. */
	risesTo(perMinute: number): number {
		if (!this.learned) return 0;
		const rise = Math.max(0, perMinute - this.learned.base) / this.scale;
		return this.learned.since + HOLD_MS + RAMP_MS * Math.cbrt(rise);
	}

	/** Whether a rate below the ceiling is known at `now`. */
	isLearned(now: number): boolean {
		return this.learnedAt(now) < this.ceiling;
	}

	/** A call was sent. */
	onSent(now: number): void {
		if (!this.isLearned(now)) return;
		this.nextAt = Math.max(this.nextAt, now - MINUTE_MS) + MINUTE_MS / this.perMinute(now);
	}

	/** A call was accepted. */
	onAccepted(now: number): void {
		if (this.refusedAt === undefined) this.accepted.slideTo(now);
		this.accepted.add(now);
	}

	/** A call was refused. Only the first one counts until a call is accepted again. */
	onRefused(now: number): void {
		if (this.refusedAt !== undefined) return;
		this.accepted.slideTo(now);
		this.refusedAt = now;
	}

	/**
	 * The service accepts calls again.
	 * @param told whether it had said when. The calls missed meanwhile may then be made up for.
	 */
	onResumed(now: number, told: boolean): void {
		if (this.refusedAt === undefined) return;
		const measured = this.measured(now);
		this.learned = { base: Math.max(1, measured * MODESTY), since: now };
		this.nextAt = (told ? this.refusedAt : now) + MINUTE_MS / this.perMinute(now);
		this.refusedAt = undefined;
	}

	private measured(now: number): number {
		const oldest = this.accepted.time(0);
		if (oldest === undefined) return this.perMinute(now) / 2;
		return (this.accepted.count * MINUTE_MS) / Math.min(MINUTE_MS, now - oldest);
	}

	private learnedAt(now: number): number {
		if (!this.learned) return Infinity;
		const rising = Math.max(0, now - this.learned.since - HOLD_MS) / RAMP_MS;
		return this.learned.base + this.scale * rising ** 3;
	}

	private get scale(): number {
		return Number.isFinite(this.ceiling)
			? this.ceiling
			: Math.max(DEFAULT_CEILING, this.learned?.base ?? 0);
	}
}
