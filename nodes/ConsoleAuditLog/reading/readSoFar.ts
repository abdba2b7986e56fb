import type { ObservedEntry } from './observedEntry';

/** A server tells its time in whole seconds, so that its clock may be this far ahead of it. */
export const CLOCK_STEP_MS = 999;

/** What one poll has read of the log. Times are milliseconds since the epoch. */
export class ReadSoFar {
	/** Entries that were not delivered before. */
	found: ObservedEntry[] = [];
	/** The server's time when the reading began: what appeared after that may be missing. */
	asOf?: number;
	/** The server's time when the last page was asked for. */
	serverTime?: number;
	/** The latest time read, or where the reading began. */
	readTo?: number;
	/** Time of the last entry that has one, since the reading last restarted. */
	lastDated?: number;
	/** Whether entries without a time came after that one. */
	endsUndated = false;
	/** Whether all times were in order. */
	isAscending = true;
	/**
	 * Whether an entry came that is dated before the `since` of its call: the console goes by another
	 * time than the entry tells.
	 */
	listsEarlier = false;
	/** Bytes of the pages that held something new. */
	bytes = 0;
	/** Whether all entries have an ID. */
	isIdentified = true;
	/** Whether equal entries can be told apart when they are read again from any position on. */
	private countsAnywhere = true;

	/** Time of the last entry, if a reading can begin there without a token. */
	get anchor(): number | undefined {
		return this.isAscending && this.countsAnywhere ? this.lastDated : undefined;
	}

	beginAt(since: number | undefined): void {
		this.lastDated = undefined;
		this.readTo = since ?? this.readTo;
	}

	/**
	 * Notes an entry, delivered before or not.
	 * @param since Of the call that brought it.
	 */
	add({ dated, identity }: ObservedEntry, since = -Infinity): void {
		this.isIdentified &&= identity.hasId;
		this.endsUndated = dated === undefined;
		if (dated === undefined) {
			this.countsAnywhere &&= this.isIdentified;
			return;
		}
		if (dated < since - CLOCK_STEP_MS) this.listsEarlier = true;
		if (dated < (this.lastDated ?? -Infinity)) this.isAscending = false;
		this.lastDated = dated;
		this.readTo = Math.max(dated, this.readTo ?? 0);
	}

	/** The same, had it been read at an earlier moment. */
	asIfReadAt(moment: number): ReadSoFar {
		const found = this.found.filter(({ dated }) => dated === undefined || dated < moment);
		return Object.assign(new ReadSoFar(), this, { found, asOf: moment });
	}
}
