import { parsedTime } from '../../../input/parsedTime';
import { isoTime, KEPT_MS, RETENTION_MS } from '../../../services/console/auditLogEntry';
import type { AuditLogPage, PageCall } from '../../../services/console/auditLogPage';
import type { ReadingCredential } from '../../common/polling/credentialMark';
import { Batch } from './batch';
import { firstCall } from './firstCall';
import type { IdleAnswer } from './idleAnswer';
import { IdleCheck } from './idleAnswer';
import { OtherLog } from './otherLog';
import { PageCalls } from './pageCalls';
import type { PageFailure } from './pageCalls';
import { PageSize } from './pageSize';
import type { LearnedPageSize } from './pageSize';
import { clockWentBack, stateAfter } from './nextState';
import type { PollResult } from './nextState';
import type { ObservedEntry } from './observedEntry';
import { freshState } from './pollState';
import type { PollState } from './pollState';
import type { ReadingSettings } from './readingSettings';
import { ReadSoFar } from './readSoFar';
import { ReturningPages } from './returningPages';
import { SeenEntries } from './seenEntries';
import { measuredSkip } from './skippedStretch';
import type { TokenMemory } from './storedToken';
import { StoredToken } from './storedToken';

/** What polls of this process learned of a log, whether or not they could store it. */
export interface ReadingMemory {
	pageSize?: LearnedPageSize;
	token?: TokenMemory;
	/** Whether the console listed entries dated before `since`. */
	listsEarlier?: boolean;
	/** How much the page at the stored position skipped, in milliseconds, while nothing else was answered. */
	skippedMs?: number;
	/** How many polls found that it skipped some, and could not read what. */
	failedSkips?: number;
	/** When the log was last read to its end, by n8n's clock, in milliseconds. */
	lastReadAt?: number;
	idle?: IdleAnswer;
	/** A reading that could not tell yet whether it is of the same log, so that it delivered nothing. */
	unfinished?: LogReading;
}

/** After so many the log is read on where it is: a console that answers there, and not before, stops nothing. */
const MOST_FAILED_SKIPS = 2;

/** By so much, in milliseconds, the console's clock may be ahead of n8n's where it deletes what is old. */
const CLOCKS_DIFFER_MS = 60_000;

/** What a reading knows besides the stored position. */
export interface ReadingContext {
	/** In milliseconds since the epoch. */
	now: number;
	memory?: ReadingMemory;
	credential?: ReadingCredential;
}

/** What is known of an answer besides its page. */
interface AnswerFacts {
	bytes?: number;
	/** Of its bytes. */
	digest?: string;
	/** Whether its time is what the server told, and not n8n's. */
	isTold?: boolean;
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
	if (!unfinished || unfinished.beginning !== reading.beginning) return reading;
	unfinished.carryOn();
	return unfinished;
}

/**
 * One poll as pure steps: which call to make, what its answer holds that is new, and the state that
 * follows. It sends nothing and has no clock.
 */
export class LogReading {
	private readonly read: ReadSoFar;
	private readonly seen: SeenEntries;
	private readonly pageSize: PageSize;
	private readonly calls: PageCalls;
	private readonly returns: ReturningPages;
	private readonly storedToken: StoredToken;
	private readonly idleCheck: IdleCheck;
	private readonly otherLog: OtherLog;
	private readonly batch: Batch;
	private skippedMs: number | undefined;
	/** As in `ReadingMemory`. */
	private failedSkips: number;
	/** The token with which this reading goes on after a pause between two polls. */
	private carriedToken: string | undefined;
	/** Whether this reading has read from a position on, so that it observed what follows there. */
	private beganAtPosition = false;

