import { fieldError } from '../wire/refusal.cts';
import type { Scan } from './scanStore.cts';
import { isFinished, verdictOf } from './scanStore.cts';
import { verdictCodes } from './verdicts.cts';

/** Where a page of the list begins: after the scan with this sequence number. */
export interface ListQuery {
	limit: number;
	afterSequence: number;
	matches(scan: Scan, nowMs: number): boolean;
}

type Filter = (scan: Scan, value: string, nowMs: number) => boolean;

/** The documented filters. `start` and `end` are inclusive epoch seconds of the creation time. */
const filters: Record<string, Filter> = {
	start: (scan, value) => Math.floor(scan.createdAtMs / 1000) >= Number(value),
	end: (scan, value) => Math.floor(scan.createdAtMs / 1000) <= Number(value),
	origin: (scan, value) => scan.origin === value,
	verbose_verdict: (scan, value, nowMs) =>
		isFinished(scan, nowMs) && verdictOf(scan, nowMs) === value,
	organization_id: (scan, value) => scan.organizationId === value,
	handle_status: (scan, value) => scan.handleStatus === value,
	'search_descendants.subject': (scan, value) =>
		scan.email?.subject.toLowerCase().includes(value.toLowerCase()) ?? false,
	'search_descendants.original_message_id': (scan, value) =>
		scan.email?.originalMessageId === value,
};

const choices: Record<string, readonly string[]> = {
	origin: ['api', 'email'],
	verbose_verdict: verdictCodes,
	handle_status: ['open', 'handled'],
};

/**
 * Reads the query of the scan list.
 * @throws Refusal 400 for an unknown filter, one given twice, and a value that does not fit.
 */
export function listQuery(
	query: Record<string, unknown>,
	defaults: { limit: number; maxLimit: number },
): ListQuery {
	const wanted: Array<[Filter, string]> = [];
	for (const [name, value] of Object.entries(query)) {
		if (typeof value !== 'string') throw fieldError(name, 'This filter may be given once.');
		if (name === 'limit' || name === '_cursor') continue;
		if (!Object.hasOwn(filters, name)) throw fieldError(name, 'Unknown filter.');
		checkValue(name, value);
		wanted.push([filters[name], value]);
	}
	return {
		limit: Math.min(limitOf(query.limit, defaults.limit), defaults.maxLimit),
		afterSequence: query._cursor === undefined ? 0 : sequenceOf(String(query._cursor)),
		matches: (scan, nowMs) => wanted.every(([filter, value]) => filter(scan, value, nowMs)),
	};
}

/** The text that stands for a place in the list. */
export function cursorOf(scan: Scan): string {
	return Buffer.from(`scan=${scan.sequence}`).toString('base64url');
}

function sequenceOf(cursor: string): number {
	const match = /^scan=(\d+)$/.exec(Buffer.from(cursor, 'base64url').toString());
	if (!match) throw fieldError('_cursor', 'Invalid cursor.');
	return Number(match[1]);
}

function limitOf(value: unknown, fallback: number): number {
	if (value === undefined) return fallback;
	if (!/^[1-9]\d*$/.test(String(value)))
		throw fieldError('limit', 'A positive integer is required.');
	return Number(value);
}

function checkValue(name: string, value: string): void {
	if ((name === 'start' || name === 'end') && !/^\d{10}$/.test(value)) {
		throw fieldError(name, 'Ten digits of epoch seconds are required.');
	}
	if (value === '') throw fieldError(name, 'This filter may not be blank.');
	if (choices[name] && !choices[name].includes(value)) {
		throw fieldError(name, `"${value}" is not a valid choice.`);
	}
}
