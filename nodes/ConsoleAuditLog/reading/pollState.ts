import { parsedTime } from '../../../input/parsedTime';
import { isoTime } from '../../../services/console/auditLogEntry';
import type { LearnedPageSize } from './pageSize';
import type { PackedDigests, SeenDigest } from './seenDigests';
import { packDigests, rowsOf, unpackDigests } from './seenDigests';

/**
 * Where the trigger stands in the log. It is stored by n8n as one value and replaced as a whole, so
 * it may be lost or go back to an older one as a whole, never in part.
 */
export interface PollState {
	version: typeof STATE_VERSION;
	/** Console and fields this state belongs to; another scope starts anew. */
	scope: string;
	/** Newest delivered time as the service wrote it; before the first delivery, where to start. */
	since?: string;
	/**
	 * Where the next reading begins, ISO 8601 UTC with milliseconds: the lookback before what was
	 * read, later where the bound on the state made it so. Absent: at the oldest entry.
	 */
	from?: string;
	/** Digests of all delivered entries at or after `from`, but for those in `passed`. */
	seen: PackedDigests;
	passed?: PassedEntries;
	resume?: ResumePoint;
	pageSize?: LearnedPageSize;
	/** Whether the user was told that entries were gone before they could be read. */
	gapTold?: boolean;
}

/**
 * Delivered entries that had to be forgotten although the next reading meets them: the first `count`
 * of those from `first` to `last` (milliseconds since the epoch) that are not in `seen`.
 */
export interface PassedEntries {
	count: number;
	first: number;
	last: number;
}

/** Where a reading goes on that did not come to the end of the log. */
export interface ResumePoint {
	/** Time of the last entry read, ISO 8601 UTC. Without a token, the next call begins there. */
	at?: string;
	/** The token of the next call, and what that call must repeat. */
	token?: string;
	since?: string;
	limit: number;
	/** Entries of `passed` that come after the token. */
	leftToPass?: number;
	/** The server's time when the reading began, ISO 8601, if late entries may still appear behind. */
	asOf?: string;
}

/** To be raised when a stored state would be misread by an older version of the package. */
export const STATE_VERSION = 1;

/** A server tells its time in whole seconds, so that its clock may be this far ahead of it. */
export const CLOCK_STEP_MS = 999;

/** Longest page token that is worth keeping, in characters. */
const LONGEST_TOKEN = 16_384;

/** An entry handed over, as the state has to remember it. */
export interface DeliveredDigest extends SeenDigest {
	/** The entry's own time, in milliseconds and as the service wrote it; absent where it has none. */
	dated?: number;
	written?: string;
}

/** How far one poll came. Times are milliseconds since the epoch. */
export interface PollProgress {
	delivered: DeliveredDigest[];
	/** Whether the end of the log was reached. */
	reachedEnd: boolean;
	/** Whether the times of all entries read were in order. */
	ascending: boolean;
	/** Time of the last entry read that has one, or where the reading began. */
	readTo?: number;
	/** The same, if a later reading can begin there without a token. */
	anchor?: number;
	/** Whether entries without a time of their own were read after the last one that has one. */
	endsUndated: boolean;
	/** Whether all entries read have an id. */
	identified: boolean;
	/** The server's time when this reading began. */
	asOf: number;
	/** The server's time when it ended. */
	serverTime: number;
	/** Whether reading began anew behind entries of this poll, so that they may come after a token. */
	beganAnew: boolean;
	/** The call that would come next, if one would. */
	next?: { pageToken?: string; since?: string; limit: number; leftToPass: number };
	pageSize?: LearnedPageSize;
}

/** What bounds the memory of the state. */
export interface StateLimits {
	/** How far behind the newest entry late ones are looked for, in milliseconds. */
	lookbackMs: number;
	/** Most delivered entries that are remembered. */
	mostDigests: number;
}

