import { SlidingWindow } from './slidingWindow';

const MINUTE_MS = 60_000;

/** How long a learned rate is kept before more is tried. */
const HOLD_MS = 60_000;

/** How long it then takes to raise the rate by the whole ceiling: slowly first, then faster. */
const RAMP_MS = 50_000;

/** The documented default (interface.md, Limits): the scale of the ramp where no ceiling is set. */
const DEFAULT_CEILING = 100;

/** Calls a minute from which on a rate is as good as none. */
const NO_RATE = 100_000;

/** Part of the measured rate that is used, which leaves others who share it some room. */
const MODESTY = 0.95;

/** Without a ceiling, pauses up to this long are all it takes to keep to what the service allows. */
const SHORT_PAUSE_MS = 5_000;

interface LearnedRate {
	/** Calls a minute. */
	base: number;
	since: number;
}

/**
 * What the refusals (429) tell about the rate the service allows, however it counts and whoever else
 * uses the token (interface.md, Limits: "Scope of the rate counter: not shown").
 *
 * The calls accepted in the minute up to a refusal are what the service allows now. From the end of
 * the pause they go out evenly at that rate. After a minute the rate rises, and 110 s after the pause
 * it has reached the ceiling, unless a refusal gave a new measure before.
 */
export class CallRate {
	private readonly accepted = new SlidingWindow(MINUTE_MS);

	private refusedAt?: number;

	private learned?: LearnedRate;

	/** When the next call may follow those already sent. */
	private nextAt = 0;

	/** How far `nextAt` may lie back: the calls due in that time may go out at once. */
	private slackMs = 0;

	/** @param ceiling calls a minute, `Infinity` when only refusals set a limit */
	constructor(public ceiling: number) {}

	/**
	 * Whether a learned rate holds at `now`. It does for another minute after it has reached the
	 * ceiling: only then is there a minute of even calls behind, which leaves no room for a burst.
	 */
	isLearned(now: number): boolean {
		return now < this.risesTo(Math.min(this.ceiling, NO_RATE)) + MINUTE_MS;
	}

	/** Calls that may be sent in the minute up to `now`; not more than the ceiling. */
	perMinute(now: number): number {
		if (!this.learned || !this.isLearned(now)) return this.ceiling;
		const risen = Math.max(0, now - this.learned.since - HOLD_MS) / RAMP_MS;
		return Math.min(this.ceiling, this.learned.base + this.scale(this.learned) * risen ** 3);
	}

	/**
	 * The earliest time at which a call may follow those already sent.
	 * @param freePlaceAt when fewer calls than the given number will have been sent in the last minute
	 */
	nextTurn(now: number, freePlaceAt: (places: number) => number): number {
		const free = freePlaceAt(this.ceiling);
		if (!this.isLearned(now)) return free;
		const places = Math.floor(this.perMinute(now));
		const place = Math.min(freePlaceAt(places), this.risesTo(places + 1));
		return Math.max(free, place, this.nextAt);
	}

	/** A call goes out. */
	onSent(now: number): void {
		if (!this.isLearned(now)) return;
		this.nextAt = Math.max(this.nextAt, now - this.slackMs) + MINUTE_MS / this.perMinute(now);
	}

	/** A call was accepted. */
	onAccepted(now: number): void {
		if (this.refusedAt === undefined) this.accepted.slideTo(now);
		this.accepted.add(now);
	}

	/** A pause begins because a call was refused. */
	onRefused(now: number): void {
		if (this.refusedAt !== undefined) return;
		this.accepted.slideTo(now);
		this.refusedAt = now;
	}

	/**
	 * The pause is over: a call sent after it is about to be reported as accepted.
	 * @param told whether the service had said when. The calls due in the pause are then made up for.
	 */
	onResumed(now: number, told: boolean): void {
		if (this.refusedAt === undefined) return;
		const pauseMs = now - this.refusedAt;
		this.refusedAt = undefined;
		if (this.ceiling === Infinity && pauseMs < SHORT_PAUSE_MS && !this.isLearned(now)) return;
		this.learned = { base: Math.max(1, MODESTY * this.measured(now)), since: now };
		this.slackMs = told ? Math.min(pauseMs, MINUTE_MS) : 0;
		this.nextAt = now - this.slackMs + MINUTE_MS / this.perMinute(now);
	}

	/** Calls a minute: those accepted since a minute before the refusal, over the time they took. */
	private measured(now: number): number {
		const oldest = this.accepted.time(0);
		if (oldest === undefined) return Math.min(this.perMinute(now), DEFAULT_CEILING) / 2;
		return (this.accepted.count * MINUTE_MS) / Math.min(MINUTE_MS, now - oldest);
	}

	/** The time at which the learned rate will have risen to `perMinute`. */
	private risesTo(perMinute: number): number {
		if (!this.learned) return -Infinity;
		const rise = Math.max(0, perMinute - this.learned.base) / this.scale(this.learned);
		return this.learned.since + HOLD_MS + RAMP_MS * Math.cbrt(rise);
	}

	/** By how many calls a minute the rate rises in `RAMP_MS`. */
	private scale({ base }: LearnedRate): number {
		return this.ceiling < Infinity ? this.ceiling : Math.max(DEFAULT_CEILING, base);
	}
}
