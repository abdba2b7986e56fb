import {
	digestOf,
	entryIdentity,
	entryTime,
	eventKeyOf,
	isoTime,
	parsedTime,
	writtenTime,
} from './auditLogEntry';
import type { AuditLogEntry, EntryFields } from './auditLogEntry';
import { PageCalls } from './pageCalls';
import type { AuditLogPage, PageCall } from './pageCalls';
import { PageSize } from './pageSize';
import { stateAfter } from './pollState';
import type { DeliveredDigest, PollState } from './pollState';
import { unpackDigests } from './seenDigests';

/** What the user chose for reading the log. */
export interface ReadingSettings extends EntryFields {
	/** How far behind the newest entry late ones are looked for, in milliseconds. */
	lookbackMs: number;
	/** Entries in one page, if the user set it. */
	pageSize?: number;
	/** Most entries that one poll hands over. */
	maxEntries: number;
}

/** An entry that was not handed over before. */
export interface NewEntry {
	entry: AuditLogEntry;
	/** Stable for an entry, for de-duplication downstream. */
	eventKey: string;
}

/**
 * One poll as pure steps: which call to make, what its answer holds that is new, and the state that
 * follows. It sends nothing and has no clock.
 */
export class LogReading {
	readonly newEntries: NewEntry[] = [];
	private readonly delivered: DeliveredDigest[] = [];
	private readonly known = new Set<string>();
	private readonly repeats = new Map<string, number>();
	private readonly pageSize: PageSize;
	private readonly calls: PageCalls;
	private asOf: number | undefined;
	private lastTime: number | undefined;
	private lastDated: number | undefined;
	private endsUndated = false;
	private ascending = true;
	private leftToPass = 0;
	/** Whether this reading goes on behind a stored token, where nothing comes a second time. */
	private goesOn: boolean;
	private cut = false;
	private gap = false;

	constructor(
		private readonly before: PollState,
		private readonly settings: ReadingSettings,
	) {
		for (const { digest } of unpackDigests(before.seen)) this.known.add(digest);
		this.pageSize = new PageSize(settings.pageSize, before.pageSize, settings.maxEntries);
		const { resume } = before;
		const canResume =
			resume !== undefined &&
			resume.limit <= settings.maxEntries &&
			(settings.pageSize === undefined || settings.pageSize === resume.limit);
		this.goesOn = canResume;
		this.asOf = canResume ? parsedTime(resume.asOf) : undefined;
		this.lastTime = this.asOf === undefined ? undefined : parsedTime(before.since);
		this.calls = new PageCalls(
			canResume
				? { since: resume.since, limit: resume.limit, pageToken: resume.token }
				: { since: before.from, limit: this.pageSize.current },
			this.pageSize,
			before.from,
		);
	}

	/** The next call, or `undefined` when this poll has read what it may. */
	get nextCall(): PageCall | undefined {
		const call = this.calls.next;
		if (call === undefined || this.cut || this.delivered.length >= this.settings.maxEntries) {
			return undefined;
		}
		// In the middle of a backlog, stop where a page ends: the token goes on from there.
		const wouldCut = this.delivered.length + call.limit > this.settings.maxEntries;
		const { lookbackMs } = this.settings;
		const inBacklog = (this.lastTime ?? Infinity) <= (this.asOf ?? 0) - lookbackMs;
		if (call.pageToken !== undefined && this.delivered.length > 0 && wouldCut && inBacklog) {
			return undefined;
		}
		return call;
	}

	/** Whether the tokens led in a circle, so that what may follow could not be read. */
	get wentInCircles(): boolean {
		return this.calls.wentInCircles;
	}

	/** Whether entries after the last reading were deleted before they could be read. */
	get missedRetention(): boolean {
		return this.gap;
	}

	/**
	 * Takes the answer to `nextCall`.
	 * @param serverTime The server's clock when it answered, in milliseconds.
	 */
	take(page: AuditLogPage, serverTime: number): void {
		const call = this.calls.next!;
		this.asOf ??= serverTime;
		this.noteRetention(serverTime);
		if (call.pageToken === undefined) this.beginAt(call.since);
		const foundBefore = this.delivered.length;
		for (const item of page.items) {
			if (this.delivered.length >= this.settings.maxEntries && !this.isKnown(item)) {
				this.cut = true;
				break;
			}
			this.takeItem(item);
		}
		this.calls.took(page, {
			position: this.ascending ? this.lastDated : undefined,
			foundNew: this.delivered.length > foundBefore,
		});
	}