/** The state from which a log is read for the first time. */
export function freshState(scope: string, since?: number): PollState {
	const start = since === undefined || since <= 0 ? undefined : isoTime(since);
	return { version: STATE_VERSION, scope, ...(start && { since: start, from: start }), seen: [] };
}

/**
 * The state after a poll. Pure: the same state and progress give the same result.
 *
 * The next reading begins the lookback before what was read, and never later than the lookback
 * before the time at which the server was asked: so an entry that appears within the lookback of
 * its own time is found even while a poll was long, and an entry dated in the future hides none
 * that follow.
 */
export function stateAfter(
	before: PollState,
	progress: PollProgress,
	{ lookbackMs, mostDigests }: StateLimits,
): PollState {
	const { from, passed, seen } =
		remembered(before, progress, nextFrom(before, progress, lookbackMs), mostDigests) ??
		countedFrom(before, progress, mostDigests);
	return withoutUndefined({
		version: STATE_VERSION,
		scope: before.scope,
		since: newestTime(before, progress).written,
		from: from === undefined ? undefined : isoTime(from),
		seen: packDigests(rowsOf(seen)),
		passed,
		resume: resumePoint(before, passed, progress, lookbackMs),
		pageSize: progress.pageSize,
		gapTold: progress.delivered.length > 0 ? undefined : before.gapTold,
	});
}

function withoutUndefined<T extends object>(value: T): T {
	return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as T;
}

function stillAhead(
	passed: PassedEntries | undefined,
	from: number | undefined,
): PassedEntries | undefined {
	return passed && passed.last >= (from ?? 0) ? passed : undefined;
}

interface Newest {
	time?: number;
	written?: string;
}

function newestTime(before: PollState, progress: PollProgress): Newest {
	let newest: Newest = { time: parsedTime(before.since), written: before.since };
	for (const { dated, written } of progress.delivered) {
		if (dated !== undefined && dated > (newest.time ?? -Infinity)) {
			// A number may be one that its own text is not read back as (1763800000.5).
			newest = { time: dated, written: parsedTime(written) === dated ? written : isoTime(dated) };
		}
	}
	// Without times of their own, entries count as generated when they were read.
	const { endsUndated, reachedEnd, asOf } = progress;
	return endsUndated && reachedEnd && asOf > (newest.time ?? -Infinity)
		? { time: asOf, written: isoTime(asOf) }
		: newest;
}

function nextFrom(
	before: PollState,
	progress: PollProgress,
	lookbackMs: number,
): number | undefined {
	const { asOf, ascending, reachedEnd, readTo } = progress;
	const from = parsedTime(before.from);
	// What was not read yet might be older than what was: begin where this reading began.
	if (!reachedEnd && !ascending) return from;
	const reached = reachedEnd ? newestTime(before, progress).time : readTo;
	if (reached === undefined) return from;
	const next = Math.min(reached, asOf) - lookbackMs;
	// Forgotten entries are counted from where a reading begins: behind all of them, or as before.
	return next > Math.max(from ?? 0, before.passed?.last ?? 0) ? next : from;
}

/**
 * Where the next poll goes on, if this one did not come to the end. In a backlog that is behind the
 * page token. Where late entries may still appear behind it, the next reading begins with the
 * lookback again; only a window of known entries is not read twice for that.
 */
function resumePoint(
	before: PollState,
	passed: PassedEntries | undefined,
	progress: PollProgress,
	lookbackMs: number,
): ResumePoint | undefined {
	const { next, reachedEnd, delivered, readTo, anchor, endsUndated, identified, asOf } = progress;
	if (reachedEnd || next === undefined) return undefined;
	const isSettled = readTo !== undefined && readTo <= asOf - lookbackMs && !endsUndated;
	if (!isSettled && !endsUndated && delivered.length > 0) return undefined;
	if (passed && passed !== before.passed && progress.beganAnew) return undefined;
	const { pageToken: token, since, limit, leftToPass } = next;
	const kept = {
		at: readTo === undefined ? undefined : isoTime(readTo),
		limit,
		asOf: isSettled ? undefined : isoTime(asOf),
	};
	// A position serves longer than a token and tells equal entries apart, but it may not move on.
	const canAnchor =
		anchor !== undefined &&
		anchor > (passed?.last ?? -1) &&
		(token === undefined || kept.at !== since);
	if (canAnchor && !(isSettled && identified && token !== undefined)) return withoutUndefined(kept);
	if (token === undefined || token.length > LONGEST_TOKEN) return undefined;
	return withoutUndefined({ ...kept, token, since, leftToPass: leftToPass || undefined });
}

