import { digestOf, entryIdentity } from './auditLogEntry';
import type { AuditLogEntry, EntryFields } from './auditLogEntry';
import type { PollState } from './pollState';
import { unpackDigests } from './seenDigests';

/** What tells an entry of a reading from all others. */
export interface MetEntry {
	text: string;
	digest: string;
}

/** Which entries were handed over before, as one reading meets them. */
export class KnownEntries {
	/** Whether all entries met so far have an id. */
	identified = true;
	/** Whether equal entries can be told apart when they are read again from any position on. */
	countsAnywhere = true;
	private readonly known = new Set<string>();
	/** Entries met since this reading last began anew. */
	private readonly met = new Set<string>();
	private readonly repeats = new Map<string, number>();
	/** Entries of `passed` that stand before a stored token, and those met in this poll. */
	private passedBefore: number;
	private readonly passedHere = new Set<string>();
	private passedSinceBegin = 0;

	constructor(
		private readonly before: PollState,
		private readonly fields: EntryFields,
	) {
		for (const { digest } of unpackDigests(before.seen)) this.known.add(digest);
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
		this.repeats.clear();
		this.met.clear();
		this.passedBefore = 0;
		this.passedSinceBegin = 0;
	}

	/** Whether the entry that would be met next was handed over before. */
	wouldKnow(entry: AuditLogEntry): boolean {
		const digest = digestOf(this.identityText(entry, false));
		return this.known.has(digest) || this.passedHere.has(digest);
	}

	/** @returns `undefined` for one that was met since this reading last began anew. */
	meet(entry: AuditLogEntry, isDated: boolean): MetEntry | undefined {
		const text = this.identityText(entry, true);
		const digest = digestOf(text);
		if (this.met.has(digest)) return undefined;
		this.met.add(digest);
		if (!isDated && !this.identified) this.countsAnywhere = false;
		return { text, digest };
	}

	/**
	 * Whether an entry that was just met is to be handed over; from then on it is known.
	 * @param readTo How far the reading came with it, in milliseconds since the epoch.
	 */
	isNew({ digest }: MetEntry, readTo: number): boolean {
		const isKnown = this.known.has(digest);
		if (!isKnown && this.isPassed(readTo)) this.passedHere.add(digest);
		const isPassed = this.passedHere.has(digest);
		if (isPassed) this.passedSinceBegin++;
		if (isKnown || isPassed) return false;
		this.known.add(digest);
		return true;
	}

	/** Whether an entry that is not known was delivered and had to be forgotten. */
	private isPassed(time: number): boolean {
		const { passed } = this.before;
		if (!passed || time < passed.first || time > passed.last) return false;
		return this.passedBefore + this.passedHere.size < passed.count;
	}

	/**
	 * What tells an entry from others. Entries without an id are told apart by their content, and
	 * the same content by how often it was read since this reading began.
	 */
	private identityText(entry: AuditLogEntry, count: boolean): string {
		const { kind, text } = entryIdentity(entry, this.fields);
		if (kind === 'id') return text;
		const repeat = (this.repeats.get(text) ?? 0) + 1;
		if (count) {
			this.repeats.set(text, repeat);
			this.identified = false;
		}
		return `${text} ${repeat}`;
	}
}
