export const DEFAULT_PAGE_SIZE = 100;

export const PAGE_SIZES = {
	first: DEFAULT_PAGE_SIZE,
	/** Sizes a backlog grows through. The last one keeps an answer at a few megabytes. */
	growing: [10, DEFAULT_PAGE_SIZE, 1000, 5000],
	/** One entry alone may be larger than what lies before the console lets through. */
	smallest: 1,
};

/**
 * How long a size that failed is not asked for again, in milliseconds; one below the first, for which a
 * fault that has passed may have been taken, only until the next poll.
 */
const AVOIDED_MS = 60 * 60_000;
const SMALL_AVOIDED_MS = 50_000;

/** What is known of the page sizes that the console can answer; part of the trigger's state. */
export interface LearnedPageSize {
	/** Entries that the next call without a token asks for. */
	size: number;
	/** The last size that failed, and when, in milliseconds since the epoch. */
	failed?: number;
	failedAt?: number;
}

/**
 * How many entries to ask for. No largest `limit` is documented, so it is found out: full pages make
 * the size grow, a failure makes it a tenth, and later it may grow as far again.
 */
export class PageSize {
	/** What the next call would use. */
	private toTry: LearnedPageSize;
	/** The last that was answered. */
	private answeredSize: LearnedPageSize | undefined;
	/** What was known before pages seemed to be cut, while that is not certain. */
	private beforeCut?: { toTry: LearnedPageSize; answeredSize?: LearnedPageSize };
	private readonly begin: LearnedPageSize;
	private readonly sizes: number[];

	/**
	 * @param chosen What the user set, if anything: the largest size.
	 * @param wanted Most entries that one poll delivers. A page may hold more, since most of them may be
	 * known; but not far more, or a poll would read them in vain.
	 * @param now In milliseconds since the epoch.
	 */
	constructor(
		chosen: number | undefined,
		learned: LearnedPageSize | undefined,
		private readonly wanted: number,
		private readonly now: number,
	) {
		const { first, growing } = PAGE_SIZES;
		this.sizes =
			chosen === undefined ? growing : [...growing.filter((size) => size < chosen), chosen];
		this.begin = { size: chosen ?? first };
		this.answeredSize = learned;
		this.toTry = learned ?? this.begin;
		// An outage may have led below the size to begin with, and not every log grows out of that.
		const { size, failedAt = now } = this.toTry;
		const isOld = Math.abs(now - failedAt) >= AVOIDED_MS;
		if (size < this.begin.size && isOld) this.toTry = { ...this.toTry, size: this.begin.size };
	}

	/** The last that was answered: what is stored. */
	get proven(): LearnedPageSize | undefined {
		return this.answeredSize;
	}

	/** What the next poll of this process begins with: a smaller size that is to be tried, but no larger one. */
	get toBeginWith(): LearnedPageSize {
		const { answeredSize, toTry } = this;
		return answeredSize && answeredSize.size < toTry.size ? answeredSize : toTry;
	}

	/** The `limit` of the next call without a token. */
	get current(): number {
		return Math.min(this.toTry.size, this.largest);
	}

	/** The largest `limit` that may be sent. */
	get largest(): number {
		return Math.min(this.sizes.at(-1)!, Math.max(this.wanted, PAGE_SIZES.growing.at(-1)!));
	}

	/** A page of `limit` was answered. */
	answered(limit: number): void {
		if (limit >= this.current) this.answeredSize = this.toTry;
	}

	/**
	 * The next larger size after full pages of `limit`; `undefined` if there is none to try now.
	 * @param room How many more entries are wanted.
	 */
	grow(limit: number, room = Infinity): number | undefined {
		const next = this.sizes.find((size) => size > limit);
		const most = Math.min(room, this.largest);
		if (next === undefined || next > most || next >= this.avoided) return undefined;
		this.toTry = { ...this.toTry, size: next };
		return next;
	}

	/**
	 * Pages of `limit` fail: the smaller size to try, the last that was answered or a tenth.
	 * `undefined` where size is not the cause, and what was known before holds again.
	 */
	shrink(limit: number): number | undefined {
		const { size: worked = limit } = this.answeredSize ?? {};
		const size = worked < limit ? worked : Math.max(PAGE_SIZES.smallest, Math.floor(limit / 10));
		if (size < limit) {
			this.toTry = { size, failed: limit, failedAt: this.now };
			return size;
		}
		this.toTry = this.answeredSize ?? this.begin;
		return undefined;
	}

	/** Pages of `limit` were answered, but cut, and those of `size` are not; or it may turn out that they were not. */
	wasCut(limit: number, size: number, isCertain: boolean): void {
		const { toTry, answeredSize } = this;
		this.beforeCut = isCertain ? undefined : (this.beforeCut ?? { toTry, answeredSize });
		this.toTry = { size, failed: limit, failedAt: this.now };
		this.answeredSize = this.toTry;
	}

	/** What seemed to be cut was the end of the log. */
	wasWhole(): void {
		if (this.beforeCut) ({ toTry: this.toTry, answeredSize: this.answeredSize } = this.beforeCut);
		this.beforeCut = undefined;
	}

	/** All that a reading to the end has to read fits on a page of the first size: the next one begins with that. */
	caughtUp(): void {
		const size = Math.min(this.toTry.size, PAGE_SIZES.first);
		this.toTry = this.avoided === Infinity ? { size } : { ...this.toTry, size };
		this.answeredSize = this.toTry;
	}

	private get avoided(): number {
		const { failed = Infinity, failedAt = -Infinity } = this.toTry;
		const time = failed < PAGE_SIZES.first ? SMALL_AVOIDED_MS : AVOIDED_MS;
		return Math.abs(this.now - failedAt) < time ? failed : Infinity;
	}
}
