import type { CredentialMark } from '../../../common/polling/credentialMark';
import { isCredentialMark } from '../../../common/polling/credentialMark';
import { isRecord } from '../../../../transport/isRecord';
import type { Turn } from './listWindow';
import { TURNS } from './listWindow';
import type { PackedScans } from './packedScans';
import { isPackedScans } from './packedScans';
import type { Gap } from './gaps';
import type { ListHabits } from './listEnds';
import { MOST_CUT_SHORT } from './listEnds';
import { isSecond, isWhole } from './storedNumber';

export const STATE_VERSION = 2;

/** Longest window of the list that is asked for, in seconds. */
export const LONGEST_SPAN = 86_400;

/** What was learned of how long a window may be. */
export interface StoredSpan {
	/** Length, in seconds, of a window that the service answers in about two pages. */
	span: number;
	/** A window that the service did not give, or not whole, and when by n8n's clock. */
	tooLong?: { span: number; at: number };
}

/** What the trigger remembers between polls. Times are epoch seconds: of the list, or `PollTime`'s. */
export interface FeedState extends ListHabits, StoredSpan {
	version: number;
	/** The service whose list it is. */
	scope: string;
	/** Scans created before it were all read, but for the gaps: they are delivered, of no interest, or among `scans`. */
	settledTo: number;
	/** Scans that have not finished, those at or after `settledTo` or beside gaps, and those whose verdict is watched. */
	scans: PackedScans;
	/** How long a window may be in which scans are looked for again. */
	watched?: StoredSpan;
	/** What the service refused. */
	gaps?: readonly Gap[];
	/** What was read last, where the calls of the poll did not suffice for the rest. */
	last?: Turn;
	/** Digests of the scans of a failed batch that are yet to come again, where only a part of it has. */
	owed?: string;
	/** The token that the list was read with last. */
	credential?: CredentialMark;
}

/** Begins at a moment, in epoch seconds: only scans created then or later count. */
export function freshState(scope: string, settledTo: number): FeedState {
	const scans = { rows: [], marks: [] };
	return { version: STATE_VERSION, scope, settledTo, scans, span: LONGEST_SPAN };
}

const isSpan = (value: unknown) => isWhole(value, 1, LONGEST_SPAN);

const isTooLong = (value: unknown) =>
	isRecord(value) && isWhole(value.span, 1, 2 * LONGEST_SPAN) && isSecond(value.at);

const isStoredSpan = (value: unknown) =>
	isRecord(value) &&
	isSpan(value.span) &&
	(value.tooLong === undefined || isTooLong(value.tooLong));

const isBoolean = (value: unknown) => typeof value === 'boolean';

function isGap(value: unknown): boolean {
	if (!isRecord(value)) return false;
	const { start, end, showsNew, since, checked } = value;
	const areSeconds = [start, end, since, checked].every(isSecond) && Number(start) < Number(end);
	return areSeconds && isBoolean(showsNew);
}

/** Whether the values of the fields are such that a poll can work with them. */
const IS_READABLE: Record<string, (value: unknown) => boolean> = {
	settledTo: isSecond,
	scans: isPackedScans,
	span: isSpan,
	tooLong: isTooLong,
	watched: isStoredSpan,
	// A larger one would have the trigger take a list as whole at once.
	cutShort: (value) => isWhole(value, 0, MOST_CUT_SHORT.byPages),
	ignoreCount: isBoolean,
	ignoreEnd: isBoolean,
	gaps: (value) => Array.isArray(value) && value.every(isGap),
	last: (value) => TURNS.some((turn) => turn === value),
	owed: (value) => typeof value === 'string' && /^[A-Za-z0-9+/]*$/.test(value),
	credential: isCredentialMark,
};
const REQUIRED = ['settledTo', 'scans', 'span'];

/** Without them it is not known which scans were delivered. */
const VITAL = ['settledTo', 'scans', 'gaps'];

/**
 * A stored state as far as it can be read. For the rest, a fresh state has the values; without a vital
 * field, the trigger reads again as far back as scans are watched: some come twice, and none is lost.
 *
 * @param now In epoch seconds.
 * @param watchSeconds How long scans are watched.
 * @returns Also the names of the fields that cannot be read.
 */
export function readableState(
	stored: Pick<FeedState, 'version' | 'scope'> & Record<string, unknown>,
	now: number,
	watchSeconds: number,
): { state: FeedState; unreadable: string[] } {
	const fields: Record<string, unknown> = {};
	const unreadable: string[] = [];
	for (const [field, isReadable] of Object.entries(IS_READABLE)) {
		const value = stored[field];
		if (isReadable(value)) fields[field] = value;
		else if (value !== undefined || REQUIRED.includes(field)) unreadable.push(field);
	}
	const state = { ...freshState(stored.scope, now), ...fields };
	const isVital = unreadable.some((field) => VITAL.includes(field));
	const settledTo = Math.max(0, state.settledTo - (isVital ? watchSeconds : 0));
	return { state: { ...state, settledTo }, unreadable };
}
