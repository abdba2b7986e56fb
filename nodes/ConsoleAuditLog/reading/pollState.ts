import { parsedTime } from '../../../input/parsedTime';
import { isoTime } from '../../../services/console/auditLogEntry';
import type { PageCall } from '../../../services/console/auditLogPage';
import type { CredentialMark } from '../../common/polling/credentialMark';
import type { LearnedPageSize } from './pageSize';
import type { PackedDigests, SeenDigest } from './seenDigests';
import { DIGEST_BOUNDS, packDigests, rowsOf, unpackDigests } from './seenDigests';

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
	/** Digests of the delivered entries from a second before `from`: times may be whole seconds. */
	seen: PackedDigests;
	resume?: ResumePoint;
	pageSize?: LearnedPageSize;
	/** The credential that the log was read with. */
	credential?: CredentialMark;
	/** Whether the user was told that entries were gone before they could be read. */
	gapReported?: boolean;
}

/** Where a reading goes on that did not come to the end of the log. */
export interface ResumePoint {
	/** Time of the last entry read, ISO 8601 UTC. Without a token, the next call begins there. */
	at?: string;
	/** The token of the next call, and what that call must repeat. */
	token?: string;
	since?: string;
	limit: number;
	/** The server's time when the reading began, ISO 8601, if late entries may still appear behind. */
	asOf?: string;
}

/** To be raised when a stored state would be misread by an older version of the package. */
export const STATE_VERSION = 2;

/** A server tells its time in whole seconds, so that its clock may be this far ahead of it. */
export const CLOCK_STEP_MS = 999;

/** Longest page token that is worth keeping, in characters. */
const LONGEST_TOKEN = 16_384;

/** A delivered entry, as the state has to remember it. */
export interface DeliveredEntry extends SeenDigest {
	/** The entry's own time, in milliseconds and as the service wrote it; absent where it has none. */
	dated?: number;
	written?: string;
}

/** How far one poll came. Times are milliseconds since the epoch. */
export interface PollProgress {
	delivered: DeliveredEntry[];
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
	/** The call that would come next, if one would. */
	next?: PageCall;
	pageSize?: LearnedPageSize;
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
	lookbackMs: number,
): PollState {
	const { from, seen, overflows } = remembered(
		before,
		progress,
		nextFrom(before, progress, lookbackMs),
	);
	return withoutUndefined({
		version: STATE_VERSION,
		scope: before.scope,
		since: newestTime(before, progress).written,
		from: from === undefined ? undefined : isoTime(from),
		seen: packDigests(rowsOf(seen)),
		resume: resumePoint(progress, overflows, lookbackMs),
		pageSize: progress.pageSize,
		gapReported: progress.delivered.length > 0 ? undefined : before.gapReported,
	});
}

function withoutUndefined<T extends object>(value: T): T {
	return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as T;
}

interface Newest {
	time?: number;
	written?: string;
}

function newestTime(before: PollState, progress: PollProgress): Newest {
	let newest: Newest = { time: parsedTime(before.since), written: before.since };
	let last: DeliveredEntry | undefined;
	for (const entry of progress.delivered) {
		const { dated = -Infinity } = entry;
		if (dated > (last?.dated ?? newest.time ?? -Infinity)) last = entry;
	}
	if (last?.dated !== undefined) {
		const { dated, written } = last;
		// A number may be one that its own text is not read back as (1763800000.5).
		newest = { time: dated, written: parsedTime(written) === dated ? written : isoTime(dated) };
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
	return next > (from ?? 0) ? next : from;
}

/**
 * Where the next poll goes on, if this one did not come to the end. In a backlog that is behind the
 * page token. Where late entries may still appear behind it, the next reading begins with the
 * lookback again, unless it would only find what is known, or what had to be forgotten.
 */
function resumePoint(
	{ next, reachedEnd, delivered, readTo, anchor, endsUndated, identified, asOf }: PollProgress,
	overflows: boolean,
	lookbackMs: number,
): ResumePoint | undefined {
	if (reachedEnd || next === undefined) return undefined;
	const isSettled = readTo !== undefined && readTo <= asOf - lookbackMs && !endsUndated;
	if (!isSettled && !endsUndated && !overflows && delivered.length > 0) return undefined;
	const { pageToken: token, since, limit } = next;
	const kept = {
		at: readTo === undefined ? undefined : isoTime(readTo),
		limit,
		asOf: isSettled ? undefined : isoTime(asOf),
	};
	// A position serves longer than a token and tells equal entries apart, but it may not move on.
	const canAnchor = anchor !== undefined && (token === undefined || kept.at !== since);
	const prefersToken = token !== undefined && identified && (isSettled || overflows);
	if (canAnchor && !prefersToken) return withoutUndefined(kept);
	if (token === undefined || token.length > LONGEST_TOKEN) return undefined;
	return withoutUndefined({ ...kept, token, since });
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
 * the entries that were delivered first are forgotten and may come again.
 */
function remembered(
	before: PollState,
	progress: PollProgress,
	next: number | undefined,
): Remembered {
	const most = DIGEST_BOUNDS.all;
	let from = next;
	let seen = [...unpackDigests(before.seen), ...progress.delivered];
	seen = seen.filter(({ time }) => time >= (from ?? 0) - CLOCK_STEP_MS);
	const later = seen.length > most ? laterFrom(seen, progress, most) : undefined;
	if (later !== undefined) {
		from = later;
		seen = seen.filter(({ time }) => time >= later - CLOCK_STEP_MS);
	}
	return { from, seen: seen.slice(-most), overflows: seen.length > most };
}

/** The earliest time from which no more than `most` have to be remembered, as near as it gets. */
function laterFrom(
	seen: SeenDigest[],
	{ reachedEnd, ascending, readTo = 0, serverTime }: PollProgress,
	most: number,
): number | undefined {
	const readThrough = reachedEnd ? Infinity : ascending ? readTo : 0;
	let from: number | undefined;
	let left = seen.length;
	for (const { last, digests } of rowsOf(seen)) {
		if (left <= most || last >= Math.min(readThrough, serverTime)) break;
		from = last + 1;
		left -= digests.length;
	}
	return from;
}
