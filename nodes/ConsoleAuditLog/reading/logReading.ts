import { parsedTime } from '../../../input/parsedTime';
import { entryTime, RETENTION_MS } from '../../../services/console/auditLogEntry';
import type { AuditLogEntry, EntryFields } from '../../../services/console/auditLogEntry';
import type { AuditLogPage, PageCall } from '../../../services/console/auditLogPage';
import { KnownEntries } from './knownEntries';
import { UNKNOWN } from './metEntry';
import type { MetEntry } from './metEntry';
import { PageCalls } from './pageCalls';
import { PageSize } from './pageSize';
import { CLOCK_STEP_MS, freshState, stateAfter } from './pollState';
import type { DeliveredDigest, PollProgress, PollState, StateLimits } from './pollState';
import { ReadTimes } from './readTimes';
import { DIGEST_BOUNDS } from './seenDigests';

/** What the user chose for reading the log. */
export interface ReadingSettings extends EntryFields {
	/** How far behind the newest entry late ones are looked for, in milliseconds. */
	lookbackMs: number;
	/** Entries in one page, if the user set it. */
	pageSize?: number;
	/** Most entries that one poll hands over. */
	maxEntries: number;
	/** Most delivered entries that are remembered; by default as many as the state may hold. */
	mostDigests?: number;
	/** Entries dated later, in milliseconds, are left for later. */
	until?: number;
}

/**
 * One poll as pure steps: which call to make, what its answer holds that is new, and the state that
 * follows. It sends nothing and has no clock.
 */
export class LogReading {
	/** Entries that were not handed over before. */
	readonly newEntries: MetEntry[] = [];
	private readonly known: KnownEntries;
	private readonly times = new ReadTimes();
	private readonly pageSize: PageSize;
	private readonly calls: PageCalls;
	private asOf: number | undefined;
	private serverTime = 0;
	private beganAnew = false;
	private cut = false;
	private gap = false;

	constructor(
		private readonly before: PollState,
		private readonly settings: ReadingSettings,
	) {
		this.known = new KnownEntries(before, settings, settings.lookbackMs);
		this.pageSize = new PageSize(settings.pageSize, before.pageSize, settings.maxEntries);
		this.calls = new PageCalls(this.beginning(), this.pageSize, before.from);
	}

