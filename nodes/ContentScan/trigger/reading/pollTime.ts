import { believedTime } from '../../../../services/serverTime';

/** Clocks that are further apart, in seconds, may cost scans. */
const MOST_APART = 600;

/** By how much the clock of a machine of the service may be ahead, in seconds. Further apart, n8n's is behind. */
const MOST_AHEAD = 3600;

/** When a poll takes place, in epoch seconds. Of n8n's clock and the service's, either may be wrong. */
export class PollTime {
	/** What is there now is not to wait. */
	byLaterClock: number;
	/** What follows from the time that has passed waits for both, unless the list shows that it is later. */
	byEarlierClock: number;
	/** It is at least this late, by the stored position (or a fresh one's, which is up to ten minutes ahead). */
	private byPosition = -Infinity;
	/** By the service's clock, as far as it is believed. */
	private told = -Infinity;
	/** What the service's clock tells, where that is so far from n8n's that one of them must be corrected. */
	otherTime?: number;

	/**
	 * @param n8nTime By n8n's clock: the service has not told its own yet.
	 * @param batchEnd Of a batch that comes again: the latest time of the poll that read it first.
	 * @param shownTo It is at least this late, by the scans that earlier polls saw and the time since.
	 */
	constructor(
		readonly n8nTime: number,
		readonly batchEnd = Infinity,
		public shownTo = -Infinity,
	) {
		this.byLaterClock = this.byEarlierClock = Math.min(n8nTime, batchEnd);
	}

	/**
	 * For what cannot be taken back. A scan that is dated ahead of n8n's clock is no proof of the time, although the
	 * service's clock agrees: both may be those of a machine whose clock is wrong.
	 */
	get surely(): number {
		return Math.min(this.byEarlierClock, Math.max(this.surelyAtMost, this.byPosition));
	}

	/** As late as the stored position shows: n8n's clock may have been set back, and the service tells no time. */
	get atLeast(): number {
		return Math.max(this.byEarlierClock, Math.min(this.byPosition, this.batchEnd));
	}

	/** Up to here, scans are believed to show how late it is. */
	get surelyAtMost(): number {
		return this.told - this.n8nTime >= MOST_AHEAD ? this.told : this.n8nTime;
	}

	/** Whether a moment has not come yet by n8n's clock, nor by the service's. */
	isToCome(moment: number): boolean {
		return Number.isFinite(this.told) && moment > this.byLaterClock;
	}

	/** Whether a moment has passed by both clocks, also where a batch comes again. */
	isPast(moment: number): boolean {
		return moment <= this.n8nTime && (!Number.isFinite(this.told) || moment <= this.told);
	}

	/** @param settledTo Far behind what was read by it, the service's clock cannot be right. */
	hear(told: number, settledTo: number): void {
		const isBelieved = believedTime(told * 1000, this.n8nTime * 1000) !== undefined;
		if (isBelieved) this.byLaterClock = Math.min(Math.max(told, this.byLaterClock), this.batchEnd);
		if (isBelieved || told >= settledTo) this.byEarlierClock = Math.min(told, this.byEarlierClock);
		if (isBelieved) this.told = told;
		if (Math.abs(told - this.n8nTime) > MOST_APART) this.otherTime = told;
		// Both say so, and n8n's clock may be hours behind.
		this.reached(Math.min(this.shownTo, this.told));
	}

	/** The list shows a scan of this moment, which later polls are to know. */
	shows(moment: number): void {
		this.reached(moment);
		this.shownTo = Math.max(this.shownTo, Math.min(moment, this.told));
	}

	/** By the stored position, it is at least this late. */
	reachedBefore(moment: number): void {
		this.reached(moment);
		this.byPosition = moment;
	}

	/** The list has reached this moment, so the clock that is hours behind it is wrong. */
	reached(moment: number): void {
		const latest = Math.min(Math.max(this.n8nTime, this.told), this.batchEnd);
		this.byEarlierClock = Math.max(this.byEarlierClock, Math.min(moment, latest));
	}
}
