const HOUR_MS = 3_600_000;

/** Notices that a trigger falls ever further behind, which no poll alone shows. */
export class Backlog {
	private mark?: { at: number; behindMs: number };

	/** What was before is not compared with what comes: nothing could be read, or a batch came again. */
	forget(): void {
		this.mark = undefined;
	}

	/**
	 * @param behindMs How far a poll is behind when it has ended, in milliseconds.
	 * @param at When, in milliseconds of the monotonic clock.
	 * @returns Whether the trigger was over an hour behind an hour ago, and is no nearer now: at most once an hour.
	 */
	grows(behindMs: number, at: number): boolean {
		if (behindMs < HOUR_MS) {
			this.mark = undefined;
			return false;
		}
		if (this.mark && at - this.mark.at < HOUR_MS) return false;
		const grows = this.mark !== undefined && behindMs >= this.mark.behindMs;
		this.mark = { at, behindMs };
		return grows;
	}
}
