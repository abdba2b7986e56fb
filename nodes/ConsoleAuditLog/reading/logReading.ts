import { parsedTime } from '../../../input/parsedTime';
import { entryTime, RETENTION_MS } from '../../../services/console/auditLogEntry';
import type { AuditLogEntry, EntryFields } from '../../../services/console/auditLogEntry';
import type { AuditLogPage, PageCall } from '../../../services/console/auditLogPage';
import type { ObservedEntry } from './observedEntry';
import { PageCalls } from './pageCalls';
import { PageSize } from './pageSize';
import { CLOCK_STEP_MS, freshState, stateAfter } from './pollState';
import type { DeliveredEntry, PollProgress, PollState } from './pollState';
import { SeenEntries } from './seenEntries';
import { TimeRange } from './timeRange';

/** What the user chose for reading the log. */
export interface ReadingSettings extends EntryFields {
	/** How far behind the newest entry late ones are looked for, in milliseconds. */
	lookbackMs: number;
	/** Entries in one page, if the user set it. */
	pageSize?: number;
	/** Most entries that one poll delivers. */
	maxEntries: number;
	/** Entries dated later, in milliseconds since the epoch, are left for a later reading. */
	until?: number;
}

/**
 * One poll as pure steps: which call to make, what its answer holds that is new, and the state that
 * follows. It sends nothing and has no clock.
 */
export class LogReading {
	/** Entries that were not delivered before. */
	readonly newEntries: ObservedEntry[] = [];
	private readonly seen: SeenEntries;
	private readonly times = new TimeRange();
	private readonly pageSize: PageSize;
	private readonly calls: PageCalls;
	private asOf: number | undefined;
	private serverTime = 0;
	private stopped = false;
	private gap = false;

	constructor(
		private readonly before: PollState,
		private readonly settings: ReadingSettings,
	) {
		this.seen = new SeenEntries(before, settings, settings.lookbackMs);
		this.pageSize = new PageSize(settings.pageSize, before.pageSize, settings.maxEntries);
		this.calls = new PageCalls(this.beginning(), this.pageSize, before.from);
	}

	/** The next call, or `undefined` when this poll has read what it may. */
	get nextCall(): PageCall | undefined {
		const call = this.calls.next;
		if (call === undefined || this.stopped) return undefined;
		// Stop where a page ends: what one poll may deliver need not be all that is there.
		return this.room >= call.limit || this.newEntries.length === 0 ? call : undefined;
	}

	/** Whether `nextCall` asks for a page size that was never answered yet. */
	get triesLargerPage(): boolean {
		return this.calls.triesLargerPage;
	}

	/** Whether the tokens led in a circle, so that what may follow could not be read. */
	get wentInCircles(): boolean {
		return this.calls.wentInCircles;
	}

	/** Whether entries after the last reading were deleted before they could be read. */
	get missedRetention(): boolean {
		return this.gap;
	}

	/** Whether nothing more was there when the last page was read. */
	get reachedEnd(): boolean {
		return this.calls.reachedEnd && !this.stopped;
	}

	/** Whether any page was read. */
	get hasRead(): boolean {
		return this.serverTime > 0;
	}

	/**
	 * Takes the answer to `nextCall`.
	 * @param serverTime The server's clock when it was asked, in milliseconds.
	 */
	take(page: AuditLogPage, serverTime: number): void {
		const call = this.calls.next!;
		this.asOf ??= serverTime;
		this.serverTime = Math.max(this.serverTime, serverTime);
		this.noteRetention(serverTime);
		if (call.pageToken === undefined) {
			this.seen.restart();
			this.times.beginAt(parsedTime(call.since));
		}
		const deliveredBefore = this.newEntries.length;
		const observedBefore = this.seen.observedCount;
		for (const entry of this.ledBack(page) ? [] : page.items) {
			this.stopped = (entryTime(entry, this.settings) ?? 0) > (this.settings.until ?? Infinity);
			if (this.stopped) break;
			this.takeEntry(entry, serverTime);
		}
		this.calls.took(page, {
			position: this.anchor,
			foundNew: this.newEntries.length > deliveredBefore,
			foundUnread: this.seen.observedCount > observedBefore,
			room: this.room,
		});
	}

