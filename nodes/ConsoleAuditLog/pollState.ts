import { isoTime, parsedTime } from './auditLogEntry';
import type { LearnedPageSize } from './pageSize';
import type { PackedDigests, SeenDigest } from './seenDigests';
import { MOST_DIGESTS, packDigests, stepEnd, stepOf, unpackDigests } from './seenDigests';

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
	 * Where the next reading begins, ISO 8601 UTC with milliseconds: the lookback before `since`,
	 * later where the bound on the state made it so. Absent: at the oldest entry.
	 */
	from?: string;
	/** Digests of all delivered entries at or after `from`, but for the first `passed` of them. */
	seen: PackedDigests;
	/** Entries exactly at `from` that were delivered and had to be forgotten. */
	passed?: number;
	/** Entries delivered whose time is exactly that of `since`. */
	atSince?: number;
	/** A page token in the middle of a backlog, with what its calls must repeat. */
	resume?: ResumePoint;
	pageSize?: LearnedPageSize;
	/** Whether the user was told that entries were gone before they could be read. */
	gapTold?: boolean;
	/** The state before the last delivery, where the user wants it again after a restart. */
	undo?: Omit<PollState, 'undo'>;
}

export interface ResumePoint {
	token: string;
	since?: string;
	limit: number;
	/** The server's time when this paging began, ISO 8601. */
	asOf: string;
}

export const STATE_VERSION = 1;

/** Longest page token that is worth keeping, in characters. */
const LONGEST_TOKEN = 16_384;

export type StoredState =
	| { kind: 'state'; state: PollState }
	| { kind: 'none' | 'otherScope' | 'newer' | 'unreadable' };

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isOptional(value: unknown, type: 'string' | 'number' | 'boolean'): boolean {
	return value === undefined || typeof value === type;
}

function isTime(value: unknown): boolean {
	return value === undefined || (typeof value === 'string' && parsedTime(value) !== undefined);
}

function isPacked(value: unknown): value is PackedDigests {
	return (
		Array.isArray(value) &&
		value.every(
			(row) => Array.isArray(row) && typeof row[0] === 'number' && typeof row[1] === 'string',
		)
	);
}

function isResume(value: unknown): boolean {
	return (
		value === undefined ||
		(isRecord(value) &&
			typeof value.token === 'string' &&
			typeof value.limit === 'number' &&
			isTime(value.since) &&
			typeof value.asOf === 'string' &&
			isTime(value.asOf))
	);
}

function isPageSize(value: unknown): boolean {
	return (
		value === undefined ||
		(isRecord(value) && typeof value.size === 'number' && isOptional(value.refused, 'number'))
	);
}

function isPollState(value: Record<string, unknown>): boolean {
	return (
		typeof value.scope === 'string' &&
		isTime(value.since) &&
		isTime(value.from) &&
		isPacked(value.seen) &&
		isOptional(value.passed, 'number') &&
		isOptional(value.atSince, 'number') &&
		isOptional(value.gapTold, 'boolean') &&
		isResume(value.resume) &&
		isPageSize(value.pageSize) &&
		(value.undo === undefined || (isRecord(value.undo) && isPollState(value.undo)))
	);
}

/** Reads what n8n stored. Nothing is repaired: a state that cannot be trusted is said to be so. */
export function readStoredState(stored: unknown, scope: string): StoredState {
	if (stored === undefined || stored === null) return { kind: 'none' };
	if (!isRecord(stored) || typeof stored.version !== 'number') return { kind: 'unreadable' };
	if (stored.version > STATE_VERSION) return { kind: 'newer' };
	if (stored.version !== STATE_VERSION || !isPollState(stored)) return { kind: 'unreadable' };
	const state = stored as unknown as PollState;
	return state.scope === scope ? { kind: 'state', state } : { kind: 'otherScope' };
}

/** An entry handed over, as the state has to remember it. */
export interface DeliveredDigest extends SeenDigest {
	/** The entry's own time as the service wrote it; absent where it has none. */
	written?: string;
}

/** How far one poll came. */
export interface PollProgress {
	delivered: DeliveredDigest[];
	/** Whether the end of the log was reached. */
	reachedEnd: boolean;
	/** Whether the times of all entries read were in order. */
	ascending: boolean;
	/** Whether entries without a time of their own were read after the last one that has one. */
	endsUndated: boolean;
	/** The server's time when the paging began, in milliseconds. */
	asOf: number;
	/** The call that would come next, if it carries a token. */
	next?: { token: string; since?: string; limit: number };
	pageSize?: LearnedPageSize;
}

/**
 * The state after a poll. Pure: the same state and progress give the same result.
 *
 * The next reading begins the lookback before the newest delivered entry, and never later than the
 * lookback before the time at which the server was asked: so an entry that appears within the
 * lookback of its own time is found even while a poll was long, and an entry dated in the future
 * hides none that follow.
 */
