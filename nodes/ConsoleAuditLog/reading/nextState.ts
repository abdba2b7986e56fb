import { parsedTime } from '../../../input/parsedTime';
import { isoTime } from '../../../services/console/auditLogEntry';
import type { PageCall } from '../../../services/console/auditLogPage';
import type { ObservedEntry } from './observedEntry';
import type { LearnedPageSize } from './pageSize';
import type { PollState, ResumePoint } from './pollState';
import { STATE_VERSION } from './pollState';
import type { ReadSoFar } from './readSoFar';
import { CLOCK_STEP_MS } from './readSoFar';
import type { SeenDigest } from './seenDigests';
import { DIGEST_BOUNDS, packDigests, rowsOf, unpackDigests } from './seenDigests';

/** How one poll ended. */
export interface PollResult {
	/** Its times are defined: at least one page was read. */
	read: ReadSoFar;
	/** Whether the end of the log was reached. */
	reachedEnd: boolean;
	/** The call that would come next, if one would. */
	next?: PageCall;
	/** Whether that call was made already, and the reading stopped within its page. */
	stopped: boolean;
	/** Whether the console lists entries dated before the `since` that it was asked for. */
	listsEarlier: boolean;
	/** Whether nothing dated before this time, in milliseconds, is new, although the reading went back there. */
	isOld: (time: number) => boolean;
	/** Whether what was read from the position on was so because the credential had changed. */
	isReread?: boolean;
	pageSize?: LearnedPageSize;
	/** Whether it began at the date that the user chose, which may be yet to come. */
	isAtStartDate: boolean;
	/** By n8n's clock. */
	now: number;
	/** When an earlier poll last read to the end, by the same. */
	lastReadAt?: number;
}

/**
 * The state after a poll. Pure: the same state and result give the same.
 *
 * The next reading begins the lookback before what was read, and never later than the lookback
 * before the time at which the server was asked: so an entry that appears within the lookback of
 * its own time is found even while a poll was long, and an entry dated in the future hides none
 * that follow.
 */
export function stateAfter(before: PollState, result: PollResult, lookbackMs: number): PollState {
	const wanted = nextFrom(before, result, lookbackMs);
	const { from, seen, overflows } = remembered(before, result, wanted);
	const { written, isUntold } = newestTime(before, result);
	return withoutUndefined({
		version: STATE_VERSION,
		scope: before.scope,
		since: written,
		sinceIsUntold: isUntold || undefined,
		from: from === undefined ? undefined : isoTime(from),
		seen: packDigests(rowsOf(seen)),
		resume: resumePoint(result, overflows, lookbackMs),
		aheadMs: result.read.aheadMs || undefined,
		pageSize: result.pageSize,
		gapReported: result.read.found.length > 0 ? undefined : before.gapReported,
	});
}

function withoutUndefined<T extends object>(value: T): T {
	return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as T;
}

function newestTime(
	{ since, sinceIsUntold, resume }: PollState,
	{ read, reachedEnd, now }: PollResult,
): { time?: number; written?: string; isUntold?: boolean } {
	const known = parsedTime(since);
	let last: ObservedEntry | undefined;
	for (const entry of read.found) {
		if ((entry.dated ?? -Infinity) > (last?.dated ?? known ?? -Infinity)) last = entry;
	}
	const time = last?.dated ?? known;
	// Without times of their own, entries count as generated when they were read, by the clock that is
	// behind: what a clock that is ahead tells may not have come yet. Behind a token of an earlier poll may
	// stand what the log was then.
	const isOfNow = reachedEnd && resume?.token === undefined;
	const readAt = Math.min(read.asOf!, now);
	if (read.endsUndated && isOfNow && readAt > (time ?? -Infinity)) {
		return { time: readAt, written: isoTime(readAt), isUntold: true };
	}
	if (last?.dated === undefined) return { time, written: since, isUntold: sinceIsUntold };
	// A number may be one that its own text is not read back as (1763800000.5).
	const isReadBack = parsedTime(last.written) === time;
	return { time, written: isReadBack ? last.written : isoTime(last.dated) };
}

/**
 * Whether the console's clock was ahead when the position was read: it has not come to that time yet.
 * One of its servers alone may be behind: then n8n's clock has.
 */
export function clockWentBack(
	{ from }: PollState,
	{ read: { toldAsOf = Infinity }, now, isAtStartDate }: PollResult,
): boolean {
	if (isAtStartDate) return false;
	return (parsedTime(from) ?? -Infinity) > Math.max(now, toldAsOf + CLOCK_STEP_MS);
}

