import type { CredentialMark } from '../../../common/polling/credentialMark';
import { isCredentialMark } from '../../../common/polling/credentialMark';
import { isRecord } from '../../../../transport/isRecord';
import type { Turn } from './listWindow';
import type { PackedScans } from './packedScans';
import type { PackedStretch } from './unreadStretches';

export const STATE_VERSION = 1;

/** Longest window of the list that is asked for, in seconds. */
export const LONGEST_SPAN = 86_400;

/** What the trigger remembers between polls. Times are epoch seconds of the service's clock. */
export interface FeedState {
	version: number;
	/** The service whose list it is. */
	scope: string;
	/** Scans created before it were all read: they are delivered, of no interest, or among `scans`. */
	settledTo: number;
	/** Scans that have not finished, those at or after `settledTo`, and those whose verdict is watched. */
	scans: PackedScans;
	/** Length, in seconds, of a window that the service answers in about two pages. */
	span: number;
	/** A window that the service did not give, or not whole, and when. */
	tooLong?: { span: number; at: number };
	/** Polls in a row in which the list ended too early, however short the window. */
	cutShort?: number;
	/** Whether `count` was found to say something else than how many scans a window holds. */
	ignoreCount?: boolean;
	/** Whether the pages of every window were found to have no end that the service says. */
	ignoreEnd?: boolean;
	/** What the service refused, however short the window. */
	unread?: PackedStretch[];
	/** What was read last, where the calls of the poll did not suffice for the rest. */
	last?: Turn;
	/** The token that the list was read with last. */
	credential?: CredentialMark;
}

/** Begins at a moment, in epoch seconds: only scans created then or later count. */
export function freshState(scope: string, settledTo: number): FeedState {
	const scans = { rows: [], marks: [] };
	return { version: STATE_VERSION, scope, settledTo, scans, span: LONGEST_SPAN };
}

function isPackedScans(value: unknown): value is PackedScans {
	return (
		isRecord(value) &&
		Array.isArray(value.marks) &&
		value.marks.every((mark) => typeof mark === 'string') &&
		Array.isArray(value.rows) &&
		value.rows.every(
			(row: unknown) =>
				Array.isArray(row) &&
				[0, 1, 2].every((index) => Number.isSafeInteger(row[index])) &&
				typeof row[3] === 'string',
		)
	);
}

function isPackedStretches(value: unknown): value is PackedStretch[] {
	return (
		Array.isArray(value) &&
		value.every(
			(row: unknown) =>
				Array.isArray(row) &&
				[0, 1, 2, 3].every((at) => Number.isSafeInteger(row[at])) &&
				['new', 'pending'].includes(row[4] as string),
		)
	);
}

export function isFeedState(value: unknown): boolean {
	return (
		isRecord(value) &&
		typeof value.scope === 'string' &&
		Number.isSafeInteger(value.settledTo) &&
		Number.isSafeInteger(value.span) &&
		Number(value.span) >= 1 &&
		(value.tooLong === undefined ||
			(isRecord(value.tooLong) &&
				typeof value.tooLong.span === 'number' &&
				typeof value.tooLong.at === 'number')) &&
		['undefined', 'number'].includes(typeof value.cutShort) &&
		['undefined', 'boolean'].includes(typeof value.ignoreCount) &&
		['undefined', 'boolean'].includes(typeof value.ignoreEnd) &&
		[undefined, 'new', 'pending', 'retry'].includes(value.last as Turn | undefined) &&
		(value.unread === undefined || isPackedStretches(value.unread)) &&
		(value.credential === undefined || isCredentialMark(value.credential)) &&
		isPackedScans(value.scans)
	);
}