export function stateAfter(
	before: PollState,
	progress: PollProgress,
	lookbackMs: number,
): PollState {
	const { delivered, asOf, reachedEnd } = progress;
	const newest = newestTime(before, progress);
	const from = nextFrom(before, progress, newest.time, lookbackMs);
	const step = stepOf(lookbackMs);
	const now = progress.endsUndated && reachedEnd ? redated(delivered, asOf) : delivered;
	const bounded = bound(
		{ from, passed: from === parsedTime(before.from) ? (before.passed ?? 0) : 0 },
		[...unpackDigests(before.seen), ...now].filter(({ time }) => time >= (from ?? -Infinity)),
		{
			before,
			delivered: now,
			newest: newest.time,
			reachedEnd,
			horizon: asOf + lookbackMs,
			step,
		},
	);
	return withoutUndefined({
		version: STATE_VERSION,
		scope: before.scope,
		since: newest.written,
		from: bounded.from === undefined ? undefined : isoTime(bounded.from),
		seen: packDigests(bounded.seen, step),
		passed: bounded.passed || undefined,
		atSince: countAtNewest(before, delivered, newest.time) || undefined,
		resume: resumePoint(progress, newest.time, lookbackMs),
		pageSize: progress.pageSize,
		gapTold: delivered.length > 0 ? undefined : before.gapTold,
	});
}

function withoutUndefined(state: PollState): PollState {
	return Object.fromEntries(
		Object.entries(state).filter(([, value]) => value !== undefined),
	) as unknown as PollState;
}

interface Newest {
	time?: number;
	written?: string;
}

function newestTime(before: PollState, progress: PollProgress): Newest {
	let newest: Newest = { time: parsedTime(before.since), written: before.since };
	// Without times of their own, entries count as generated when they were read.
	if (progress.endsUndated && progress.reachedEnd) {
		newest = { time: progress.asOf, written: isoTime(progress.asOf) };
	}
	for (const { time, written } of progress.delivered) {
		if (written !== undefined && time > (newest.time ?? -Infinity)) newest = { time, written };
	}
	return newest;
}

function redated(delivered: DeliveredDigest[], asOf: number): DeliveredDigest[] {
	return delivered.map((one) =>
		one.written === undefined ? { ...one, time: Math.max(one.time, asOf) } : one,
	);
}

function nextFrom(
	before: PollState,
	{ asOf, ascending, reachedEnd }: PollProgress,
	newest: number | undefined,
	lookbackMs: number,
): number | undefined {
	const from = parsedTime(before.from);
	// What was not read yet might be older than what was: begin where this reading began.
	if (newest === undefined || (!ascending && !reachedEnd)) return from;
	return Math.max(from ?? -Infinity, Math.min(newest, asOf) - lookbackMs);
}

function countAtNewest(
	before: PollState,
	delivered: DeliveredDigest[],
	newest: number | undefined,
): number {
	const earlier = parsedTime(before.since) === newest ? (before.atSince ?? 0) : 0;
	return earlier + delivered.filter(({ time }) => time === newest).length;
}

function resumePoint(
	{ next, delivered, asOf }: PollProgress,
	newest: number | undefined,
	lookbackMs: number,
): ResumePoint | undefined {
	if (next === undefined || next.token.length > LONGEST_TOKEN) return undefined;
	// Late entries may still appear behind a token that is near the end of the log; there, the next
	// reading begins with the lookback again. A window of known entries only is not read twice.
	const settled = newest === undefined || newest <= asOf - lookbackMs;
	if (!settled && delivered.length > 0) return undefined;
	return { token: next.token, since: next.since, limit: next.limit, asOf: isoTime(asOf) };
}

interface Floor {
	from?: number;
	passed: number;
}

interface PollEnd {
	before: PollState;
	delivered: DeliveredDigest[];
	newest?: number;
	reachedEnd: boolean;
	/** The latest time that the floor may move past, in milliseconds. */
	horizon: number;
	step: number;
}

/**
 * Keeps the state within its bound. Whole steps are forgotten, oldest first, and the floor moves
 * past them: everything visible there was delivered, only what appears there later is not found.
 * If one step alone is too large, the floor moves past all that was delivered, at the end of the
 * log; before it, the floor stays at the time of the oldest entry still known, and the entries
 * there that were delivered and are forgotten are counted.
 */
function bound(floor: Floor, all: SeenDigest[], end: PollEnd): Floor & { seen: SeenDigest[] } {
	if (all.length <= MOST_DIGESTS) return { ...floor, seen: all };
	const { delivered, reachedEnd, step } = end;
	const readThrough = reachedEnd ? Infinity : (delivered.at(-1)?.time ?? -Infinity);
	const steps = [...new Set(all.map(({ time }) => stepEnd(time, step)))].sort((a, b) => a - b);
	let seen = all;
	for (const last of steps.slice(0, -1).filter((last) => last < readThrough)) {
		seen = seen.filter(({ time }) => stepEnd(time, step) > last);
		if (seen.length <= MOST_DIGESTS) return { from: last + 1, passed: 0, seen };
	}
	if (reachedEnd && end.newest !== undefined) {
		return { from: Math.min(end.newest, end.horizon) + 1, passed: 0, seen: [] };
	}
	return countedFloor(end);
}

function countedFloor({ before, delivered }: PollEnd): Floor & { seen: SeenDigest[] } {
	const kept = delivered.slice(-MOST_DIGESTS);
	const from = kept[0].time;
	const forgotten = delivered.slice(0, -MOST_DIGESTS).filter(({ time }) => time === from).length;
	const passedBefore = parsedTime(before.since) === from ? (before.atSince ?? 0) : 0;
	return { from, passed: forgotten + passedBefore, seen: kept };
}