	constructor(
		private readonly before: PollState,
		private readonly settings: ReadingSettings,
		private readonly context: ReadingContext,
	) {
		const { now, memory } = context;
		this.skippedMs = memory?.skippedMs;
		this.failedSkips = memory?.failedSkips ?? 0;
		this.read = new ReadSoFar(settings.lookbackMs, this.skippedMs ?? before.aheadMs);
		this.storedToken = new StoredToken(before.resume?.token, memory?.token);
		this.idleCheck = new IdleCheck(memory?.idle);
		this.seen = new SeenEntries(before, settings, settings.lookbackMs);
		const { isBeforeFrom } = before.resume ?? {};
		if (this.skippedMs !== undefined || isBeforeFrom) this.seen.beginsEarlier();
		this.otherLog = new OtherLog(before, this.read, this.seen, context.credential);
		this.batch = new Batch(settings, this.read, this.seen, this.otherLog);
		this.returns = new ReturningPages(settings, this.read, this.seen, {
			from: parsedTime(before.from),
			listsEarlier: memory?.listsEarlier ?? false,
		});
		const stored = this.otherLog.isOtherCredential ? undefined : before.pageSize;
		const learned = memory?.pageSize ?? stored;
		this.pageSize = new PageSize(settings.pageSize, learned, settings.maxEntries, now);
		// What another credential may see, also before the point to resume at, is told by reading again
		// what is remembered.
		const resume = this.otherLog.isOtherCredential ? undefined : before.resume;
		const { call, restart, resumed } = firstCall({ from: before.from, resume }, this.pageSize, {
			skippedMs: this.skippedMs,
			mayUseToken: !this.storedToken.isRefused,
		});
		if (resumed) {
			this.read.asOf = resumed.asOf;
			this.read.beginAt(resumed.at);
		}
		const stoppedAt = resume?.canRestart && !this.seen.isFull ? resumed?.at : undefined;
		this.calls = new PageCalls(call, this.pageSize, restart, stoppedAt);
	}

	/** Entries that were not delivered before; none as long as it may be another log. */
	get newEntries(): ObservedEntry[] {
		return this.mayBeOtherLog || this.mustReadAgain ? [] : this.read.found;
	}

	/** The next call, or `undefined` when this poll has read what it may. */
	get nextCall(): PageCall | undefined {
		const call = this.calls.next;
		if (call === undefined || this.isOtherLog || this.mustReadAgain) return undefined;
		return this.batch.wantsPage(call.limit) ? call : undefined;
	}

	get hasRead(): boolean {
		return this.serverTime !== undefined;
	}

	/** The server's time when the last page was asked for. */
	get serverTime(): number | undefined {
		return this.read.serverTime;
	}

	/** Whether nothing more was there when the last page was read. */
	get reachedEnd(): boolean {
		return this.calls.reachedEnd && !this.batch.isClosed;
	}

	/** Whether all that was asked for was read. */
	get isFinished(): boolean {
		return this.calls.reachedEnd || this.batch.isClosed;
	}

	/**
	 * Whether the console lists entries dated before the `since` that it was asked for. That it does not
	 * shows only what was read from the stored position on, without a token.
	 */
	get listsEarlier(): boolean {
		const listedEarlier = this.context.memory?.listsEarlier ?? false;
		const { listsEarlier, begunAt = 0 } = this.read;
		const shows = this.beganAtPosition && begunAt >= (parsedTime(this.before.from) ?? 0);
		return listsEarlier || (listedEarlier && !shows);
	}

	/** Whether entries were read, none of which has an ID. */
	get lacksIds(): boolean {
		return this.read.hasEntries && !this.read.hasIds;
	}

	/** Whether entries were read, none of which has a time. */
	get lacksTimes(): boolean {
		return this.read.hasEntries && !this.read.hasTimes;
	}

	/** Whether the console's clock was ahead when the position was read. */
	get clockWentBack(): boolean {
		return clockWentBack(this.before, this.result);
	}

	/** Whether nothing was delivered yet since the date that the user chose. */
	private get isAtStartDate(): boolean {
		const { startDate } = this.settings;
		return startDate !== undefined && parsedTime(this.before.from) === startDate;
	}

	/** Whether the tokens led in a circle, so that what may follow could not be read. */
	get wentInCircles(): boolean {
		return this.calls.wentInCircles;
	}

	/** Whether entries after the last reading were deleted before they could be read. */
	get missedRetention(): boolean {
		const from = parsedTime(this.before.from) ?? Infinity;
		const { serverTime = -Infinity } = this.read;
		const isGone = from + this.settings.lookbackMs < serverTime - RETENTION_MS;
		return isGone && this.before.gapReported !== true;
	}

	/** Whether this is another log than the one the position is of. */
	get isOtherLog(): boolean {
		return this.otherLog.isCertain(this.reachedEnd, this.clockWentBack || this.missedRetention);
	}

	/** Whether this is the same log, to be read from `state` on in the place of what was read so far. */
	get mustReadAgain(): boolean {
		return this.otherLog.mustReadAgain;
	}

