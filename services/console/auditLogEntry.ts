import { parsedTime } from '../../input/parsedTime';

/** An audit log entry as the service sent it. Its fields are not shown in docs/interface.md. */
export type AuditLogEntry = Record<string, unknown>;

/** Which fields of an entry hold its id and its time; a dot leads into nested objects. */
export interface EntryFields {
	idField: string;
	timestampField: string;
}

/** Where the console is known to have them: docs/interface.md names the id, the provider's own collector the time. */
export const USUAL_FIELDS: EntryFields = { idField: 'auditlogId', timestampField: 'createdAt' };

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}

/** The value of a field; a dot in its name leads into nested objects. */
export function fieldOf(entry: AuditLogEntry, path: string): unknown {
	if (Object.hasOwn(entry, path)) return entry[path];
	return path
		.split('.')
		.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), entry);
}

/** The ID of an entry, if it has one. */
export function entryId(
	entry: AuditLogEntry,
	{ idField }: EntryFields,
): string | number | undefined {
	const id = fieldOf(entry, idField);
	if (typeof id === 'string' && id !== '') return id;
	// Two larger ones may have become the same number when they were parsed.
	return Number.isSafeInteger(id) ? (id as number) : undefined;
}

/**
 * When an entry was generated, in milliseconds; `undefined` where it does not say. A date before
 * 1970 stands for none (`0001-01-01` is how some systems write that).
 */
export function entryTime(
	entry: AuditLogEntry,
	{ timestampField }: EntryFields,
): number | undefined {
	const time = parsedTime(fieldOf(entry, timestampField));
	return time !== undefined && time >= 0 ? time : undefined;
}

/** What an entry says of the time at which it was generated, as the service wrote it. */
export function writtenTime(entry: AuditLogEntry, { timestampField }: EntryFields): unknown {
	return fieldOf(entry, timestampField);
}

/** ISO 8601 UTC with milliseconds, as `since` wants it (docs/interface.md, Endpoints). */
export function isoTime(milliseconds: number): string {
	return new Date(milliseconds).toISOString();
}

/** Entries are kept for 365 days (docs/interface.md, Limits). */
export const RETENTION_DAYS = 365;
export const RETENTION_MS = RETENTION_DAYS * 24 * 60 * 60 * 1000;

/** What an entry is surely kept for: a console may refuse a time at which it has none. */
export const KEPT_MS = RETENTION_MS - 60 * 60 * 1000;
