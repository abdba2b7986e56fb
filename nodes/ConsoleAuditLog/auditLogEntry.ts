import { createHash } from 'crypto';

/** An audit log entry as the service sent it. Its fields are not shown in interface.md. */
export type AuditLogEntry = Record<string, unknown>;

/** Which fields of an entry hold its id and its time; a dot leads into nested objects. */
export interface EntryFields {
	idField: string;
	timestampField: string;
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}

function fieldOf(entry: AuditLogEntry, path: string): unknown {
	if (path in entry) return entry[path];
	return path
		.split('.')
		.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), entry);
}

/** Ten digits are seconds until the year 2286, thirteen are milliseconds. */
const FIRST_MILLISECONDS = 1e11;

/**
 * A time in milliseconds since the epoch, rounded down; `undefined` for what is no time. A text
 * without a zone is UTC, as all times of the audit log are (interface.md, Query parameters).
 */
export function parsedTime(value: unknown): number | undefined {
	if (typeof value === 'number' || (typeof value === 'string' && /^\d{9,13}$/.test(value))) {
		const number = Number(value);
		if (!Number.isFinite(number) || number <= 0) return undefined;
		return Math.floor(number < FIRST_MILLISECONDS ? number * 1000 : number);
	}
	if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}/.test(value)) return undefined;
	const hasZone = /(z|[+-]\d{2}:?\d{2})$/i.test(value) || !value.includes(':');
	const time = Date.parse(hasZone ? value : `${value}Z`);
	return Number.isNaN(time) ? undefined : time;
}

/** When an entry was generated, in milliseconds; `undefined` where it does not say. */
export function entryTime(
	entry: AuditLogEntry,
	{ timestampField }: EntryFields,
): number | undefined {
	return parsedTime(fieldOf(entry, timestampField));
}

/** What an entry says of the time at which it was generated, as the service wrote it. */
export function writtenTime(entry: AuditLogEntry, { timestampField }: EntryFields): unknown {
	return fieldOf(entry, timestampField);
}

/** JSON with sorted keys: the same content in another order is the same text. */
function canonicalJson(value: unknown): string {
	return JSON.stringify(value, (_, part: unknown) =>
		isObject(part) && !Array.isArray(part)
			? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
			: part,
	);
}

/** What tells one entry from another: its id where it has one, else its content. */
export interface EntryIdentity {
	text: string;
	/** An id is unique by contract; the same content may come from two entries. */
	kind: 'id' | 'content';
}

export function entryIdentity(entry: AuditLogEntry, { idField }: EntryFields): EntryIdentity {
	const id = fieldOf(entry, idField);
	if ((typeof id === 'string' && id !== '') || typeof id === 'number') {
		return { kind: 'id', text: `id ${id}` };
	}
	return { kind: 'content', text: `content ${canonicalJson(entry)}` };
}

/** Eight bytes of a SHA-256, one character each: enough that no two entries of a log meet. */
export function digestOf(text: string): string {
	return createHash('sha256').update(text).digest().toString('latin1', 0, DIGEST_BYTES);
}

export const DIGEST_BYTES = 8;

/** A key for de-duplication downstream, the same whenever the entry is read: 32 hex digits. */
export function eventKeyOf(text: string): string {
	return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** ISO 8601 UTC with milliseconds, as `since` wants it (interface.md, Query parameters). */
export function isoTime(milliseconds: number): string {
	return new Date(milliseconds).toISOString();
}
