import { CLOCKS_AGREE } from './pollTime';

/** New scans, all ahead of n8n's clock, that show that it is behind. A few may come from a machine that is ahead. */
const ENOUGH_NEW = 20;

/** So many are enough where a poll does not come to the present, and so to new scans. */
const ENOUGH_IF_STUCK = 5;

/** After so many such polls in a row, none is needed: on a quiet list they may never see so many. */
const MOST_STUCK_POLLS = 30;

/** How long a pass or a failure counts, in seconds. */
const COUNTS_FOR = 3600;

/** What a poll leaves to the next one. Times are epoch seconds. */
export interface StoredTrial {
	/** How far the list would be settled if its scans tell the right time. */
	settledTo?: number;
	/** How many scans were ahead of n8n's clock in one poll, at most, since the last failure. */
	ahead?: number;
	/** How many new ones were, in all polls since then that have tried something. */
	newAhead?: number;
	/** How many polls in a row did not come to the present. */
	stuckPolls?: number;
	/** When a new scan was found at n8n's time, before `settledTo`; by n8n's clock. */
	failedAt?: number;
	/** When the trial was passed, by n8n's clock. */
	passedAt?: number;
}

/**
 * Whether n8n's clock is behind, where scans and the service's clock are ahead of it. If it is right, they are of a
 * machine whose clock is wrong, and scans of other machines are still to come with earlier times: these would be lost
 * if the list were settled by the later ones. So at first the list stays settled by n8n's clock, and the next polls
 * read the rest again. A new scan there shows that n8n's clock is right; many new scans, but none there, that it is
 * behind.
 */
export class Trial {
	private state: StoredTrial;
	/** By so much, n8n's clock may differ from the one by which the list goes, also at the end of a poll. */
	private readonly latest: number;
	/** How many scans are ahead in this poll. */
	private aheadNow = 0;

	constructor(
		before: StoredTrial,
		private readonly n8nTime: number,
	) {
		this.state = { ...before };
		this.latest = n8nTime + CLOCKS_AGREE;
	}

	/**
	 * Notes a scan that the list shows.
	 * @param scan When it was created: from when to when.
	 */
	sees({ from, to }: { from: number; to: number }, isNew: boolean): void {
		const { state, latest } = this;
		const { settledTo, ahead = 0, newAhead = 0 } = state;
		const isTried = settledTo !== undefined;
		if (isNew && isTried && to < settledTo && to <= latest) {
			this.state = { settledTo, failedAt: this.n8nTime };
		} else if (from > latest) {
			state.ahead = Math.max(ahead, ++this.aheadNow);
			if (isNew && isTried && from >= settledTo) state.newAhead = newAhead + 1;
		}
	}

	/**
	 * How far the list may be settled whatever n8n's clock says: `-Infinity`, not at all; `Infinity`, as far as its
	 * scans tell.
	 * @param isStuck Whether the poll has not come to the present.
	 */
	passedTo(isStuck: boolean): number {
		const { settledTo = -Infinity, failedAt, passedAt } = this.state;
		const { ahead = 0, newAhead = 0, stuckPolls = 0 } = this.state;
		if (this.counts(failedAt)) return -Infinity;
		if (this.counts(passedAt)) return Infinity;
		const isDue = ahead >= ENOUGH_IF_STUCK || stuckPolls >= MOST_STUCK_POLLS;
		return newAhead >= ENOUGH_NEW || (isStuck && isDue) ? settledTo : -Infinity;
	}

	/**
	 * @param settledTo What the next poll is to try, if anything.
	 * @param isUsed Whether the list is settled further than n8n's clock tells.
	 */
	next(settledTo: number | undefined, isStuck: boolean, isUsed: boolean): StoredTrial {
		const { ahead, newAhead, stuckPolls = 0, failedAt, passedAt } = this.state;
		const kept = { settledTo, ahead, failedAt };
		if (isUsed) {
			if (this.counts(passedAt)) return { ...kept, passedAt };
			// Up to n8n's own time, nothing could have shown that it is right.
			const isBeyond = (this.state.settledTo ?? -Infinity) > this.latest;
			const isSure = isBeyond && (ahead ?? 0) >= ENOUGH_IF_STUCK;
			return { ...kept, ...(isSure && { passedAt: this.n8nTime }) };
		}
		if (settledTo === undefined) return kept;
		return { ...kept, newAhead, stuckPolls: isStuck ? stuckPolls + 1 : 0 };
	}

	private counts(at?: number): boolean {
		return at !== undefined && Math.abs(this.n8nTime - at) < COUNTS_FOR;
	}
}
