/** Size of the illustrated paging loop (interface.md, Limits), and where growing begins. */
export const DEFAULT_PAGE_SIZE = 100;

/** Sizes a backlog grows through. The last one keeps an answer at a few megabytes. */
export const GROWING_SIZES = [DEFAULT_PAGE_SIZE, 1000, 5000];

/** Sizes to fall back to when even the default gives an answer too long to read. */
const SHRINKING_SIZES = [10, 1];

/** What was learned of the page sizes that the service accepts; part of the trigger's state. */
export interface LearnedPageSize {
	/** Entries that the next call without a token asks for. */
	size: number;
	/** The smallest size that was refused, or answered with less. */
	refused?: number;
}

/**
 * How many entries to ask for. interface.md shows no maximum of `limit` (Limits), so it is found
 * out: pages that come back full grow the size, a refusal or a smaller answer ends the growing for
 * good. A size that the user set is kept.
 */
export class PageSize {
	private learned: LearnedPageSize;
	/** What is known for sure: a size counts as learned once a page of it was answered. */
	private proven: LearnedPageSize;

	/**
	 * @param chosen What the user set, if anything.
	 * @param most The most entries that are wanted at all: no larger page than that is grown to.
	 */
	constructor(
		private readonly chosen: number | undefined,
		learned: LearnedPageSize | undefined,
		private readonly most: number,
	) {
		this.proven = learned ?? { size: GROWING_SIZES[0] };
		this.learned = this.proven;
	}

	/** The `limit` of the next call without a token. */
	get current(): number {
		return Math.min(this.chosen ?? this.learned.size, this.most);
	}

	/** The largest `limit` that may be sent. */
	get largest(): number {
		return Math.min(this.chosen ?? Infinity, this.most);
	}

	/** What to remember; `undefined` where there is nothing to learn. */
	get toRemember(): LearnedPageSize | undefined {
		return this.chosen === undefined ? this.proven : undefined;
	}

	/** Whether pages of `limit` are a try that was not answered yet. */
	isTried(limit: number): boolean {
		return this.chosen === undefined && limit > this.proven.size;
	}

	/**
	 * The next larger size after full pages of `limit`, or `undefined` if that was the largest.
	 * @param room How many more entries are wanted.
	 */
	grow(limit: number, room = this.most): number | undefined {
		if (this.chosen !== undefined) return undefined;
		const { refused = Infinity } = this.learned;
		const next = GROWING_SIZES.find((size) => size > limit);
		if (next === undefined || next >= refused || next > room) return undefined;
		this.learned = { ...this.learned, size: next };
		return this.current;
	}

	/** The service refused `limit`. Whether there is a smaller size to try instead. */
	refuse(limit: number, tooLong: boolean): boolean {
		if (this.chosen !== undefined) return false;
		const sizes = tooLong ? [...SHRINKING_SIZES, ...GROWING_SIZES] : GROWING_SIZES;
		const smaller = sizes.filter((size) => size < limit).sort((a, b) => b - a)[0];
		if (smaller === undefined) return false;
		this.learned = { size: smaller, refused: limit };
		return true;
	}

	/** A page was answered, so what was tried is known to work. */
	answered(): void {
		this.proven = this.learned;
	}

	/** The service delivers `count` entries for `limit` although more follow. */
	capped(count: number, limit: number): void {
		if (this.chosen !== undefined || count >= limit || count < GROWING_SIZES[0]) return;
		this.learned = { size: count, refused: limit };
		this.proven = this.learned;
	}
}