	/** The service refused `nextCall`. Whether there is another way to go on. */
	refused(tooLong: boolean): boolean {
		return this.calls.refused(tooLong);
	}

	/** The state after what was taken so far; unchanged if nothing was. */
	get state(): PollState {
		if (this.asOf === undefined || !this.hasRead) return this.before;
		const state = stateAfter(this.before, this.progress(this.asOf), this.settings.lookbackMs);
		return this.gap ? { ...state, gapReported: true } : state;
	}

	/**
	 * The state of a trigger that starts at a moment: what was read and is older is known, and
	 * nothing of it was delivered. A server tells its time in whole seconds, so an entry of that
	 * very second is delivered by the next poll rather than lost. If the lookback could not be read
	 * to its end, the state begins without one.
	 * @param moment By the server's clock, in milliseconds.
	 */
	startingAt(moment: number): PollState {
		const start = freshState(this.before.scope, moment);
		if (!this.reachedEnd) return start;
		const isOlder = ({ dated }: DeliveredEntry) => dated === undefined || dated < moment;
		const progress = this.progress(moment);
		return stateAfter(
			{ ...start, from: this.before.from },
			{ ...progress, delivered: progress.delivered.filter(isOlder) },
			this.settings.lookbackMs,
		);
	}

	/** How many more entries this poll may deliver. */
	private get room(): number {
		return this.settings.maxEntries - this.newEntries.length;
	}

	private beginning(): PageCall {
		const { from, resume } = this.before;
		const fromScratch = { since: from, limit: this.pageSize.current };
		if (!resume) return fromScratch;
		const { at, token, since, limit } = resume;
		if (token !== undefined && limit > this.pageSize.largest) return fromScratch;
		this.asOf = parsedTime(resume.asOf);
		this.times.beginAt(parsedTime(at));
		return token === undefined ? { ...fromScratch, since: at } : { since, limit, pageToken: token };
	}

	private progress(asOf: number): PollProgress {
		const { serverTime, anchor } = this;
		const { readTo, ascending, endsUndated } = this.times;
		return {
			delivered: this.newEntries,
			reachedEnd: this.reachedEnd,
			readTo,
			anchor,
			ascending,
			endsUndated,
			identified: this.seen.identified,
			asOf,
			serverTime,
			next: this.stopped ? undefined : this.calls.toResume,
			pageSize: this.pageSize.toRemember,
		};
	}

	/** Time of the last entry read, if reading can restart there. */
	private get anchor(): number | undefined {
		const { lastDated, ascending } = this.times;
		return ascending && this.seen.countsAnywhere ? lastDated : undefined;
	}

	private takeEntry(entry: AuditLogEntry, serverTime: number): void {
		const latest = Math.max(serverTime + CLOCK_STEP_MS, this.times.readTo ?? 0);
		const observed = this.seen.observe(entry, latest);
		if (!observed) return;
		this.times.add(observed.dated);
		if (this.seen.addIfNew(observed)) this.newEntries.push(observed);
	}

	/**
	 * Whether a token led back to a page that was read. Entries with an ID show it by themselves;
	 * without one, those of an earlier time would count as further, equal ones.
	 */
	private ledBack(page: AuditLogPage): boolean {
		const { lastDated } = this.times;
		if (this.seen.identified || lastDated === undefined) return false;
		const times = page.items.map((entry) => entryTime(entry, this.settings));
		return (times.find((time) => time !== undefined) ?? Infinity) < lastDated;
	}

	private noteRetention(serverTime: number): void {
		const from = parsedTime(this.before.from);
		if (this.before.gapReported || from === undefined) return;
		this.gap = from + this.settings.lookbackMs < serverTime - RETENTION_MS;
	}
}
