/** With fewer scans there, it costs little to read them again in each poll. */
const WORTH_SETTLING = 200;

/** Once a trial has failed, no other passes for so long, in seconds: scans may come rarely. */
const FAILED_FOR = 3600;

/** What a poll leaves to the next one. Times are epoch seconds. */
export interface StoredTrial {
	/** How far the list would be settled if its scans tell the time. */
	settledTo?: number;
	/** When a trial failed, by n8n's clock. */
	failedAt?: number;
}

/**
 * Scans may be dated ahead of n8n's clock, as the service's clock is: either n8n's is behind, or theirs is ahead, and
 * those of other machines are not. To settle the list up to there would lose the others. So the next poll reads
 * all of it again, and only if no new scan comes up there, it is settled.
 */
export class Trial {
	private readonly settledTo: number;
	private failedAt?: number;
	private beyond = 0;

	/** @param surelyTo n8n's clock, or so little beyond it that it makes no difference, in epoch seconds. */
	constructor(
		{ settledTo = -Infinity, failedAt }: StoredTrial,
		private readonly n8nTime: number,
		private readonly surelyTo: number,
	) {
		this.settledTo = settledTo;
		this.failedAt = failedAt;
	}

	/** A window of new scans shows one. */
	sees(created: number, isNew: boolean): void {
		if (created >= this.settledTo) return;
		if (created > this.surelyTo) this.beyond++;
		if (isNew) this.failedAt = this.n8nTime;
	}

	/** @param isStuck Whether a poll cannot read on to the present. */
	passedTo(isStuck: boolean): number {
		const isDue = isStuck || this.beyond >= WORTH_SETTLING;
		return isDue && !this.hasFailed ? this.settledTo : -Infinity;
	}

	/** @param settledTo What the next poll is to try, if anything. */
	next(settledTo?: number): StoredTrial {
		return { settledTo, failedAt: this.failedAt };
	}

	private get hasFailed(): boolean {
		return this.failedAt !== undefined && Math.abs(this.n8nTime - this.failedAt) < FAILED_FOR;
	}
}
