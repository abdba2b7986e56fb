import { entryTime, writtenTime } from '../../../services/console/auditLogEntry';
import type { AuditLogEntry, EntryFields } from '../../../services/console/auditLogEntry';
import { digestOf } from './entryIdentity';
import type { EntryIdentity } from './entryIdentity';
import type { DeliveredDigest } from './pollState';

/** Time of an entry until one that says its own follows, or the reading ends. */
export const UNKNOWN = Infinity;

/** An entry as a reading meets it. */
export class MetEntry implements DeliveredDigest {
	readonly dated?: number;
	time: number;
	private hashed?: string;

	constructor(
		readonly entry: AuditLogEntry,
		readonly identity: EntryIdentity,
		private readonly fields: EntryFields,
	) {
		this.dated = entryTime(entry, fields);
		this.time = this.dated ?? UNKNOWN;
	}

	get written(): string | undefined {
		return this.dated === undefined ? undefined : String(writtenTime(this.entry, this.fields));
	}

	/** What it is known by within one reading. */
	get key(): string {
		return this.identity.hasId ? this.identity.text : this.digest;
	}

	/** Made when it is first asked for: of a backlog, few entries have to be remembered. */
	get digest(): string {
		return (this.hashed ??= digestOf(this.identity.text));
	}

	/** The same, its time no longer unknown. */
	generatedBy(time: number): MetEntry {
		const known = new MetEntry(this.entry, this.identity, this.fields);
		known.time = time;
		return known;
	}
}
