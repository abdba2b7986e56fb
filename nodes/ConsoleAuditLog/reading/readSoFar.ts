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
	/** Whether equal entries can be told apart when they are read again from any position on. */
	private countsAnywhere = true;

	/** @param lookbackMs What is less out of order, in milliseconds, counts as in order. */
	constructor(private readonly lookbackMs: number) {}

	/**
	 * Whether what was not read yet is dated from `readThrough` on: two hosts that write one log put
	 * entries out of order by seconds.
	 */
	get isAscending(): boolean {
		return this.disorderMs <= this.lookbackMs;
	}

	/** Up to this time all was read, as far as the order of the entries tells. */
	get readThrough(): number {
		return this.isAscending ? this.lessDisorder(this.readTo ?? 0) : 0;
	}

	/** From here on a reading finds all that follows, without a token: `undefined` if it would not. */
	get anchor(): number | undefined {
		if (this.newestDated === undefined || !this.isAscending || !this.countsAnywhere)
			return undefined;
		return this.isAhead(this.newestDated) ? undefined : this.lessDisorder(this.newestDated);
	}

	/**
	 * Whether a time is so far ahead of the console's clock that its entries are dated by another one: it may
	 * find none there, and some that are dated earlier behind it.
	 */
	isAhead(time: number): boolean {
		return this.toldAsOf !== undefined && time > this.serverTime! + this.lookbackMs;
	}

	/** Never before where the reading began, so that the next one comes further. */
	private lessDisorder(time: number): number {
		return Math.min(time, Math.max(time - this.disorderMs, this.begunAt ?? 0));
	}

	beginAt(since: number | undefined): void {
		this.lastDated = undefined;
		this.newestDated = undefined;
		this.begunAt = since;
		this.readTo = since ?? this.readTo;
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
		this.newestDated = Math.max(dated, this.newestDated ?? 0);
		this.disorderMs = Math.max(this.disorderMs, this.newestDated - dated);
		this.lastDated = dated;
		this.readTo = Math.max(dated, this.readTo ?? 0);
	}

	/** The same, had it been read at an earlier moment. */
	asIfReadAt(moment: number): ReadSoFar {
		const found = this.found.filter(({ dated }) => dated === undefined || dated < moment);
		return Object.assign(new ReadSoFar(this.lookbackMs), this, { found, asOf: moment });
	}
}