	/** What the next poll of this process is to know, whatever becomes of this one. */
	get memory(): ReadingMemory {
		const isUnfinished = this.mayBeOtherLog && this.hasRead && this.nextCall !== undefined;
		const isTried = this.context.memory?.skippedMs !== undefined;
		return {
			pageSize: this.pageSize.toBeginWith,
			token: this.storedToken.memory(this.hasRead),
			listsEarlier: this.listsEarlier,
			// Tried once: the console may fail for what is that early.
			skippedMs: this.hasRead || isTried ? undefined : this.skippedMs,
			failedSkips: this.hasRead ? undefined : this.failedSkips,
			lastReadAt: this.lastReadAt,
			idle: this.idle,
			unfinished: isUnfinished ? this : undefined,
		};
	}

	/**
	 * Not this poll's, while the position is ahead of the time, or it may be another log: what came since
	 * the last is yet to be read.
	 */
	private get lastReadAt(): number | undefined {
		const isRead = this.hasRead && this.reachedEnd && !this.clockWentBack && !this.mayBeOtherLog;
		return isRead ? this.context.now : this.context.memory?.lastReadAt;
	}

	private get idle(): IdleAnswer | undefined {
		const { before, read } = this;
		if (!this.hasRead) return this.context.memory?.idle;
		const wasIdle =
			!this.idleCheck.isRepeated &&
			this.reachedEnd &&
			read.found.length === 0 &&
			JSON.stringify(this.state) === JSON.stringify(before);
		return this.idleCheck.next(read.asOf!, wasIdle, () => this.beginning);
	}

	/**
	 * Digest of the answer to `nextCall` that would hold nothing new and leave the position as it is, as it
	 * did in the poll before: its page need not be opened.
	 */
	get knownDigest(): string | undefined {
		if (this.hasRead) return undefined;
		return this.idleCheck.digestFor(this.calls.next, () => this.beginning);
	}

	/**
	 * Takes the answer with `knownDigest`. If its time tells something new, it has to be asked for once more.
	 * @param serverTime The server's clock when it was asked, in milliseconds.
	 */
	takeKnown(serverTime: number, isTold: boolean): void {
		const { read, idleCheck } = this;
		const { asOf, toldAsOf, serverTime: lastTime } = read;
		this.noteTime(serverTime, isTold);
		idleCheck.repeated(read.asOf!, this.clockWentBack || this.missedRetention);
		if (idleCheck.isRepeated) this.calls.foundEnd();
		else Object.assign(read, { asOf, toldAsOf, serverTime: lastTime });
	}

	private noteTime(serverTime: number, isTold: boolean): void {
		const { read } = this;
		read.asOf ??= serverTime;
		if (isTold) read.toldAsOf ??= serverTime;
		read.serverTime = Math.max(read.serverTime ?? 0, serverTime);
	}

	/** What the reading began with: one that began with the same can go on in the place of another. */
	get beginning(): string {
		return JSON.stringify([this.before, this.settings, this.context.credential?.mark]);
	}

	carryOn(): void {
		this.carriedToken = this.calls.next?.pageToken;
	}

	/**
	 * Takes the answer to `nextCall`.
	 * @param serverTime The server's clock when it was asked, in milliseconds.
	 */
	take(page: AuditLogPage, serverTime: number, facts: AnswerFacts = {}): void {
		const { bytes = 0, digest, isTold = false } = facts;
		const call = this.calls.next!;
		const isCarried = call.pageToken !== undefined && call.pageToken === this.carriedToken;
		this.carriedToken = undefined;
		if (isCarried && page.items.length === 0) {
			// What a token gets that is no longer good may look like the end of the log.
			this.calls.failed('token');
			return;
		}
		const { read, seen } = this;
		const { settings, before } = this;
		const skipped = measuredSkip(page, call, {
			read,
			seen,
			settings,
			resumedAt: before.resume?.at,
		});
		// The console may have nothing that early any more.
		if (skipped > 0 && this.failedSkips < MOST_FAILED_SKIPS) {
			this.failedSkips++;
			read.skipped(skipped);
			seen.beginsEarlier();
			this.skippedMs = skipped;
			this.calls.beginEarlier(skipped);
			return;
		}
		this.idleCheck.took(call, this.hasRead ? undefined : digest);
		this.storedToken.cameAgain(page.nextPageToken);
		this.noteTime(serverTime, isTold);
		if (call.pageToken === undefined) {
			this.beganAtPosition = true;
			seen.restart();
			read.beginAt(parsedTime(call.since));
		}
		const { observedCount, distinctCount } = seen;
		this.pageSize.answered(call.limit);
		if (this.returns.isReturn(page, call, this.beganAtPosition)) {
			this.calls.ledBack();
			return;
		}
		const since = parsedTime(call.since);
		const foundNew = this.batch.take(page.items, { serverTime, since, bytes });
		// The next poll reads the same page again.
		if (this.batch.isClosed) return;
		this.calls.took(page, {
			position: read.anchor,
			begunAt: read.begunAt,
			foundNew,
			foundUnread: seen.observedCount > observedCount,
			newlyObserved: seen.distinctCount - distinctCount,
			room: read.found.length > 0 ? this.batch.room : undefined,
			askedAt: serverTime,
			toldAt: isTold ? serverTime : undefined,
			newest: read.newestAppeared,
		});
	}

