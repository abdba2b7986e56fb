import { entryTime, writtenTime } from '../../../services/console/auditLogEntry';
import type { AuditLogEntry, EntryFields } from '../../../services/console/auditLogEntry';
import { digestOf } from '../../../services/digestOf';
import type { EntryIdentity } from './entryIdentity';
import type { SeenDigest } from './seenDigests';

/** An entry as a reading finds it on a page. */
export class ObservedEntry implements SeenDigest {
	/** Its own time, in milliseconds since the epoch, if it has one. */
	readonly dated?: number;
	readonly time: number;
	private hashed?: string;

	/** @param latest The latest time at which it can have been generated, if it has no time itself. */
	constructor(
		readonly entry: AuditLogEntry,
		readonly identity: EntryIdentity,
		private readonly fields: EntryFields,
		latest: number,
	) {
		this.dated = entryTime(entry, fields);
		this.time = this.dated ?? latest;
	}

	/** The same as the service wrote it. */
	get written(): string | undefined {
		return this.dated === undefined ? undefined : String(writtenTime(this.entry, this.fields));
	}

	/** What tells it from the others of one reading. */
	get key(): string {
		return this.identity.hasId ? this.identity.text : this.digest;
	}

	/** Made when it is first asked for: few entries of a backlog have to be remembered. */
	get digest(): string {
		return (this.hashed ??= digestOf(this.identity.text));
	}
}
