/** So many new scans, all ahead of n8n's clock, tell that it is behind: one may be ahead by itself. */
const ENOUGH = 20;

/** Where a poll is stuck, so many do that it reads again: it comes to no new ones. */
const ENOUGH_IF_STUCK = 3;

/** How long it counts what they told, in seconds, or that one was not ahead. */
const COUNTS_FOR = 3600;

/** What a poll leaves to the next one. Times are epoch seconds. */
export interface StoredTrial {
	/** How far the list would be settled if its scans tell the time. */
	settledTo?: number;
	/** How many new scans in a row were ahead of n8n's clock while something was tried. */
	agreeing?: number;
	/** When one was not, by n8n's clock. */
	failedAt?: number;
	/** When they told that n8n's clock is behind, by that clock. */
	passedAt?: number;
}

/**
 * Scans may be dated ahead of n8n's clock, as the service's clock is. Either n8n's is behind: then all are. Or theirs is
 * ahead, and those of other machines are not: these would be lost if the list were settled up to the former. So
 * it is settled there only where later polls read all of it again, and find no new scan before.
 */
export class Trial {
	private readonly settledTo?: number;
	private agreeing: number;
	private failedAt?: number;
	private readonly passedAt?: number;
	/** How many of the scans that are read again are ahead. */
	private again = 0;

	constructor(
		{ settledTo, agreeing = 0, failedAt, passedAt }: StoredTrial,
		private readonly n8nTime: number,
	) {
		this.settledTo = settledTo;
		this.agreeing = agreeing;
		this.failedAt = failedAt;
		this.passedAt = passedAt;
	}

	/** A window of new scans shows one. */
	sees(created: number, isNew: boolean): void {
		if (this.settledTo === undefined) return;
		const isAhead = created > this.n8nTime;
		const isBefore = created < this.settledTo;
		if (isNew && isBefore) {
			this.agreeing = 0;
			this.failedAt = this.n8nTime;
		}
		if (isNew && isAhead && !isBefore) this.agreeing++;
		if (isAhead && isBefore) this.again++;
	}

	/**
	 * How far the list may be settled, whatever n8n's clock says.
	 * @param isStuck Whether a poll cannot read on to the present.
	 */
	passedTo(isStuck: boolean): number {
		const { settledTo = -Infinity, agreeing, again } = this;
		if (this.counts(this.failedAt)) return -Infinity;
		if (this.counts(this.passedAt)) return Infinity;
		const isDue = agreeing >= ENOUGH || (isStuck && again >= ENOUGH_IF_STUCK);
		return isDue ? settledTo : -Infinity;
	}

	/**
	 * @param settledTo What the next poll is to try, if anything.
	 * @param hasPassed Whether the list is settled further than n8n's clock tells. Scans before that are not seen any
	 * more, so this does not count for ever.
	 */
	next(settledTo: number | undefined, hasPassed: boolean): StoredTrial {
		const { agreeing, failedAt, passedAt, n8nTime } = this;
		if (!hasPassed) return { settledTo, agreeing, failedAt };
		return { settledTo, failedAt, passedAt: this.counts(passedAt) ? passedAt : n8nTime };
	}

	private counts(at?: number): boolean {
		return at !== undefined && Math.abs(this.n8nTime - at) < COUNTS_FOR;
	}
}
