const FIRST_BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 60_000;

/**
 * When calls rest after a refusal (429), and how carefully they start again: one call goes ahead,
 * and the others follow as calls are accepted (interface.md, Errors).
 *
 * Calls on the wire when a pause begins belong to the round before it. What becomes of them says
 * nothing about the time after the pause, so that twenty of them refused together are one refusal.
 */
export class CallPause {
	/** When the pause ends, in steady time. */
	until = 0;

	/** Whether the service itself said how long the pause is to be. */
	wasTold = false;

	/** Counts the pauses. */
	private round = 0;

	/** Calls of this round on the wire, and how many they may be. */
	private inFlight = 0;

	private allowedInFlight = Infinity;

	/** How many pauses in a row ended with another refusal. */
	private failures = 0;

	/** @param random evenly distributed in [0, 1) */
	constructor(private readonly random: () => number) {}

	/** Whether the answers so far allow one more call on the wire. */
	get allowsOneMore(): boolean {
		return this.inFlight < this.allowedInFlight;
	}

	/** A call goes out. @returns the round it belongs to */
	onSent(): number {
		this.inFlight += 1;
		return this.round;
	}

	/** A call is back, with whatever result. */
	onBack(round: number): void {
		if (round === this.round) this.inFlight -= 1;
	}

	/** A call was accepted. @returns whether that says that the pause is over */
	onAccepted(round: number): boolean {
		if (round !== this.round) return false;
		this.failures = 0;
		this.allowedInFlight += 1;
		return true;
	}

	/** From now on something else sees to it that calls do not come in a burst. */
	allowAll(): void {
		this.allowedInFlight = Infinity;
	}

	/**
	 * A call was refused.
	 * @param retryAfterMs what the service asked to wait, if it did
	 * @returns whether this begins a new pause
	 */
	onRefused(now: number, round: number, retryAfterMs: number | undefined): boolean {
		const told = retryAfterMs !== undefined && retryAfterMs > 0 && Number.isFinite(retryAfterMs);
		if (told) this.pauseUntil(now + retryAfterMs);
		if (round !== this.round) return false;
		this.pauseUntil(now + this.backOffMs(told));
		this.wasTold = told;
		this.failures += 1;
		this.round += 1;
		this.inFlight = 0;
		this.allowedInFlight = 1;
		return true;
	}

	private pauseUntil(time: number): void {
		this.until = Math.max(this.until, time);
	}

	/**
	 * Between half and the whole of 1 s, 2 s, 4 s … 60 s. A service that says when to come back is
	 * taken at its word, until that was wrong twice in a row.
	 */
	private backOffMs(told: boolean): number {
		const step = told ? this.failures - 2 : this.failures;
		if (step < 0) return 0;
		const most = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** step);
		return most * (0.5 + this.random() / 2);
	}
}
