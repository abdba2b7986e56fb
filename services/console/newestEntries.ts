import type { AuditLogEntry, EntryFields } from './auditLogEntry';
import { entryId, entryTime, isoTime, KEPT_MS } from './auditLogEntry';
import { digestOf } from '../digestOf';
import type { AuditLogPage, PageCall } from './auditLogPage';

/** Width of the first window, in milliseconds, and how much wider or narrower the next may be. */
const FIRST_WIDTH_MS = 60_000;
const STEEPEST = 16;

/** How full the page of a window should be, going by the window before. */
const FILLING = 0.9;

/** Short pages that are followed in a window: the one after a short page is mostly the empty last. */
const SHORT_PAGES = 2;

interface NewestQuery {
	/** How many entries are wanted. */
	wanted: number;
	/** Earliest and latest time wanted, in milliseconds, both inclusive. */
	since?: number;
	until?: number;
	/** The console's clock, in milliseconds. */
	now: number;
	fields: EntryFields;
	pageSize: number;
	mostRequests: number;
	/** Most bytes that they may take together, as `Answer` counts them. */
	mostBytes: number;
}

/** What was read, with its size as `Answer` counts it. */
type SizedPage = AuditLogPage & { bytes: number };

export interface Newest {
	/** Oldest first. */
	entries: AuditLogEntry[];
	/** Whether there is surely none newer, and none missing between them. */
	complete: boolean;
	/** Whether they are fewer than there are, since more would be too large. */
	isTooLarge: boolean;
}

/** The newest of some entries. */
interface Cut {
	entries: AuditLogEntry[];
	/** Whether some are left out because together they would be too large. */
	isCut: boolean;
}

/** What was read of a window. */
interface Reading extends Cut {
	/** Whether everything in the window was read, and whether the log ended in it. */
	complete: boolean;
	logEnded: boolean;
}

/**
 * The newest entries of a log that can only be read from a time on, oldest first. Windows go back
 * from the end, each as wide as about a page takes. One that holds more is read on as far as it may be
 * wanted: nights make it wide. Of one that holds more than that, what lies behind the entries that were
 * read is looked at first: in strides that double, which leave a burst behind however long the silence
 * after it, then by halves. An entry counts only once everything after it was read.
 *
 * @param readPage Reads one page.
 */
export async function newestEntries(
	readPage: (call: PageCall) => Promise<SizedPage>,
	query: NewestQuery,
): Promise<Newest> {
	return await new BackwardSearch(readPage, query).find();
}

class BackwardSearch {
	private requests = 0;
	/** Everything from here on was found, in milliseconds. */
	private end: number;
	private found: AuditLogEntry[] = [];
	private lastRead: AuditLogEntry[] = [];
	/** Until here a window was read that held too much; what follows is not known. */
	private readUntil?: number;
	private stride = Infinity;
	private width = FIRST_WIDTH_MS;
	private readonly floor: number;
	private readonly foundKeys = new Set<string>();
	private readonly keys = new WeakMap<AuditLogEntry, string>();
	private readonly times = new WeakMap<AuditLogEntry, number | undefined>();
	/** Their parts of the pages they came in. */
	private readonly bytes = new WeakMap<AuditLogEntry, number>();

	constructor(
		private readonly readPage: (call: PageCall) => Promise<SizedPage>,
		private readonly query: NewestQuery,
	) {
		this.end = query.until === undefined ? Infinity : query.until + 1;
		this.floor = Math.max(0, query.since ?? query.now - KEPT_MS);
	}

	async find(): Promise<Newest> {
		while (this.requests < this.query.mostRequests) {
			const from = this.nextWindow();
			const reading = await this.read(from);
			this.lastRead = reading.entries;
			if (!reading.complete) {
				this.tooMuch(from, reading.entries);
				continue;
			}
			// Up to the end of the log a reading holds all: also entries without a time, found before.
			const { entries, isCut } = reading.logEnded
				? reading
				: this.newestOf([...this.notFound(reading.entries), ...this.found]);
			this.found = entries;
			for (const entry of reading.entries) this.foundKeys.add(this.keyOf(entry));
			const isEnough = entries.length >= this.query.wanted;
			const isTooLarge = !isEnough && (isCut || reading.isCut);
			if (isEnough || isTooLarge || from <= this.floor) {
				return { entries, complete: true, isTooLarge };
			}
			this.foundAll(from, reading.entries.length);
		}
		const entries = this.found.length > 0 ? this.found : this.lastRead;
		return { entries, complete: false, isTooLarge: false };
	}

	/** The last of them, as many as are wanted and together not too large, but at least one. */
	private newestOf(entries: AuditLogEntry[]): Cut {
		const { wanted, mostBytes } = this.query;
		const last = entries.slice(-wanted);
		let bytes = 0;
		for (let at = last.length - 1; at >= 0; at--) {
			bytes += this.bytes.get(last[at])!;
			const isTooMuch = bytes > mostBytes && at < last.length - 1;
			if (isTooMuch) return { entries: last.slice(at + 1), isCut: true };
		}
		return { entries: last, isCut: false };
	}

