import { parsedTime } from '../../../input/parsedTime';
import type { AuditLogEntry, EntryFields } from '../../../services/console/auditLogEntry';
import { EntryIdentities } from './entryIdentity';
import { ObservedEntry } from './observedEntry';
import type { PollState } from './pollState';
import { unpackDigests } from './seenDigests';

/** Which entries were delivered before: by earlier polls, or by this one. */
export class SeenEntries {
	/** Whether all entries observed so far have an ID. */
	identified = true;
	/** Whether an entry was found that earlier polls delivered. */
	foundKnown = false;
	/** Whether equal entries can be told apart when they are read again from any position on. */
	countsAnywhere = true;
	/** Digests of the entries that earlier polls delivered. */
	private readonly seen = new Set<string>();
	/** Up to this time, in milliseconds since the epoch, an entry may be one of them. */
	private readonly mayBeSeenUntil: number;
	/** Keys of the entries that this poll delivers. */
	private readonly delivered = new Set<string>();
	/** Keys of the entries observed since the reading last restarted. */
	private readonly observed = new Set<string>();
	private readonly identities: EntryIdentities;

	/**
	 * @param lookbackMs How much later, in milliseconds, than when it was delivered an entry may be
	 * dated when it is read again: some services store another time than the one they first sent.
	 */
	constructor(
		before: PollState,
		private readonly fields: EntryFields,
		lookbackMs: number,
	) {
		this.identities = new EntryIdentities(fields);
		for (const { digest } of unpackDigests(before.seen)) this.seen.add(digest);
		this.mayBeSeenUntil = (parsedTime(before.since) ?? -Infinity) + lookbackMs;
	}

	/** How many entries were observed since the reading last restarted. */
	get observedCount(): number {
		return this.observed.size;
	}

	/** The log is read again from some position on. */
	restart(): void {
		this.identities.restart();
		this.observed.clear();
	}

	/**
	 * Takes the entry that comes next.
	 * @param latest The latest time at which it can have been generated, in milliseconds.
	 * @returns `undefined` for one that was observed since the reading last restarted.
	 */
	observe(entry: AuditLogEntry, latest: number): ObservedEntry | undefined {
		const identity = this.identities.next(entry);
		if (!identity.hasId) this.identified = false;
		const observed = new ObservedEntry(entry, identity, this.fields, latest);
		if (this.observed.has(observed.key)) return undefined;
		this.observed.add(observed.key);
		if (observed.dated === undefined && !this.identified) this.countsAnywhere = false;
		return observed;
	}

	/** Counts an observed entry as delivered. Whether it was not delivered before. */
	addIfNew(observed: ObservedEntry): boolean {
		if (this.has(observed)) return false;
		this.delivered.add(observed.key);
		return true;
	}

	private has(observed: ObservedEntry): boolean {
		if (this.delivered.has(observed.key)) return true;
		// Only then is the digest needed, which takes time.
		const mayBeSeen = (observed.dated ?? -Infinity) <= this.mayBeSeenUntil;
		const isKnown = mayBeSeen && this.seen.has(observed.digest);
		this.foundKnown ||= isKnown;
		return isKnown;
	}
}
