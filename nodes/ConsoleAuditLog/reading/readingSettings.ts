import type { EntryFields } from '../../../services/console/auditLogEntry';

export interface ReadingSettings extends EntryFields {
	/** How far behind the newest entry late ones are looked for, in milliseconds. */
	lookbackMs: number;
	/** Date to start from, if the user chose one, in milliseconds since the epoch. It may be yet to come. */
	startDate?: number;
	/** Entries in one page, if the user set it. */
	pageSize?: number;
	/** Most entries that one poll delivers. */
	maxEntries: number;
	/** What one poll delivers and holds at most, in bytes as `Answer` counts them; the page that passes it is still taken. */
	mostBytes: number;
	/** Entries dated later, in milliseconds since the epoch, are left for a later reading. */
	until?: number;
	/** How many entries a batch that comes again has, where no such time bounds it. */
	count?: number;
}