	/** Where the window before `end` has to end at the latest, as entries may be dated ahead. */
	private get edge(): number {
		return Math.max(this.floor, Math.min(this.end, this.query.now));
	}

	private nextWindow(): number {
		const back = Math.max(this.floor, this.edge - this.width);
		if (this.readUntil === undefined) return back;
		const unread = this.edge - this.readUntil;
		if (unread <= 1) return this.readUntil;
		return Math.max(
			back,
			this.readUntil + Math.max(1, Math.floor(Math.min(this.stride, unread / 2))),
		);
	}

	private foundAll(from: number, count: number): void {
		const change = count === 0 ? STEEPEST : (FILLING * this.query.pageSize) / count;
		const width = Math.max(1, this.edge - from);
		this.width = Math.ceil(width * Math.min(STEEPEST, Math.max(1 / STEEPEST, change)));
		this.end = from;
		this.stride = Infinity;
		if (this.readUntil !== undefined && this.end <= this.readUntil) this.readUntil = undefined;
	}

	private tooMuch(from: number, entries: AuditLogEntry[]): void {
		const first = this.timeOf(entries[0]) ?? from;
		const last = this.timeOf(entries.at(-1)) ?? from;
		const span = last > first ? last - first : Infinity;
		this.stride = this.readUntil === undefined ? 2 * span : Math.max(2 * this.stride, span);
		this.readUntil = Math.max(from, last);
	}

	/** Where the console goes by whole seconds, a window also shows the end of the one before it. */
	private notFound(entries: AuditLogEntry[]): AuditLogEntry[] {
		const early = this.found.filter((entry) => (this.timeOf(entry) ?? -Infinity) < this.end);
		const found = new Set(early.map((entry) => this.keyOf(entry)));
		return entries.filter((entry) => !found.has(this.keyOf(entry)));
	}

	private async read(from: number): Promise<Reading> {
		const { pageSize, mostRequests, wanted } = this.query;
		let call: PageCall = { since: isoTime(from), limit: pageSize };
		let newest: Cut = { entries: [], isCut: false };
		let lastBefore: number | undefined;
		let first: number | undefined;
		let count = 0;
		for (let pages = 1; this.requests < mostRequests; pages++) {
			this.requests++;
			const { items, nextPageToken, bytes } = await this.readPage(call);
			for (const entry of items) this.bytes.set(entry, bytes / items.length);
			const beyond = items.findIndex((entry) => this.isBeyond(entry));
			const within = beyond < 0 ? items : items.slice(0, beyond);
			const { entries, isCut } = this.newestOf([...newest.entries, ...within]);
			newest = { entries, isCut: isCut || newest.isCut };
			if (beyond >= 0) return { ...newest, complete: true, logEnded: false };
			if (items.length === 0 || nextPageToken === undefined) {
				return { ...newest, complete: true, logEnded: true };
			}
			const last = this.timeOf(items.at(-1)) ?? from;
			// Not the silence before it: that tells nothing of how much there is.
			first ??= this.timeOf(items[0]);
			const isShort = items.length < pageSize && pages <= SHORT_PAGES;
			const unread = this.edge - last;
			const stands = last === lastBefore;
			// A console that goes by whole seconds begins before it was asked to: only tokens lead on.
			const isAhead = last >= from;
			const holdsMore = stands || last - (first ?? from) < unread;
			count += items.length;
			const isEnough = count >= wanted - this.found.length;
			if (!isShort && unread > 1 && isAhead && holdsMore && isEnough) break;
			lastBefore = last;
			call = { ...call, pageToken: nextPageToken };
		}
		return { ...newest, complete: false, logEnded: false };
	}

	/** Whether it is past `until`, or found before: a time alone does not tell that, since all may be dated ahead. */
	private isBeyond(entry: AuditLogEntry): boolean {
		const dated = this.timeOf(entry) ?? -Infinity;
		if (dated > (this.query.until ?? Infinity)) return true;
		return dated >= this.end && this.foundKeys.has(this.keyOf(entry));
	}

	/** Made once: every window compares its entries with all that were found. */
	private keyOf(entry: AuditLogEntry): string {
		const known = this.keys.get(entry);
		const key = known ?? digestOf(JSON.stringify(entryId(entry, this.query.fields) ?? entry));
		if (known === undefined) this.keys.set(entry, key);
		return key;
	}

	/** Read once, for the same reason. */
	private timeOf(entry: AuditLogEntry | undefined): number | undefined {
		if (entry === undefined) return undefined;
		if (!this.times.has(entry)) this.times.set(entry, entryTime(entry, this.query.fields));
		return this.times.get(entry);
	}
}