	/** The next call, or `undefined` when this poll has read what it may. */
	get nextCall(): PageCall | undefined {
		const call = this.calls.next;
		if (call === undefined || this.cut || this.newEntries.length >= this.settings.maxEntries) {
			return undefined;
		}
		// In the middle of a backlog, stop where a page ends: the token goes on from there.
		const wouldCut = this.newEntries.length + call.limit > this.settings.maxEntries;
		const { lookbackMs } = this.settings;
		const inBacklog = (this.times.readTo ?? Infinity) <= (this.asOf ?? 0) - lookbackMs;
		if (call.pageToken !== undefined && this.newEntries.length > 0 && wouldCut && inBacklog) {
			return undefined;
		}
		return call;
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

	/** Whether the end of the log was read, and nothing of it left for later. */
	get reachedEnd(): boolean {
		return !this.cut && this.calls.reachedEnd;
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
		if (call.pageToken === undefined) this.beginAt(call.since);
		const deliveredBefore = this.newEntries.length;
		const metBefore = this.known.metCount;
		for (const entry of this.ledBack(page) ? [] : page.items) {
			this.cut = this.isFullFor(entry) && !this.known.wouldKnow(entry);
			if (this.cut) break;
			this.takeEntry(entry);
		}
		this.calls.took(page, {
			position: this.anchor,
			foundNew: this.newEntries.length > deliveredBefore,
			foundUnread: this.known.metCount > metBefore,
		});
	}

	/** The service refused `nextCall`. Whether there is another way to go on. */
	refused(tooLong: boolean): boolean {
		return this.calls.refused(tooLong);
	}

	/** The state after what was taken so far; unchanged if nothing was. */
	get state(): PollState {
		if (this.asOf === undefined || !this.hasRead) return this.before;
		const state = stateAfter(this.before, this.progress(this.asOf), this.limits);
		return this.gap ? { ...state, gapTold: true } : state;
	}

	/**
	 * The state of a trigger that starts at a moment: what was read and is older is known, and
	 * nothing of it was handed over. A server tells its time in whole seconds, so an entry of that
	 * very second is handed over by the next poll rather than lost. If the lookback could not be read
	 * to its end, the state begins without one.
	 * @param moment By the server's clock, in milliseconds.
	 */
	startingAt(moment: number): PollState {
		const start = freshState(this.before.scope, moment);
		if (!this.calls.reachedEnd || this.cut) return start;
		const isOlder = ({ dated }: DeliveredDigest) => dated === undefined || dated < moment;
		const progress = this.progress(moment);
		return stateAfter(
			{ ...start, from: this.before.from },
			{ ...progress, delivered: progress.delivered.filter(isOlder) },
			this.limits,
		);
	}

	private get limits(): StateLimits {
		const { lookbackMs, mostDigests = DIGEST_BOUNDS.all } = this.settings;
		return { lookbackMs, mostDigests };
	}

	private beginning(): PageCall {
		const { from, resume } = this.before;
		const { pageSize } = this.settings;
		const anew = { since: from, limit: this.pageSize.current };
		if (!resume) return anew;
		const { at, token, since, limit } = resume;
		if (token !== undefined && pageSize !== undefined && pageSize !== limit) return anew;
		this.asOf = parsedTime(resume.asOf);
		this.times.beginAt(parsedTime(at));
		return token === undefined ? { ...anew, since: at } : { since, limit, pageToken: token };
	}

	private progress(asOf: number): PollProgress {
		const { serverTime, anchor } = this;
		const { readTo, ascending, endsUndated } = this.times;
		const { identified, leftToPass } = this.known;
		const latest = Math.max(serverTime + CLOCK_STEP_MS, readTo ?? 0);
		const next = this.cut ? { limit: this.pageSize.current } : this.calls.toResume;
		return {
			delivered: this.newEntries.map((one) =>
				one.time === UNKNOWN ? one.generatedBy(latest) : one,
			),
			reachedEnd: this.reachedEnd,
			readTo,
			anchor,
			ascending,
			endsUndated,
			identified,
			asOf,
			serverTime,
			beganAnew: this.beganAnew,
			next: next && { ...next, leftToPass },
			pageSize: this.pageSize.toRemember,
		};
	}

	/** Time of the last entry read, if reading can begin anew there. */
	private get anchor(): number | undefined {
		const { lastDated, ascending } = this.times;
		const { countsAnywhere } = this.known;
		const isBeforePassed = (lastDated ?? 0) <= (this.before.passed?.last ?? -1);
		return ascending && countsAnywhere && !isBeforePassed ? lastDated : undefined;
	}

	private beginAt(since: string | undefined): void {
		this.beganAnew = this.newEntries.length > 0;
		this.known.beginAnew();
		this.times.beginAt(parsedTime(since));
	}

	private isFullFor(entry: AuditLogEntry): boolean {
		const { maxEntries, until } = this.settings;
		if (this.newEntries.length >= maxEntries) return true;
		return until !== undefined && (entryTime(entry, this.settings) ?? until) > until;
	}

	private takeEntry(entry: AuditLogEntry): void {
		const met = this.known.meet(entry);
		if (!met) return;
		this.times.note(met.dated);
		if (!this.known.takeIfNew(met, this.times.readTo ?? 0)) return;
		if (met.dated === undefined) this.times.awaitTime(met);
		this.newEntries.push(met);
	}

	/**
	 * Whether a token led back to a page that was read. Entries with an id show it by themselves;
	 * without one, those of an earlier time would count as further, equal ones.
	 */
	private ledBack(page: AuditLogPage): boolean {
		const { lastDated } = this.times;
		if (this.known.identified || lastDated === undefined) return false;
		const times = page.items.map((entry) => entryTime(entry, this.settings));
		return (times.find((time) => time !== undefined) ?? Infinity) < lastDated;
	}

	private noteRetention(serverTime: number): void {
		const from = parsedTime(this.before.from);
		if (this.before.gapTold || from === undefined) return;
		this.gap = from + this.settings.lookbackMs < serverTime - RETENTION_MS;
	}
}
