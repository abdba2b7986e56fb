import type { Clock } from '../clock.cts';
import { asciiJson } from '../jsonValue.cts';
import type { ConsoleSettings } from '../settings.cts';
import type { EntryToAppend } from './appendedEntries.cts';
import { AppendedEntries } from './appendedEntries.cts';
import { entryJson, GeneratedEntries, idOf, indexOf } from './generatedEntries.cts';

/** docs/interface.md, Limits: entries are kept for 365 days. */
export const retentionMs = 365 * 86_400_000;

/**
 * A place in the log: right after one entry. `generated` and `appended` count within the same
 * time, where the log's own entries stand before those put in by hand.
 */
export interface LogPosition {
	timeMs: number;
	/** Index of the last generated entry that was passed; -1: none of this time. */
	generated: number;
	/** Ordinal of the last appended entry that was passed; -1: none of this time. */
	appended: number;
}

export interface LogEntry {
	timeMs: number;
	/** null: the entry has none. */
	id: string | null;
	/** ASCII only. */
	json: string;
}

export interface LogSlice {
	entries: LogEntry[];
	/** Where the next slice begins. */
	end: LogPosition;
	hasMore: boolean;
}

/** The audit log of the console: generated and appended entries, oldest first, of the last 365 days. */
export class AuditLog {
	private readonly generated: GeneratedEntries;
	private readonly appended = new AppendedEntries();

	constructor(
		private readonly clock: Clock,
		private readonly seed: number,
		private readonly settings: ConsoleSettings,
	) {
		const { historyEntries, historyDays, ratePerMinute } = settings;
		const history = { entries: historyEntries, days: historyDays, endMs: clock.now() };
		this.generated = new GeneratedEntries(seed, history, ratePerMinute);
	}

	/** To be called with every change of `ratePerMinute`. */
	changeRate(ratePerMinute: number): void {
		this.generated.changeRate(ratePerMinute, this.clock.now());
	}

	/**
	 * Puts entries into the log, each in its chronological place.
	 * @returns their ids, null for an entry without one.
	 * @throws RangeError for a date that is none, and for `times` together with `entry`.
	 */
	append(entries: readonly EntryToAppend[]): Array<string | null> {
		const now = this.clock.now();
		const made = entries.flatMap((wanted) => this.make(wanted, now));
		made.forEach((entry, position) => {
			if (entry.json === '') Object.assign(entry, this.invent(position, entry.timeMs));
		});
		this.appended.add(made);
		return made.map((entry) => entry.id);
	}

	/** The position from which everything at or after a moment is read (docs/interface.md: `since` is inclusive). */
	positionBefore(timeMs: number): LogPosition {
		return { timeMs, generated: -1, appended: -1 };
	}

	/** Up to `limit` entries after a position, as the clock's moment has them. */
	read(from: LogPosition, limit: number): LogSlice {
		const now = this.clock.now();
		const oldest = now - retentionMs;
		const start = from.timeMs < oldest ? this.positionBefore(oldest) : from;
		const count = this.generated.countBy(now);
		let index = this.firstGenerated(start, count);
		let place = this.appended.firstAfter(start.timeMs, start.appended);
		const entries: LogEntry[] = [];
		let end = from;
		for (;;) {
			while ((this.appended.at(place)?.appearsAtMs ?? 0) > now) place += 1;
			const byHand = this.appended.at(place);
			const time = index < count ? this.generated.timeOf(index) : Infinity;
			if (time === Infinity && !byHand) return { entries, end, hasMore: false };
			if (entries.length === limit) return { entries, end, hasMore: true };
			if (byHand && byHand.timeMs < time) {
				entries.push(byHand);
				end = { timeMs: byHand.timeMs, generated: Infinity, appended: byHand.ordinal };
				place += 1;
			} else {
				entries.push(this.generatedEntry(index, time));
				end = { timeMs: time, generated: index, appended: -1 };
				index += 1;
			}
		}
	}

	/** The visible entry with this id, as JSON text. */
	find(id: string): string | undefined {
		const now = this.clock.now();
		const byHand = this.appended.find(id);
		if (byHand) return this.isVisible(byHand.timeMs, byHand.appearsAtMs) ? byHand.json : undefined;
		const index = indexOf(this.seed, id);
		if (index === null || index >= this.generated.countBy(now)) return undefined;
		const time = this.generated.timeOf(index);
		return this.isVisible(time, time) ? this.generatedEntry(index, time).json : undefined;
	}

	/** Ids of the visible entries created from `fromMs` to `toMs`, both inclusive, oldest first. */
	idsBetween(fromMs: number, toMs: number): Array<string | null> {
		const ids: Array<string | null> = [];
		let slice: LogSlice | undefined;
		do {
			slice = this.read(slice?.end ?? this.positionBefore(fromMs), 1_000);
			for (const entry of slice.entries) if (entry.timeMs <= toMs) ids.push(entry.id);
		} while (slice.hasMore && slice.end.timeMs <= toMs);
		return ids;
	}

	/** How many entries can be seen now: generated ones within the retention, and appended ones. */
	count(): { generated: number; appended: number } {
		const now = this.clock.now();
		const count = this.generated.countBy(now);
		const expired = this.generated.firstAtOrAfter(now - retentionMs, count);
		return { generated: count - expired, appended: this.appended.size };
	}

	private firstGenerated(from: LogPosition, count: number): number {
		if (from.generated === Infinity) return this.generated.firstAtOrAfter(from.timeMs + 1, count);
		if (from.generated >= 0) return Math.min(from.generated + 1, count);
		return this.generated.firstAtOrAfter(from.timeMs, count);
	}

	private generatedEntry(index: number, timeMs: number): LogEntry {
		const id = idOf(this.seed, index);
		return { timeMs, id, json: entryJson(this.seed, index, id, timeMs, this.settings) };
	}

	private isVisible(timeMs: number, appearsAtMs: number): boolean {
		const now = this.clock.now();
		return appearsAtMs <= now && timeMs >= now - retentionMs;
	}

	private make({ entry, at, appearAt, times = 1 }: EntryToAppend, now: number) {
		if (entry && times !== 1) throw new RangeError('An entry given as it is appears once');
		const own = typeof entry?.createdAt === 'string' ? Date.parse(entry.createdAt) : NaN;
		const timeMs = at === undefined ? (Number.isNaN(own) ? now : own) : momentOf(at);
		const appearsAtMs = appearAt === undefined ? now : momentOf(appearAt);
		const id = typeof entry?.auditlogId === 'string' ? entry.auditlogId : null;
		const json = entry ? asciiJson(entry) : '';
		return Array.from({ length: times }, () => ({ timeMs, appearsAtMs, id, json }));
	}

	/** An entry of the log's own kind, with an id that no generated entry has. */
	private invent(position: number, timeMs: number): { id: string | null; json: string } {
		const { idField } = this.settings;
		const number = this.appended.upcoming + position;
		const id = `by-hand-${this.seed}-${number}-`;
		const json = entryJson(this.seed + 50, number, id, timeMs, this.settings);
		return { id: idField === null ? null : id, json };
	}
}

function momentOf(value: string | number): number {
	const ms = typeof value === 'number' ? value : Date.parse(value);
	if (!Number.isFinite(ms)) throw new RangeError(`"${value}" is not a moment`);
	return ms;
}