interface Remembered {
	from?: number;
	passed?: PassedEntries;
	seen: SeenDigest[];
}

/**
 * What is kept, within its bound. The oldest entries are forgotten first, and the floor moves past
 * them: everything visible there was delivered, only what appears there later is not found. Where
 * the floor cannot move far enough, because not everything there was read or because it lies in the
 * future, entries of this poll are forgotten and counted.
 * @returns `undefined` if some of those may lie before the floor, where they cannot be counted.
 */
function remembered(
	before: PollState,
	progress: PollProgress,
	next: number | undefined,
	most: number,
): Remembered | undefined {
	let from = next;
	let passed = stillAhead(before.passed, from);
	let seen = [...unpackDigests(before.seen), ...progress.delivered];
	seen = seen.filter(({ time }) => time >= (from ?? 0));
	const floor = seen.length > most ? movedFloor(seen, passed, progress, most) : undefined;
	if (floor !== undefined) {
		from = floor;
		passed = undefined;
		seen = seen.filter(({ time }) => time >= floor);
	}
	if (seen.length <= most) return { from, passed, seen };
	if (progress.reachedEnd && progress.endsUndated) {
		return latestUndated(seen.slice(-most), progress.serverTime);
	}
	const known = new Set(seen);
	const here = progress.delivered.filter((one) => known.has(one));
	const forgotten = here.slice(most - seen.length);
	if (forgotten.some(({ dated }) => dated === undefined)) return undefined;
	for (const one of forgotten) known.delete(one);
	return { from, passed: counted(passed, forgotten), seen: [...known] };
}

/** The same with the floor where it was, so that all entries of this poll can be counted. */
function countedFrom(before: PollState, { delivered }: PollProgress, most: number): Remembered {
	const earlier = unpackDigests(before.seen);
	const room = Math.max(0, most - earlier.length);
	return {
		from: parsedTime(before.from),
		passed: counted(before.passed, delivered.slice(room)),
		seen: [...earlier, ...delivered.slice(0, room)],
	};
}

/** Without times, what came last is what may still come again from the server's time on. */
function latestUndated(latest: SeenDigest[], serverTime: number): Remembered {
	const from = serverTime + 1;
	const time = serverTime + CLOCK_STEP_MS;
	return { from, seen: latest.map(({ digest }) => ({ digest, time })) };
}

/** The lowest floor that keeps the state within its bound, or `undefined` if none does any good. */
function movedFloor(
	seen: SeenDigest[],
	passed: PassedEntries | undefined,
	{ reachedEnd, ascending, readTo = 0, serverTime }: PollProgress,
	most: number,
): number | undefined {
	const readThrough = reachedEnd ? Infinity : ascending ? readTo : 0;
	let floor: number | undefined;
	let left = seen.length;
	for (const { last, digests } of rowsOf(seen)) {
		const end = Math.max(last, passed?.last ?? 0);
		if (left <= most || end >= Math.min(readThrough, serverTime)) break;
		floor = end + 1;
		left -= digests.length;
	}
	return floor;
}

function counted(
	passed: PassedEntries | undefined,
	forgotten: DeliveredDigest[],
): PassedEntries | undefined {
	if (forgotten.length === 0) return passed;
	let { count, first, last } = passed ?? { count: 0, first: Infinity, last: 0 };
	for (const { time, dated } of forgotten) {
		count++;
		first = Math.min(first, dated ?? 0);
		last = Math.max(last, time);
	}
	return { count, first, last };
}
