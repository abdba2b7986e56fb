import { parsedTime } from '../../../input/parsedTime';
import { isRecord } from '../../../transport/isRecord';
import type { PollState } from './pollState';
import { STATE_VERSION } from './pollState';
import type { PackedDigests } from './seenDigests';

/** What was found where n8n keeps the position. */
export type StoredState =
	| { kind: 'state'; state: PollState }
	| { kind: 'none' | 'otherScope' | 'newer' | 'unreadable' };

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
			isOptional(value.token, 'string') &&
			typeof value.limit === 'number' &&
			[value.at, value.since, value.asOf].every(isTime))
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
		isOptional(value.gapReported, 'boolean') &&
		isResume(value.resume) &&
		isPageSize(value.pageSize)
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
