import type { AuditLogEntry } from './auditLogEntry';

/** The audit log: read only, and without a version segment (docs/interface.md, Endpoints and Versioning). */
export const ENTRIES_PATH = '/api/admin-audit-log-entries';

/** One call of the list (docs/interface.md, Endpoints). */
export interface PageCall {
	since?: string;
	limit: number;
	pageToken?: string;
}

/** What a page of the list holds. A null, absent or empty token is `undefined`. */
export interface AuditLogPage {
	/** Oldest first. */
	items: AuditLogEntry[];
	nextPageToken?: string;
	/** What is wrong with a token that cannot be sent: there is more, but it does not lead there. */
	unusableToken?: string;
}
