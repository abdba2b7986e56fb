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

	/** When the last call was sent, or would have been at an even pace. */
	private lastAt = 0;

	/** How far `lastAt` may lag behind: the calls due in that time may go out at once. */
	private slackMs = 0;

	/** @param ceiling calls a minute, `Infinity` when only refusals set a limit */
	constructor(public ceiling: number) {}

	/**
	 * Whether a learned rate holds at `now`. It does for another minute after it has reached the
	 * ceiling: only then is there a minute of even calls behind, which leaves no room for a burst.
	 */
	isLearned(now: number): boolean {
		return now < this.forgottenAt();
	}

	/**
	 * The earliest time at which a call may follow those already sent.
	 * @param freePlaceAt when fewer calls than the given number will have been sent in the last minute
	 */
	nextTurn(now: number, freePlaceAt: (places: number) => number): number {
		const free = freePlaceAt(this.ceiling);
		if (!this.isLearned(now)) return free;
		const perMinute = this.perMinute(now);
		const paced = Math.max(freePlaceAt(perMinute), this.lastAt + MINUTE_MS / perMinute);
		const rises = perMinute < this.ceiling ? this.risesTo(perMinute + 1) : this.forgottenAt();
		return Math.max(free, Math.min(paced, rises));
	}

	/** A call goes out. */
	onSent(now: number): void {
		this.lastAt = Math.max(this.lastAt + MINUTE_MS / this.perMinute(now), now - this.slackMs);
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
		this.lastAt = now - this.slackMs;
	}

	/** Calls a minute: those accepted since a minute before the refusal, over the time they took. */
	private measured(now: number): number {
		const oldest = this.accepted.time(0);
		if (oldest === undefined) return Math.min(this.perMinute(now), DEFAULT_CEILING) / 2;
		return (this.accepted.count * MINUTE_MS) / Math.min(MINUTE_MS, now - oldest);
	}

	/** Calls a minute at `now`, rounded down; not more than the ceiling. */
	private perMinute(now: number): number {
		if (!this.learned || !this.isLearned(now)) return this.ceiling;
		const risen = Math.max(0, now - this.learned.since - HOLD_MS) / RAMP_MS;
		const learned = this.learned.base + this.scale(this.learned) * risen ** 3;
		return Math.min(this.ceiling, Math.floor(learned));
	}

	/** A time at which `perMinute` is that high, at most 2 ms after it has become so. */
	private risesTo(perMinute: number): number {
		if (!this.learned) return -Infinity;
		const rise = Math.max(0, perMinute - this.learned.base) / this.scale(this.learned);
		return Math.ceil(this.learned.since + HOLD_MS + RAMP_MS * Math.cbrt(rise)) + 1;
	}

	private forgottenAt(): number {
		return this.risesTo(Math.min(this.ceiling, NO_RATE)) + MINUTE_MS;
	}

	/** By how many calls a minute the rate rises in `RAMP_MS`. */
	private scale({ base }: LearnedRate): number {
		return this.ceiling < Infinity ? this.ceiling : Math.max(DEFAULT_CEILING, base);
	}
}
