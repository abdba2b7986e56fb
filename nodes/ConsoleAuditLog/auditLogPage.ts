import type { AuditLogEntry } from './auditLogEntry';

/** One call of the list (interface.md, Endpoints, Admin audit log interface). */
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
}