	/** The service refused `nextCall`. Whether there is another way to go on. */
	refused(tooLong: boolean): boolean {
		return this.calls.refused(tooLong);
	}

	/** The state after what was taken so far; unchanged if nothing was. */
	get state(): PollState {
		if (this.asOf === undefined) return this.before;
		const next = this.cut ? undefined : this.calls.next;
		const state = stateAfter(
			this.before,
			{
				delivered: this.delivered,
				reachedEnd: !this.cut && this.calls.reachedEnd,
				ascending: this.ascending,
				endsUndated: this.endsUndated,
				asOf: this.asOf,
				next:
					next?.pageToken === undefined
						? undefined
						: { token: next.pageToken, since: next.since, limit: next.limit },
				pageSize: this.pageSize.toRemember,
			},
			this.settings.lookbackMs,
		);
		return this.gap ? { ...state, gapTold: true } : state;
	}

	/**
	 * The state of a trigger that starts at a moment: what was read and is older is known, and
	 * nothing of it was handed over. A server tells its time in whole seconds, so an entry of that
	 * very second is handed over by the next poll rather than lost. If the lookback could not be read
	 * to its end, the state begins without one.
	 * @param moment By the server's clock, in milliseconds.
	 */
	startingAt(moment: number): PollState {
		const start = freshState(this.before.scope, moment);
		if (!this.calls.reachedEnd || this.cut) return start;
		return stateAfter(
			{ ...start, from: this.before.from },
			{
				delivered: this.delivered.filter(({ time }) => time < moment),
				reachedEnd: true,
				ascending: true,
				endsUndated: this.endsUndated,
				asOf: moment,
				pageSize: this.pageSize.toRemember,
			},
			this.settings.lookbackMs,
		);
	}

	/** A reading without a token may begin where delivered entries had to be forgotten. */
	private beginAt(since: string | undefined): void {
		this.repeats.clear();
		this.goesOn = false;
		this.lastDated = undefined;
		this.leftToPass = since === this.before.from ? (this.before.passed ?? 0) : 0;
		this.lastTime = parsedTime(since) ?? this.lastTime;
	}

	private isKnown(item: unknown): boolean {
		return this.known.has(digestOf(this.identityText(asEntry(item), false)));
	}

	private takeItem(item: unknown): void {
		const entry = asEntry(item);
		const dated = entryTime(entry, this.settings);
		if (dated !== undefined) {
			if (dated < (this.lastDated ?? -Infinity)) this.ascending = false;
			this.lastDated = dated;
		}
		this.endsUndated = dated === undefined;
		const time = dated ?? this.lastTime ?? 0;
		this.lastTime = time;
		const text = this.identityText(entry, true);
		const digest = digestOf(text);
		if (this.known.has(digest)) return;
		this.known.add(digest);
		if (this.leftToPass > 0) {
			this.leftToPass--;
			return;
		}
		const written = dated === undefined ? undefined : String(writtenTime(entry, this.settings));
		this.delivered.push({ digest, time, written });
		this.newEntries.push({ entry, eventKey: eventKeyOf(text) });
	}

	/**
	 * What tells an entry from others. Entries without an id are told apart by their content, and
	 * the same content by how often it was read since this reading began.
	 */
	private identityText(entry: AuditLogEntry, count: boolean): string {
		const { kind, text } = entryIdentity(entry, this.settings);
		if (kind === 'id') return text;
		let repeat = (this.repeats.get(text) ?? 0) + 1;
		while (this.goesOn && this.known.has(digestOf(`${text} ${repeat}`))) repeat++;
		if (count) this.repeats.set(text, repeat);
		return `${text} ${repeat}`;
	}

	private noteRetention(serverTime: number): void {
		const from = parsedTime(this.before.from);
		if (this.before.gapTold || from === undefined || this.before.since === undefined) return;
		this.gap = from < serverTime - RETENTION_MS;
	}
}

/** Entries are kept for 365 days (interface.md, Limits). */
export const RETENTION_DAYS = 365;
export const RETENTION_MS = RETENTION_DAYS * 24 * 60 * 60 * 1000;

/** n8n items are objects; anything else that a log may hold is wrapped, so that it is not lost. */
export function asEntry(item: unknown): AuditLogEntry {
	return typeof item === 'object' && item !== null && !Array.isArray(item)
		? (item as AuditLogEntry)
		: { value: item };
}

/** The state from which a log is read for the first time. */
export function freshState(scope: string, since?: number): PollState {
	const start = since === undefined ? undefined : isoTime(since);
	return { version: 1, scope, ...(start && { since: start, from: start }), seen: [] };
}
