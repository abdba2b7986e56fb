import { writtenTime } from '../../../services/console/auditLogEntry';
import type { AuditLogEntry, EntryFields } from '../../../services/console/auditLogEntry';
import { digestOf } from '../../../services/digestOf';
import { identityText } from './entryIdentity';
import type { EntryIdentity } from './entryIdentity';
import type { SeenDigest } from './seenDigests';

/** An entry as a reading finds it on a page. */
export class ObservedEntry implements SeenDigest {
	private hashed?: string;

	/**
	 * @param dated Its own time, in milliseconds since the epoch, if it has one.
	 * @param time The same, or else the latest at which it can have been generated.
	 */
	constructor(
		readonly entry: AuditLogEntry,
		readonly identity: EntryIdentity,
		private readonly fields: EntryFields,
		readonly dated: number | undefined,
		readonly time: number,
	) {}

	/** Its own time as the service wrote it. */
	get written(): string | undefined {
		return this.dated === undefined ? undefined : String(writtenTime(this.entry, this.fields));
	}

	/** Made when it is first asked for: few entries of a backlog have to be remembered. */
	get digest(): string {
		return (this.hashed ??= digestOf(identityText(this.identity)));
	}
}
