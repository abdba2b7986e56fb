import { parsedTime } from '../../../input/parsedTime';
import { entryTime, RETENTION_MS } from '../../../services/console/auditLogEntry';
import type { AuditLogEntry, EntryFields } from '../../../services/console/auditLogEntry';
import type { AuditLogPage, PageCall } from '../../../services/console/auditLogPage';
import type { ObservedEntry } from './observedEntry';
import type { ReadingCredential } from '../../common/polling/credentialMark';
import { digestOf } from '../../../services/digestOf';
import { PageCalls } from './pageCalls';
import type { PageFailure } from './pageCalls';
import { PageSize } from './pageSize';
import type { LearnedPageSize } from './pageSize';
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

/** What polls of this process learned of a log, whether or not they could store it. */
export interface ReadingMemory {
	pageSize?: LearnedPageSize;
	/** Digest of a stored page token that failed. */
	failedToken?: string;
	/** A reading that could not tell yet whether it is of the same log, so that it delivered nothing. */
	unfinished?: LogReading;
}

/** What a reading knows besides the stored position. */
export interface ReadingContext {
	/** In milliseconds since the epoch. */
	now: number;
	memory?: ReadingMemory;
	credential?: ReadingCredential;
}

/**
 * The reading of a poll: the unfinished one of the poll before, if that began at the same position,
 * with the same settings and credential, else a new one.
 */
export function readingFrom(
	before: PollState,
	settings: ReadingSettings,
	context: ReadingContext,
): LogReading {
	const { unfinished, ...memory } = context.memory ?? {};
	const reading = new LogReading(before, settings, { ...context, memory });
	if (unfinished?.isOfSameBeginning(reading) !== true) return reading;
	unfinished.carryOn();
	return unfinished;
}

/**
 * One poll as pure steps: which call to make, what its answer holds that is new, and the state that
 * follows. It sends nothing and has no clock.
 */
export class LogReading {
	private readonly found: ObservedEntry[] = [];
	private readonly seen: SeenEntries;
	private readonly times = new TimeRange();
	private readonly pageSize: PageSize;
	private readonly calls: PageCalls;
	private failedToken: string | undefined;
	/** The token with which this reading goes on after a pause between two polls. */
	private carriedToken: string | undefined;
	private asOf: number | undefined;
	private serverTime: number | undefined;
	private stopped = false;
	private gap = false;

	constructor(
		private readonly before: PollState,
		private readonly settings: ReadingSettings,
		private readonly context: ReadingContext,
	) {
		const { now, memory } = context;
		this.failedToken = memory?.failedToken;
		this.seen = new SeenEntries(before, settings, settings.lookbackMs);
		const stored = this.isOtherCredential ? undefined : before.pageSize;
		const learned = memory?.pageSize ?? stored;
		this.pageSize = new PageSize(settings.pageSize, learned, settings.maxEntries, now);
		this.calls = new PageCalls(this.beginning(), this.pageSize, before.from);
	}

	/** Entries that were not delivered before; none as long as it may be another log. */
	get newEntries(): ObservedEntry[] {
		return this.mayBeOtherLog ? [] : this.found;
	}

	/** The next call, or `undefined` when this poll has read what it may. */
	get nextCall(): PageCall | undefined {
		const call = this.calls.next;
		if (call === undefined || this.stopped || this.isOtherLog) return undefined;
		// Stop where a page ends: what one poll may deliver need not be all that is there.
		const isWanted = this.room >= call.limit || this.found.length === 0 || this.mayBeOtherLog;
		return isWanted ? call : undefined;
	}

	/**
	 * Whether this is another log than the one the position is of: the credential is another, and the
	 * stretch that is remembered was read without meeting an entry that is.
	 */
	get isOtherLog(): boolean {
		const { readTo = -Infinity } = this.times;
		const isRead = this.reachedEnd || readTo > (parsedTime(this.before.since) ?? Infinity);
		return this.mayBeOtherLog && this.hasRead && isRead;
	}

