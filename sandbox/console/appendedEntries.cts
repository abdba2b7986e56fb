import { firstIndexWhere } from '../deterministic.cts';
import type { JsonObject } from '../jsonValue.cts';

/** Entries to put into the log by hand. */
export interface EntryToAppend {
	/** The entry, served exactly as it is; without it one is made, as the log's own are. */
	entry?: JsonObject;
	/**
	 * Its place in the log, as milliseconds since the epoch or ISO 8601. Unless told: the entry's
	 * `createdAt` when that is a date, else now.
	 */
	at?: string | number;
	/** When it can first be seen, likewise; unless told, at once. Later than `at`: a late entry. */
	appearAt?: string | number;
	/** How many to make, each with an id of its own; only without `entry`. */
	times?: number;
}

export interface AppendedEntry {
	timeMs: number;
	appearsAtMs: number;
	/** Counted from 0 in the order of appending; decides between entries of the same time. */
	ordinal: number;
	id: string | null;
	/** ASCII only. */
	json: string;
}

/** Entries that were put into the log by hand, in chronological order. */
export class AppendedEntries {
	private sorted: AppendedEntry[] = [];
	private readonly byId = new Map<string, AppendedEntry>();
	private nextOrdinal = 0;

	get size(): number {
		return this.sorted.length;
	}

	/** The ordinal that the next entry gets. */
	get upcoming(): number {
		return this.nextOrdinal;
	}

	add(entries: Array<Omit<AppendedEntry, 'ordinal'>>): void {
		for (const entry of entries) {
			const stored = { ...entry, ordinal: this.nextOrdinal++ };
			this.sorted.push(stored);
			if (stored.id !== null) this.byId.set(stored.id, stored);
		}
		this.sorted.sort((a, b) => a.timeMs - b.timeMs || a.ordinal - b.ordinal);
	}

	at(position: number): AppendedEntry | undefined {
		return this.sorted[position];
	}

	find(id: string): AppendedEntry | undefined {
		return this.byId.get(id);
	}

	/** Position of the first entry at a later time, or at the same time with a larger ordinal. */
	firstAfter(timeMs: number, ordinal: number): number {
		return firstIndexWhere(this.sorted.length, (position) => {
			const entry = this.sorted[position];
			return entry.timeMs > timeMs || (entry.timeMs === timeMs && entry.ordinal > ordinal);
		});
	}
}
