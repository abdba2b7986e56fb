import { entryTime } from '../../../services/console/auditLogEntry';
import type { AuditLogEntry, EntryFields } from '../../../services/console/auditLogEntry';
import type { AuditLogPage, PageCall } from '../../../services/console/auditLogPage';
import { digestOf } from '../../../services/digestOf';
import type { ReadSoFar } from './readSoFar';
import { CLOCK_STEP_MS } from './readSoFar';
import type { SeenEntries } from './seenEntries';

/** What is known of the log before it is read. */
interface Beginning {
	/** The position that the reading began with, in milliseconds. */
	from: number | undefined;
	/** Whether the console listed entries dated before `since` when it was last read. */
	listsEarlier: boolean;
}

/** Notices page tokens that lead back to what was read, as stale ones may. */
export class ReturningPages {
	/** Digest of the page before, where its entries have no ID. */
	private lastPage: string | undefined;

	constructor(
		private readonly fields: EntryFields,
		private readonly read: ReadSoFar,
		private readonly seen: SeenEntries,
		private readonly beginning: Beginning,
	) {}

	/**
	 * Whether the page that came next is one that a token led back to.
	 * @param beganAtPosition Whether this reading has observed what follows its position.
	 */
	isReturn(page: AuditLogPage, call: PageCall, beganAtPosition: boolean): boolean {
		return this.isEarlier(page, call, beganAtPosition) || this.isPageBefore(page, call);
	}

	/**
	 * Before what the reading began with, unless the console lists such entries anyway; or, as entries
	 * without an ID do not show it by themselves, at an entry that was read.
	 */
	private isEarlier(
		{ items }: AuditLogPage,
		{ pageToken }: PageCall,
		beganAtPosition: boolean,
	): boolean {
		const timeOf = (entry: AuditLogEntry) => entryTime(entry, this.fields);
		const first = items.find((entry) => timeOf(entry) !== undefined);
		if (pageToken === undefined || first === undefined) return false;
		const time = timeOf(first)!;
		const { begunAt = -Infinity, isIdentified, lastDated = -Infinity } = this.read;
		// A console that goes by whole seconds lists from the second's beginning on.
		const from = Math.min(this.beginning.from ?? -Infinity, begunAt) - CLOCK_STEP_MS;
		const listsEarlier = this.read.listsEarlier || this.beginning.listsEarlier;
		if (time < from && !listsEarlier) {
			// Where the log is not quite in order, what follows is new all the same.
			const next = items.find((entry) => (timeOf(entry) ?? -Infinity) >= from);
			if (next === undefined) return true;
			return beganAtPosition ? this.seen.hasObserved(next) : !this.seen.isUnread(next);
		}
		// An earlier time alone may be that of an entry which the log has out of order.
		return !isIdentified && time < lastDated && this.seen.hasObserved(first);
	}

	/**
	 * The page before once more. Without IDs its entries would count as so many equal ones, again and
	 * again. A full page may hold what the one before held, a short one does not.
	 */
	private isPageBefore({ items }: AuditLogPage, { pageToken, limit }: PageCall): boolean {
		if (this.read.isIdentified) return false;
		const page = digestOf(JSON.stringify(items));
		const isAgain = page === this.lastPage && pageToken !== undefined && items.length < limit;
		this.lastPage = page;
		return isAgain;
	}
}