function nextFrom(before: PollState, result: PollResult, lookbackMs: number): number | undefined {
	const { read, reachedEnd } = result;
	const from = parsedTime(before.from);
	// What was not read yet might be older than what was: begin where this reading began.
	if (!reachedEnd && !read.isAscending) return from;
	const newest = reachedEnd ? newestTime(before, result).time : read.readTo;
	if (newest === undefined) return from;
	const reached = newest - read.aheadMs;
	if (!reachedEnd && read.isAhead(reached)) return from;
	const next = Math.min(reached, read.asOf!) - lookbackMs;
	// What came since the log was last read is dated by the console's true time, and was not found.
	if (clockWentBack(before, result)) {
		return Math.min(next, (result.lastReadAt ?? Infinity) - lookbackMs);
	}
	return next > (from ?? 0) ? next : from;
}

/**
 * Where the next poll goes on, if this one did not come to the end. In a backlog that is behind the
 * page token. Where late entries may still appear behind it, the next reading begins with the
 * lookback again, unless it would only find what is known, or what had to be forgotten.
 */
function resumePoint(
	{ read, reachedEnd, next, stopped, listsEarlier, isOld, isReread }: PollResult,
	overflows: boolean,
	lookbackMs: number,
): ResumePoint | undefined {
	if (reachedEnd || next === undefined) return undefined;
	const { readTo, endsUndated, anchor, aheadMs } = read;
	const asOf = read.asOf!;
	const isSettled = readTo !== undefined && readTo <= asOf - lookbackMs && !endsUndated;
	if (!isSettled && !endsUndated && !overflows && read.found.length > 0) return undefined;
	const { pageToken: token, since, limit } = next;
	const kept = {
		at: readTo === undefined ? undefined : isoTime(anchor ?? readTo),
		isBeforeFrom: (readTo !== undefined && isOld(anchor ?? readTo)) || undefined,
		limit,
		asOf: isSettled ? undefined : isoTime(asOf),
		isReread: isReread || undefined,
	};
	// The token of that page was used, and may not serve twice.
	if (stopped && !overflows) return anchor === undefined ? undefined : withoutUndefined(kept);
	// A position serves longer than a token and tells equal entries apart, but it may not move on, or only
	// by little where entries are dated ahead.
	const canAnchor = anchor !== undefined && (token === undefined || kept.at !== since);
	// So near to where the call began, a console that ignores the milliseconds of `since` lists the same once more.
	const isNear = (anchor ?? Infinity) <= (parsedTime(since) ?? -Infinity) + CLOCK_STEP_MS;
	const leadsFurther = isSettled || overflows || listsEarlier || aheadMs > 0 || isNear;
	const prefersToken = token !== undefined && read.isIdentified && leadsFurther;
	if (canAnchor && !prefersToken) return withoutUndefined(kept);
	if (token === undefined) return undefined;
	return withoutUndefined({ ...kept, canRestart: canAnchor || undefined, token, since });
}

interface Remembered {
	from?: number;
	seen: SeenDigest[];
	/** Whether entries had to be forgotten that the next reading would find. */
	overflows: boolean;
}

/**
 * What is kept, within its bound. The oldest entries are forgotten first, and the next reading
 * begins behind them: everything visible there was delivered, only what appears there later is not
 * found. Where it cannot, because not everything there was read or because it lies in the future,
 * the entries that were delivered first are forgotten and may come again. Nor does anything count as
 * passed while the console lists entries dated before `since`: it might list them all once more.
 */
function remembered(before: PollState, result: PollResult, next: number | undefined): Remembered {
	const most = DIGEST_BOUNDS.all;
	let from = next;
	const { listsEarlier, read, reachedEnd } = result;
	let seen: SeenDigest[] = [...unpackDigests(before.seen), ...read.found];
	if (listsEarlier) {
		seen = seen.map(({ digest, time }) => ({ digest, time: Math.max(time, from ?? 0) }));
	}
	seen = seen.filter(({ time }) => time >= (from ?? 0) - CLOCK_STEP_MS);
	// One that is just full may have forgotten some: at the end of the log, where nothing else leads past
	// them, the next reading would find them again.
	const fitting = reachedEnd ? most - 1 : most;
	const later = laterFrom(seen, result, fitting);
	if (later !== undefined) {
		from = later;
		seen = seen.filter(({ time }) => time >= later - CLOCK_STEP_MS);
	}
	return { from, seen: seen.slice(-most), overflows: seen.length > most };
}

/** The earliest time for which no more than `most` have to be remembered, as near as it gets. */
function laterFrom(
	seen: SeenDigest[],
	{ read, reachedEnd }: PollResult,
	most: number,
): number | undefined {
	const { serverTime } = read;
	const readThrough = reachedEnd ? Infinity : read.readThrough;
	let from: number | undefined;
	let left = seen.length;
	if (left <= most) return undefined;
	for (const { last, digests } of rowsOf(seen)) {
		const next = last + 1 + CLOCK_STEP_MS;
		if (left <= most || next > Math.min(readThrough, serverTime!)) break;
		from = next;
		left -= digests.length;
	}
	return from;
}
