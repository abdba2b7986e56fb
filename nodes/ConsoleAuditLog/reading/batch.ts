import { entryTime } from '../../../services/console/auditLogEntry';
import type { AuditLogEntry } from '../../../services/console/auditLogEntry';
import type { OtherLog } from './otherLog';
import type { ReadingSettings } from './readingSettings';
import type { ReadSoFar } from './readSoFar';
import { CLOCK_STEP_MS } from './readSoFar';
import type { SeenEntries } from './seenEntries';

/** What an entry takes in memory at least while it is held, in bytes: one that is a bare number, too. */
const BYTES_OF_AN_ENTRY = 400;

/** How a page came. Times are milliseconds since the epoch. */
interface PageOrigin {
	/** The server's time when it was asked for. */
	serverTime: number;
	since?: number;
	/** As `Answer` counts them. */
	bytes: number;
}

/** What one poll delivers: takes entries into what was read, as many as were asked for. */
export class Batch {
	/** Whether an entry came that is not to be delivered now: the rest of its page is left. */
	isClosed = false;
	private lastPageLength = Infinity;

	constructor(
		private readonly settings: ReadingSettings,
		private readonly read: ReadSoFar,
		private readonly seen: SeenEntries,
		private readonly otherLog: OtherLog,
	) {}

	/** How many more entries it may hold. */
	get room(): number {
		const { maxEntries, count = Infinity } = this.settings;
		return Math.min(maxEntries, count) - this.read.found.length;
	}

	/** Whether one more page is to be read. */
	wantsPage(limit: number): boolean {
		if (this.isClosed) return false;
		const { read, settings } = this;
		// Stop where a page ends: what one poll may deliver need not be all that is there. Pages may
		// be shorter than asked for, and one that is longer again is left in its middle, at an anchor.
		const page = read.anchor === undefined ? limit : Math.min(limit, this.lastPageLength);
		const least = settings.count === undefined ? page : 1;
		const hasRoom = this.room >= least && read.bytes < settings.mostBytes;
		return hasRoom || read.found.length === 0 || this.otherLog.isPossible;
	}

	/** Takes the entries of a page. Whether any of them was not delivered before. */
	take(entries: AuditLogEntry[], { serverTime, since, bytes }: PageOrigin): boolean {
		const { read, otherLog, settings } = this;
		const mayBeOther = otherLog.isPossible;
		const foundBefore = read.found.length;
		this.lastPageLength = entries.length;
		for (const entry of entries) {
			this.takeEntry(entry, serverTime, since);
			if (this.isClosed) break;
		}
		const newEntries = read.found.length - foundBefore;
		if (newEntries > 0) read.bytes += Math.max(bytes, newEntries * BYTES_OF_AN_ENTRY);
		if (mayBeOther) otherLog.holdAtMost(settings);
		return newEntries > 0;
	}

	private takeEntry(entry: AuditLogEntry, serverTime: number, since?: number): void {
		const { read, settings, otherLog } = this;
		const { until = Infinity } = settings;
		const dated = entryTime(entry, settings);
		// Only later entries may show whether this is another log.
		this.isClosed = (dated ?? 0) > until && !otherLog.isPossible;
		if (this.isClosed) return;
		const latest = Math.max(serverTime + CLOCK_STEP_MS, read.readTo ?? 0);
		const result = this.seen.observe(entry, dated, latest);
		if (!result) return;
		this.isClosed = result.isNew && this.room <= 0 && !otherLog.isPossible;
		if (this.isClosed) return;
		read.add(result.observed, since);
		if (result.isNew) read.found.push(result.observed);
	}
}
