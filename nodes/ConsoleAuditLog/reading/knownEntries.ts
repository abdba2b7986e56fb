import { parsedTime } from '../../../input/parsedTime';
import type { AuditLogEntry, EntryFields } from '../../../services/console/auditLogEntry';
import { EntryIdentities } from './entryIdentity';
import { MetEntry } from './metEntry';
import type { PollState } from './pollState';
import { unpackDigests } from './seenDigests';

/** Which entries were handed over before, as one reading meets them. */
export class KnownEntries {
	/** Whether all entries met so far have an id. */
	identified = true;
	/** Whether equal entries can be told apart when they are read again from any position on. */
	countsAnywhere = true;
	/** Digests of the entries that earlier polls handed over. */
	private readonly seen = new Set<string>();
	/** Up to this time, in milliseconds since the epoch, an entry may be one of them. */
	private readonly mayBeSeenUntil: number;
	/** Keys of the entries that this poll hands over. */
	private readonly handedOver = new Set<string>();
	/** Those of the entries met since this reading last began anew. */
	private readonly met = new Set<string>();
	private readonly identities: EntryIdentities;
	/** Entries of `passed` that stand before a stored token, and those met in this poll. */
	private passedBefore: number;
	private readonly passedHere = new Set<string>();
	private passedSinceBegin = 0;

	/**
	 * @param lookbackMs How much later, in milliseconds, than it was handed over an entry may be dated
	 * when it is read again: some services store a time other than the one that they first told.
	 */
	constructor(
		private readonly before: PollState,
		private readonly fields: EntryFields,
		lookbackMs: number,
	) {
		this.identities = new EntryIdentities(fields);
		for (const { digest } of unpackDigests(before.seen)) this.seen.add(digest);
		this.mayBeSeenUntil = (parsedTime(before.since) ?? -Infinity) + lookbackMs;
		const { passed, resume } = before;
		this.passedBefore = resume && passed ? passed.count - (resume.leftToPass ?? 0) : 0;
	}

	/** How many entries were met since this reading last began anew. */
	get metCount(): number {
		return this.met.size;
	}

	/** Entries of `passed` that come after those met. */
	get leftToPass(): number {
		return (this.before.passed?.count ?? 0) - this.passedBefore - this.passedSinceBegin;
	}

	beginAnew(): void {
		this.identities.beginAnew();
		this.met.clear();
		this.passedBefore = 0;
		this.passedSinceBegin = 0;
	}

	/** Whether the entry that would be met next was handed over before. */
	wouldKnow(entry: AuditLogEntry): boolean {
		const met = new MetEntry(entry, this.identities.wouldMeet(entry), this.fields);
		return this.isKnown(met) || this.passedHere.has(met.key);
	}

	/** @returns `undefined` for one that was met since this reading last began anew. */
	meet(entry: AuditLogEntry): MetEntry | undefined {
		const identity = this.identities.meet(entry);
		if (!identity.hasId) this.identified = false;
		const met = new MetEntry(entry, identity, this.fields);
		if (this.met.has(met.key)) return undefined;
		this.met.add(met.key);
		if (met.dated === undefined && !this.identified) this.countsAnywhere = false;
		return met;
	}

	/**
	 * Hands over an entry that was just met, if it was not handed over before.
	 * @returns Whether it is handed over.
	 * @param readTo How far the reading came with it, in milliseconds since the epoch.
	 */
	takeIfNew(met: MetEntry, readTo: number): boolean {
		const { key } = met;
		const isKnown = this.isKnown(met);
		if (!isKnown && this.isPassed(readTo)) this.passedHere.add(key);
		const isPassed = this.passedHere.has(key);
		if (isPassed) this.passedSinceBegin++;
		if (isKnown || isPassed) return false;
		this.handedOver.add(key);
		return true;
	}

	/** A digest is asked for only where it may decide. */
	private isKnown(met: MetEntry): boolean {
		if (this.handedOver.has(met.key)) return true;
		return (met.dated ?? -Infinity) <= this.mayBeSeenUntil && this.seen.has(met.digest);
	}

	/** Whether an entry that is not known was delivered and had to be forgotten. */
	private isPassed(time: number): boolean {
		const { passed } = this.before;
		if (!passed || time < passed.first || time > passed.last) return false;
		return this.passedBefore + this.passedHere.size < passed.count;
	}
}