	/** What the next poll of this process is to know, whatever becomes of this one. */
	get memory(): ReadingMemory {
		const isUnfinished = this.mayBeOtherLog && this.hasRead && this.nextCall !== undefined;
		return {
			pageSize: this.pageSize.toTry,
			failedToken: this.failedToken,
			unfinished: isUnfinished ? this : undefined,
		};
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

	/** Whether all that was asked for was read. */
	get isFinished(): boolean {
		return this.calls.reachedEnd || this.stopped;
	}

	/** Whether any page was read. */
	get hasRead(): boolean {
		return this.serverTime !== undefined;
	}

	/** Whether another reading begins at the same position, with the same settings and credential. */
	isOfSameBeginning(other: LogReading): boolean {
		return this.beginsWith === other.beginsWith;
	}

	/** The reading goes on in another poll. */
	carryOn(): void {
		this.carriedToken = this.calls.next?.pageToken;
	}

	/**
	 * Takes the answer to `nextCall`.
	 * @param serverTime The server's clock when it was asked, in milliseconds.
	 */
	take(page: AuditLogPage, serverTime: number): void {
		const call = this.calls.next!;
		const isCarried = call.pageToken !== undefined && call.pageToken === this.carriedToken;
		this.carriedToken = undefined;
		if (isCarried && page.items.length === 0) {
			// What a token gets that is no longer good may look like the end of the log.
			this.calls.failed('token');
			return;
		}
		this.asOf ??= serverTime;
		this.serverTime = Math.max(this.serverTime ?? 0, serverTime);
		this.noteRetention(serverTime);
		if (call.pageToken === undefined) {
			this.seen.restart();
			this.times.beginAt(parsedTime(call.since));
		}
		const foundBefore = this.found.length;
		const observedBefore = this.seen.observedCount;
		const { until } = this.settings;
		for (const entry of this.ledBack(page, call) ? [] : page.items) {
			this.stopped = until !== undefined && (entryTime(entry, this.settings) ?? 0) > until;
			if (this.stopped) break;
			this.takeEntry(entry, serverTime);
		}
		this.calls.took(page, {
			position: this.anchor,
			foundNew: this.found.length > foundBefore,
			foundUnread: this.seen.observedCount > observedBefore,
			room: this.room,
		});
	}

	/** `nextCall` failed. Whether there is another way to go on. */
	failed(failure: PageFailure): boolean {
		const { token } = this.before.resume ?? {};
		if (token !== undefined && this.calls.next?.pageToken === token) {
			this.failedToken = digestOf(token);
		}
		return this.calls.failed(failure);
	}

	/** The state after what was taken so far; unchanged if nothing was. */
	get state(): PollState {
		if (this.asOf === undefined || !this.hasRead || this.mayBeOtherLog) return this.before;
		const state = stateAfter(this.before, this.progress(this.asOf), this.settings.lookbackMs);
		return this.marked(this.gap ? { ...state, gapReported: true } : state);
	}

	/**
	 * The state of a trigger that starts at a moment: what was read and is older is known, and
	 * nothing of it was delivered. A server tells its time in whole seconds, so an entry of that
	 * very second is delivered by the next poll rather than lost. If the lookback could not be read
	 * to its end, the state begins without one.
	 * @param moment By the server's clock, in milliseconds.
	 */
	startingAt(moment: number): PollState {
		const start = this.marked(freshState(this.before.scope, moment));
		if (!this.reachedEnd) return start;
		const isOlder = ({ dated }: DeliveredEntry) => dated === undefined || dated < moment;
		const progress = this.progress(moment);
		return this.marked(
			stateAfter(
				{ ...start, from: this.before.from },
				{ ...progress, delivered: progress.delivered.filter(isOlder) },
				this.settings.lookbackMs,
			),
		);
	}

	private marked(state: PollState): PollState {
		const mark = this.context.credential?.mark ?? this.before.credential;
		return mark === undefined ? state : { ...state, credential: mark };
	}

	private get beginsWith(): string {
		return JSON.stringify([this.before, this.settings, this.context.credential?.mark]);
	}

	private get isOtherCredential(): boolean {
		return this.context.credential?.isOther ?? false;
	}

	private get mayBeOtherLog(): boolean {
		return this.isOtherCredential && this.before.seen.length > 0 && !this.seen.foundKnown;
	}

	/** How many more entries this poll may deliver. */
	private get room(): number {
		return this.settings.maxEntries - this.found.length;
	}

	private beginning(): PageCall {
		const { from, resume } = this.before;
		const fromScratch = { since: from, limit: this.pageSize.current };
		// What another credential may see is told by reading again what is remembered.
		if (!resume || this.isOtherCredential) return fromScratch;
		const { at, token, since, limit } = resume;
		if (token !== undefined && !this.isUsable(token, limit)) return fromScratch;
		this.asOf = parsedTime(resume.asOf);
		this.times.beginAt(parsedTime(at));
		return token === undefined ? { ...fromScratch, since: at } : { since, limit, pageToken: token };
	}

	private isUsable(token: string, limit: number): boolean {
		return limit <= this.pageSize.largest && digestOf(token) !== this.failedToken;
	}

	private progress(asOf: number): PollProgress {
		const { serverTime = asOf, anchor } = this;
		const { readTo, ascending, endsUndated } = this.times;
		return {
			delivered: this.found,
			reachedEnd: this.reachedEnd,
			readTo,
			anchor,
			ascending,
			endsUndated,
			identified: this.seen.identified,
			asOf,
			serverTime,
			next: this.stopped ? undefined : this.calls.toResume,
			pageSize: this.pageSize.toStore,
		};
	}

	/** Time of the last entry read, if reading can restart there. */
	private get anchor(): number | undefined {
		const { lastDated, ascending } = this.times;
		return ascending && this.seen.countsAnywhere ? lastDated : undefined;
	}

	private takeEntry(entry: AuditLogEntry, serverTime: number): void {
		const latest = Math.max(serverTime + CLOCK_STEP_MS, this.times.readTo ?? 0);
		const result = this.seen.observe(entry, latest);
		if (!result) return;
		this.times.add(result.observed.dated);
		if (result.isNew) this.found.push(result.observed);
	}

	/**
	 * Whether a token led back, as a stale one may: before what this reading began with or, as entries
	 * without an ID do not show it by themselves, before what it has read.
	 */
	private ledBack(page: AuditLogPage, { pageToken }: PageCall): boolean {
		const { lastDated } = this.times;
		const earliest = (this.seen.identified ? undefined : lastDated) ?? parsedTime(this.before.from);
		if (pageToken === undefined || earliest === undefined) return false;
		const times = page.items.map((entry) => entryTime(entry, this.settings));
		return (times.find((time) => time !== undefined) ?? Infinity) < earliest;
	}

	private noteRetention(serverTime: number): void {
		const from = parsedTime(this.before.from);
		if (this.before.gapReported || from === undefined) return;
		this.gap = from + this.settings.lookbackMs < serverTime - RETENTION_MS;
	}
}
