import { parsedTime } from '../../../input/parsedTime';
import type { AuditLogEntry, EntryFields } from '../../../services/console/auditLogEntry';
import { digestOf, keyOf } from '../../../services/digestOf';
import { EntryIdentities, identityText } from './entryIdentity';
import { ObservedEntry } from './observedEntry';
import type { PollState } from './pollState';
import { CLOCK_STEP_MS } from './readSoFar';
import { DIGEST_BOUNDS, unpackDigests } from './seenDigests';

/** How many that are not new by their time are observed: a console may send any number of them. */
const MOST_OBSERVED_OLD = 20_000;

/** Which entries were delivered before: by earlier polls, or by this one. */
export class SeenEntries {
	/** Whether an entry was found that earlier polls delivered. */
	foundKnown = false;
	/** How many entries were observed since the reading last restarted. */
	observedCount = 0;
	/** How many different ones were observed in all. */
	distinctCount = 0;
	private digests?: Set<string>;
	/** Up to this time, in milliseconds since the epoch, an entry may be one of them. */
	private readonly mayBeSeenUntil: number;
	/** The entries observed so far, by their ID, with the pass in which they last were. */
	private readonly withId = new Map<string, number>();
	/** The same of those without an ID, by their digest. */
	private readonly withoutId = new Map<string, number>();
	private pass = 1;
	/** Entries dated before this time, in milliseconds, were read by earlier polls, which are forgotten. */
	private readBefore = -Infinity;
	/** How many of those were observed. */
	private oldCount = 0;
	private readonly identities: EntryIdentities;

	/**
	 * @param lookbackMs How much later, in milliseconds, than when it was delivered an entry may be
	 * dated when it is read again: some services store another time than the one they first sent.
	 */
	constructor(
		private readonly before: PollState,
		private readonly fields: EntryFields,
		lookbackMs: number,
	) {
		this.identities = new EntryIdentities(fields);
		this.mayBeSeenUntil = (parsedTime(before.since) ?? -Infinity) + lookbackMs;
	}

	/** The log is read again from some position on. */
	restart(): void {
		this.identities.restart();
		this.observedCount = 0;
		this.pass++;
	}

	/** The reading begins earlier than the position: what is dated before that is not new. */
	beginsEarlier(): void {
		this.readBefore = (parsedTime(this.before.from) ?? -Infinity) - CLOCK_STEP_MS;
	}

	/** Whether a time in milliseconds is one before which nothing is new. */
	isOld(time: number): boolean {
		return time < this.readBefore;
	}

	/** Forgets what was observed, but not what was delivered before. */
	forgetObserved(): void {
		this.withId.clear();
		this.withoutId.clear();
		this.identities.restart();
	}

	/**
	 * Takes the entry that comes next.
	 * @param dated Its own time, in milliseconds since the epoch, if it has one.
	 * @param latest The latest time at which it can have been generated, if it has none.
	 * @returns `undefined` for one that was observed since the reading last restarted.
	 */
	observe(
		entry: AuditLogEntry,
		dated: number | undefined,
		latest: number,
	): { observed: ObservedEntry; isNew: boolean } | undefined {
		const isOld = this.isOld(dated ?? Infinity);
		if (isOld && this.oldCount === MOST_OBSERVED_OLD) return this.passed(entry, dated!);
		if (isOld) this.oldCount++;
		const identity = this.identities.next(entry);
		const observed = new ObservedEntry(entry, identity, this.fields, dated, dated ?? latest);
		const passes = identity.hasId ? this.withId : this.withoutId;
		const key = identity.hasId ? keyOf(identityText(identity)) : observed.digest;
		const lastPass = passes.get(key);
		if (lastPass === this.pass) return undefined;
		passes.set(key, this.pass);
		this.observedCount++;
		if (lastPass === undefined) this.distinctCount++;
		return { observed, isNew: !isOld && lastPass === undefined && !this.isKnown(observed) };
	}

	/** One that is read over: that it came is all that counts. */
	private passed(entry: AuditLogEntry, dated: number): { observed: ObservedEntry; isNew: false } {
		this.observedCount++;
		const identity = { value: '', hasId: this.identities.idOf(entry) !== undefined };
		return {
			observed: new ObservedEntry(entry, identity, this.fields, dated, dated),
			isNew: false,
		};
	}

	/** Whether an entry was observed since the reading last restarted, or one that equals it. */
	hasObserved(entry: AuditLogEntry): boolean {
		const value = this.identities.idOf(entry);
		if (value === undefined) return this.identities.hasContent(entry);
		return this.withId.get(keyOf(identityText({ value, hasId: true }))) === this.pass;
	}

	/** Whether an entry was neither delivered before nor observed; only an ID can tell. */
	isUnread(entry: AuditLogEntry): boolean {
		const value = this.identities.idOf(entry);
		if (value === undefined || this.hasObserved(entry)) return false;
		return !this.seen.has(digestOf(identityText({ value, hasId: true })));
	}

	/** Whether as many are remembered as can be, so that earlier ones may have been forgotten. */
	get isFull(): boolean {
		return this.seen.size >= DIGEST_BOUNDS.all;
	}

	/** Digests of what was delivered, unpacked only where an entry is looked at. */
	private get seen(): Set<string> {
		return (this.digests ??= new Set(unpackDigests(this.before.seen).map(({ digest }) => digest)));
	}

	private isKnown(observed: ObservedEntry): boolean {
		// Only then is the digest needed, which takes time.
		const mayBeSeen = (observed.dated ?? -Infinity) <= this.mayBeSeenUntil;
		const isKnown = mayBeSeen && this.seen.has(observed.digest);
		this.foundKnown ||= isKnown;
		return isKnown;
	}
}
