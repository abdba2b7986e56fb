import type { ObservedEntry } from './observedEntry';

/** A server tells its time in whole seconds, so that its clock may be this far ahead of it. */
export const CLOCK_STEP_MS = 999;

/** What one poll has read of the log. Times are milliseconds since the epoch. */
export class ReadSoFar {
	/** Entries that were not delivered before. */
	found: ObservedEntry[] = [];
	/** The server's time when the reading began: what appeared after that may be missing. */
	asOf?: number;
	/** The same, where the server told it. */
	toldAsOf?: number;
	/** The server's time when the last page was asked for. */
	serverTime?: number;
	/** The latest time read, or where the reading began. */
	readTo?: number;
	/** Time of the last entry that has one, since the reading last restarted. */
	lastDated?: number;
	/** The latest time of an entry since the reading last restarted. */
	private newestDated?: number;
	/** Where the reading last began. */
	begunAt?: number;
	/** Whether entries without a time came after the one of `lastDated`. */
	endsUndated = false;
	/** How much earlier than one before it an entry was dated, at most: 0 where all were in order. */
	private disorderMs = 0;
	/**
	 * Whether an entry came that is dated before the `since` of its call: the console goes by another
	 * time than the entry tells.
	 */
	listsEarlier = false;
	/** Bytes of the pages that held something new. */
	bytes = 0;
	/** Whether any entry came, whether all have an ID, and whether any has an ID, or a time. */
	hasEntries = false;
	isIdentified = true;
	hasIds = false;
	hasTimes = false;
	/** The earliest time of an entry, since the poll began. */
	private earliestDated?: number;
	/** How much later than the `since` of its call an entry was dated, at least. */
	leastLater = Infinity;
	/** Whether equal entries can be told apart when they are read again from any position on. */
	private countsAnywhere = true;

	/**
	 * @param lookbackMs What is less out of order, in milliseconds, counts as in order.
	 * @param knownAheadMs What `aheadMs` is unless this reading tells otherwise.
	 */
	constructor(
		private readonly lookbackMs: number,
		private knownAheadMs = 0,
	) {}

	/**
	 * Whether what was not read yet is dated from `readThrough` on: two hosts that write one log put
	 * entries out of order by seconds.
	 */
	get isAscending(): boolean {
		return this.disorderMs <= this.lookbackMs;
	}

	/** Up to this time all was read, as far as the order of the entries tells. */
	get readThrough(): number {
		return this.isAscending ? this.positionAt(this.readTo ?? 0) : 0;
	}

	/**
	 * How far ahead entries are dated, in milliseconds, of the time by which the console filters them: as local
	 * times without a zone are. It shows where all are ahead of its clock, and is at most what the first of
	 * them is later than the time asked for. 0 without IDs: equal entries may not be told apart there.
	 */
	get aheadMs(): number {
		const { earliestDated, leastLater, knownAheadMs } = this;
		if (!this.isIdentified) return 0;
		const allAreAhead = earliestDated !== undefined && this.isAhead(earliestDated - knownAheadMs);
		const aheadMs = allAreAhead && leastLater < Infinity ? leastLater : knownAheadMs;
		return Math.max(0, Math.min(aheadMs, leastLater));
	}

	/** The latest time at which an entry of those may have appeared, as far as their order tells. */
	get newestAppeared(): number | undefined {
		const { newestDated, aheadMs, disorderMs } = this;
		return newestDated === undefined ? undefined : newestDated - aheadMs + disorderMs;
	}

	/** From here on a reading finds all that follows, without a token: `undefined` if it would not. */
	get anchor(): number | undefined {
		if (this.newestDated === undefined || !this.isAscending || !this.countsAnywhere)
			return undefined;
		const position = this.positionAt(this.newestDated);
		return this.isAhead(position) ? undefined : position;
	}

	/**
	 * Whether a time is so far ahead of the console's clock that its entries are dated by another one: it may
	 * find none there, and some that are dated earlier behind it.
	 */
	isAhead(time: number): boolean {
		return this.toldAsOf !== undefined && time > this.serverTime! + this.lookbackMs;
	}

	/**
	 * The time at which the console surely lists what follows an entry dated so. Never before where the
	 * reading began, so that the next one comes further.
	 */
	private positionAt(dated: number): number {
		const position = dated - this.disorderMs - this.aheadMs;
		return Math.min(dated, Math.max(position, this.begunAt ?? 0));
	}

	beginAt(since: number | undefined): void {
		this.lastDated = undefined;
		this.newestDated = undefined;
		this.begunAt = since;
		this.readTo = since;
	}

	/** A call that was to go on where this reading stood skipped as much, in milliseconds. */
	skipped(aheadMs: number): void {
		this.knownAheadMs = aheadMs;
	}

	/**
	 * Notes an entry, delivered before or not.
	 * @param since Of the call that brought it.
	 */
	add({ dated, identity }: ObservedEntry, since = -Infinity): void {
		this.hasEntries = true;
		this.isIdentified &&= identity.hasId;
		this.hasIds ||= identity.hasId;
		this.endsUndated = dated === undefined;
		if (dated === undefined) {
			this.countsAnywhere &&= this.isIdentified;
			return;
		}
		this.hasTimes = true;
		if (dated < since - CLOCK_STEP_MS) this.listsEarlier = true;
		this.earliestDated = Math.min(dated, this.earliestDated ?? Infinity);
		this.leastLater = Math.min(this.leastLater, dated - since);
		this.newestDated = Math.max(dated, this.newestDated ?? 0);
		this.disorderMs = Math.max(this.disorderMs, this.newestDated - dated);
		this.lastDated = dated;
		this.readTo = Math.max(dated, this.readTo ?? 0);
	}

	/** The same, had it been read at an earlier moment. */
	asIfReadAt(moment: number): ReadSoFar {
		const found = this.found.filter(({ dated }) => dated === undefined || dated < moment);
		return Object.assign(new ReadSoFar(this.lookbackMs, this.knownAheadMs), this, {
			found,
			asOf: moment,
		});
	}
}