	/** `nextCall` failed. Whether there is another way to go on. */
	failed(failure: PageFailure): boolean {
		const { storedToken } = this;
		const isStored = storedToken.isOf(this.calls.next);
		const mustKeep = isStored && failure !== 'refused' && this.seen.isFull;
		if (mustKeep && storedToken.mayPass()) return false;
		const hasAnotherWay =
			this.calls.failed(failure) || (!this.hasRead && this.beginsWithinRetention(failure));
		if (isStored) storedToken.refuse();
		else if (!hasAnotherWay && !this.hasRead) storedToken.pardon();
		return hasAnotherWay;
	}

	/**
	 * Leaves a time of which the console has nothing any more, so that it may refuse to look there, in any way: for
	 * the earliest that it should have, or for one that it surely has where it refuses that, too. Other failures may
	 * be an outage, for which nothing is left out that the console still has.
	 */
	private beginsWithinRetention(failure: PageFailure): boolean {
		if (failure === 'token') return false;
		const { now } = this.context;
		const edge = isoTime(now - RETENTION_MS + CLOCKS_DIFFER_MS);
		const kept = isoTime(now - KEPT_MS);
		return (
			this.calls.beginElsewhere(edge, (since) => since < edge) ||
			(failure === 'refused' && this.calls.beginElsewhere(kept, (since) => since < kept))
		);
	}

	/** Whether `nextCall` begins at a time to come by n8n's clock: a console may refuse that. */
	get beginsInFuture(): boolean {
		const { since = '', pageToken } = this.calls.next ?? {};
		const isTried = this.hasRead || pageToken !== undefined || this.isAtStartDate;
		return !isTried && since > isoTime(this.context.now);
	}

	/**
	 * Begins the lookback before the console's time, if that is what `nextCall` is ahead of. n8n's time
	 * would not do: where it is behind, entries would come twice.
	 * @param consoleTime As the console told it, in milliseconds.
	 */
	leaveFuture(consoleTime: number): boolean {
		const present = isoTime(consoleTime);
		const since = isoTime(consoleTime - this.settings.lookbackMs);
		return this.calls.beginElsewhere(since, (before) => before > present);
	}

	/** The state after what was taken so far; unchanged if nothing was. */
	get state(): PollState {
		if (this.mustReadAgain) return this.marked({ ...this.before, resume: this.otherLog.resume });
		if (!this.hasRead || this.idleCheck.isRepeated || this.mayBeOtherLog) return this.before;
		const state = stateAfter(this.before, this.result, this.settings.lookbackMs);
		return this.marked(this.missedRetention ? { ...state, gapReported: true } : state);
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
		if (!this.reachedEnd) return this.marked(start);
		const before = { ...start, from: this.before.from };
		const result = { ...this.result, read: this.read.asIfReadAt(moment) };
		return this.marked(stateAfter(before, result, this.settings.lookbackMs));
	}

	private marked(state: PollState): PollState {
		const mark = this.context.credential?.mark ?? this.before.credential;
		return mark === undefined ? state : { ...state, credential: mark };
	}

	private get result(): PollResult {
		return {
			read: this.read,
			reachedEnd: this.reachedEnd,
			next: this.calls.toResume,
			stopped: this.batch.isClosed,
			listsEarlier: this.listsEarlier,
			isOld: (time) => this.seen.isOld(time),
			isReread: this.otherLog.isOtherCredential || this.before.resume?.isReread,
			pageSize: this.pageSize.proven,
			now: this.context.now,
			isAtStartDate: this.isAtStartDate,
			lastReadAt: this.context.memory?.lastReadAt,
		};
	}

	private get mayBeOtherLog(): boolean {
		return this.otherLog.isPossible;
	}
}
