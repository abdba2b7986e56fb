import { entryTime, writtenTime } from '../../../services/console/auditLogEntry';
import type { AuditLogEntry, EntryFields } from '../../../services/console/auditLogEntry';
import { digestOf } from '../../../services/digestOf';
import type { EntryIdentity } from './entryIdentity';
import type { DeliveredEntry } from './pollState';

/** An entry as a reading finds it on a page. */
export class ObservedEntry implements DeliveredEntry {
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
