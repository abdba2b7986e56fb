import type { ScanRecord } from '../../../../services/scanning/scanRecord';
import type { FeedState } from './feedState';
import { ListEnds } from './listEnds';
import type { ListWindow, Turn, WindowContent } from './listWindow';
import { lengthOf } from './listWindow';
import { nextLook } from './nextLook';
import { packScans, unpackScans } from './packedScans';
import type { Mark, RememberedScan, RememberedScans } from './rememberedScans';
import { PENDING, UNFINISHED, isWithin, missingIn, shownIn } from './rememberedScans';
import type { FeedSettings, ScanEvent } from './scanEvents';
import { eventOf, markAfter } from './scanEvents';
import { createdSecond, identitiesOf, worstOfEach } from './scanIdentity';
import type { UnreadStretch } from './unreadStretches';
import { UnreadStretches } from './unreadStretches';
import { WindowSpan } from './windowSpan';

/** How late the list may show a scan after its creation, in seconds. */
export const LISTED_WITHIN = 600;

/** How far past the present a window reaches, in seconds: clocks differ. */
const AHEAD = 600;

/** Most scans that are remembered: 12 bytes of state each stay under 64 KB, with changes under 256 KB. */
export const MOST_REMEMBERED = { usually: 4700, withChanges: 18_000 };

/** When a reading takes place, in epoch seconds. */
export interface ReadingTime {
	/** By the computer's clock: the service has not told its own yet. */
	estimate: number;
	/** Of a batch that comes again: the service's time when it was read first. */
	until?: number;
}

const TURNS: Turn[] = ['new', 'pending', 'retry'];

function turnOf({ lookFor, isRetry }: ListWindow): Turn {
	if (isRetry) return 'retry';
	return lookFor === 'new' ? 'new' : 'pending';
}

interface Found extends ScanEvent {
	digest?: string;
	/** What was remembered of the scan before. */
	before?: RememberedScan;
	scan?: RememberedScan;
	unread?: UnreadStretch;
}

/**
 * One poll as pure steps: which window of the list to read, which events follow from what it holds,
 * and the state afterwards. It sends nothing and has no clock.
 *
 * The list shows a scan under its time of creation, and its verdict later. So two kinds of windows are
 * read: from `settledTo` on everything is new unless it is remembered; before it only the scans that
 * are remembered count, and they are looked for ever more rarely.
 */
export class FeedReading {
	/** Whether the service gave any window. Without that nothing is known of what is new. */
	hasRead = false;
	private readonly scans: RememberedScans;
	private readonly unread: UnreadStretches;
	private readonly span: WindowSpan;
	private readonly ends: ListEnds;
	private readonly found: Found[] = [];
	private readonly foundHere = new Set<string>();
	/** The service's clock, as far as it is known. */
	private time?: number;
	/** The same as the service tells it, although n8n's own clock is too far ahead to believe it. */
	private told?: number;
	/** When this poll began to look for what was pending. */
	private checked?: number;
	/** New scans were read up to here. */
	private readTo: number;
	private settledTo: number;
	private last?: Turn;
	private newIsBlocked = false;
	private hasReadNew = false;
	/** Whether the service answers at all, where the shortest window there is was refused first. */
	private probe: 'notNeeded' | 'due' | 'refused' = 'notNeeded';

	constructor(
		private readonly before: FeedState,
		private readonly settings: FeedSettings,
		private readonly at: ReadingTime,
	) {
		this.scans = unpackScans(before.scans);
		this.unread = new UnreadStretches(before.unread);
		this.span = new WindowSpan(before);
		this.ends = new ListEnds(before);
		this.last = before.last;
		this.readTo = before.settledTo;
		this.settledTo = before.settledTo;
	}

	/** The next window to read, or `undefined` when there is nothing to look for now. */
	get nextWindow(): ListWindow | undefined {
		if (this.isFull) return undefined;
		if (this.probe !== 'notNeeded') return this.probeWindow;
		if (this.isCrowded && this.newCount <= this.mostRemembered) {
			const oldest = this.oldestWindow;
			if (oldest) return oldest;
		}
		// In turns, so that none keeps the others waiting.
		const next = TURNS.indexOf(this.last ?? 'retry') + 1;
		const turns = [...TURNS.slice(next), ...TURNS.slice(0, next)];
		for (const turn of turns) {
			const window = this.windowOf(turn);
			if (window) return window;
		}
		return undefined;
	}

	private get isFull(): boolean {
		return this.found.length >= this.settings.maxScans;
	}

	private windowOf(turn: Turn): ListWindow | undefined {
		if (turn === 'new') return this.newWindow;
		if (turn === 'pending') return this.pendingWindow;
		// What was refused before says nothing of whether the service is well.
		return this.hasRead ? this.unread.window(this.past, this.span.seconds) : undefined;
	}

	/** What to deliver, the oldest scan first. */
	get events(): ScanEvent[] {
		return this.inOrder.slice(0, this.settings.maxScans);
	}

	/** Where this reading is in time: a batch that comes again is read as of then. */
	get asOf(): number {
		return this.latest;
	}

	/** Whether what a window holds was taken although its end was never seen. */
	get hasGivenUp(): boolean {
		return this.ends.hasGivenUp;
	}

	/** The state after what was taken so far. */
	get state(): FeedState {
		const scans = new Map(this.scans);
		const unread = new UnreadStretches(this.unread.packed);
		let { settledTo } = this;
		// What this poll may not deliver any more comes with the next one.
		for (const { digest, before, scan, unread: stretch } of this.inOrder.slice(
			this.settings.maxScans,
		)) {
			if (stretch) unread.put(stretch);
			if (digest === undefined || !scan) continue;
			const isNew = !before && scan.from >= this.before.settledTo;
			if (isNew) {
				scans.delete(digest);
				settledTo = Math.min(settledTo, scan.from);
			} else scans.set(digest, before ?? { ...scan, checked: scan.from, mark: PENDING });
		}
		const { version, scope, credential } = this.before;
		return {
			...{ version, scope, settledTo },
			scans: packScans(this.kept(scans, settledTo)),
			span: this.span.seconds,
			...(this.span.tooLong && { tooLong: this.span.tooLong }),
			...this.ends.state,
			...(this.last && (this.isFull || this.nextWindow) && { last: this.last }),
			...(unread.packed.length > 0 && { unread: unread.packed }),
			...(credential && { credential }),
		};
	}

	/** Takes what was read of a window. */
	take(window: ListWindow, content: WindowContent): void {
		const { until = Infinity } = this.at;
		this.time = Math.max(this.time ?? 0, Math.min(content.askedAt, until));
		// The service's clock never goes back behind what was read by it.
		const { toldAt = -Infinity } = content;
		if (toldAt >= this.before.settledTo) this.told = Math.min(this.told ?? Infinity, toldAt);
		this.hasRead = true;
		this.probe = 'notNeeded';
		this.checked ??= this.past;
		this.last = turnOf(window);
		const records = worstOfEach(content.records);
		const listed = new Set(records.map((record) => this.takeRecord(record, window)));
		if (this.ends.isWhole(window, content, listed.size)) {
			this.noteAbsent(window, listed);
			this.noteRead(window);
			this.span.adapt(window, records.length, this.at.estimate);
		} else if (window.isRetry) {
			this.unread.refused(window, this.past);
		} else if (lengthOf(window) > 1) {
			this.span.divide(window, this.at.estimate);
		} else if (window.lookFor === 'new') {
			this.newIsBlocked = true;
		} else {
			this.noteAbsent(window, listed);
		}
		this.giveUpUnread();
	}

	/**
	 * The service did not give a window: perhaps it is too long, or holds a scan that it cannot show.
	 * What follows from it counts only if the service gives another one.
	 */
	refused(window: ListWindow): void {
		this.last = turnOf(window);
		if (this.probe === 'due') this.probe = 'refused';
		else if (window.isRetry) this.unread.refused(window, this.past);
		else if (lengthOf(window) > 1) this.span.divide(window, this.at.estimate);
		else {
			const end = this.unread.setAside(window, this.past, this.past - LISTED_WITHIN);
			if (window.lookFor === 'new') this.settle(window.start, end);
			if (!this.hasRead) this.probe = 'due';
			// Its length was not the reason.
			this.span.tooLong = undefined;
		}
	}

	/** The later of the two clocks: what is there now is not to wait. */
	private get latest(): number {
		const { estimate, until = Infinity } = this.at;
		return Math.min(until, Math.max(this.time ?? 0, estimate));
	}

	/** The earliest of the clocks: what follows from the time that has passed waits for all. */
	private get past(): number {
		const { time = Infinity, told = Infinity } = this;
		return Math.min(time, told, this.at.estimate, this.at.until ?? Infinity);
	}

	private get inOrder(): Found[] {
		return [...this.found].sort((a, b) => a.created - b.created);
	}

	/** What was created this very second is of no interest yet. */
	private get probeWindow(): ListWindow | undefined {
		if (this.probe === 'refused') return undefined;
		return { start: this.latest - 1, end: this.latest, lookFor: 'pending' };
	}

	private get newWindow(): ListWindow | undefined {
		const { start, end } = this.unread.readableFrom(this.readTo);
		if (this.newIsBlocked || (this.isCrowded && this.hasReadNew)) return undefined;
		if (this.hasReadNew && start >= this.latest) return undefined;
		const horizon = Math.max(this.latest, start) + AHEAD;
		return { start, end: Math.min(start + this.span.seconds, horizon, end), lookFor: 'new' };
	}

	private noteRead(window: ListWindow): void {
		const { start, end, lookFor, isRetry } = window;
		if (isRetry) {
			const isFinal = this.past >= end + LISTED_WITHIN;
			return this.unread.read(window, this.past, isFinal);
		}
		if (lookFor !== 'new') return;
		this.readTo = end;
		this.hasReadNew = true;
		this.settle(start, end);
	}

	/** A stretch was read, or set aside. Later scans may still be listed in its last minutes. */
	private settle(start: number, end: number): void {
		// What was left out before it is not read yet.
		if (start > this.unread.readableFrom(this.settledTo).start) return;
		this.settledTo = Math.max(this.settledTo, Math.min(end, this.past - LISTED_WITHIN));
	}

	private giveUpUnread(): void {
		for (const unread of this.unread.expired(this.past, this.settings.watchSeconds)) {
			const { start, end, lookFor } = unread;
			this.noteAbsent({ start, end: end + 1, lookFor }, new Set());
			if (lookFor === 'pending' || !this.settings.tellsUnfinished) continue;
			this.found.push({ event: 'unfinished', created: start, unreadTo: end, unread });
		}
	}

	/** Scans that were created before the new ones begin, and may still bring an event. */
	private get watched(): RememberedScan[] {
		const { settledTo } = this.before;
		return [...this.scans.values()].filter(
			(scan) =>
				scan.to < settledTo &&
				this.isWatched(scan) &&
				this.unread.readableFrom(scan.from).start <= scan.to,
		);
	}

	private get pendingWindow(): ListWindow | undefined {
		const { watchSeconds } = this.settings;
		let first: RememberedScan | undefined;
		let firstLook = this.past;
		const watched = this.watched;
		for (const scan of watched) {
			const look = nextLook(scan, watchSeconds);
			if (look > firstLook) continue;
			first = scan;
			firstLook = look;
		}
		return first && this.windowAround(first, watched, 'pending');
	}

	private get oldestWindow(): ListWindow | undefined {
		let oldest: RememberedScan | undefined;
		const watched = this.watched;
		for (const scan of watched) {
			if (scan.mark === PENDING && scan.from < (oldest?.from ?? Infinity)) oldest = scan;
		}
		return oldest && this.windowAround(oldest, watched, 'oldest');
	}

	/** The watched scans that were created about the same time cost no call of their own. */
	private windowAround(
		scan: RememberedScan,
		watched: RememberedScan[],
		lookFor: ListWindow['lookFor'],
	): ListWindow {
		const span = this.span.seconds;
		const readable = this.unread.readableFrom(scan.from);
		let { start } = readable;
		// The service may count the last second up to its beginning only.
		let end = Math.min(scan.to + 1, readable.end, start + span);
		const spare = span - lengthOf({ start, end });
		const earliest = Math.max(start - spare / 2, this.unread.readableSince(start));
		const latest = Math.min(earliest + span, readable.end);
		for (const { from, to } of watched) {
			if (from < earliest || to >= latest) continue;
			start = Math.min(start, from);
			end = Math.max(end, to + 1);
		}
		return { start, end: Math.min(end, readable.end), lookFor };
	}

	/** @returns The digest under which the scan is known. */
	private takeRecord(record: ScanRecord, window: ListWindow): string {
		const identities = identitiesOf(record);
		const digest = identities.find((identity) => this.scans.has(identity)) ?? identities[0];
		const known = this.scans.get(digest);
		// Before the new ones every scan that is not remembered has been delivered, or is of no interest.
		if (!known && window.lookFor !== 'new') return digest;
		const { start: from, end: to } = window;
		const fresh = { from, to, checked: this.past, mark: PENDING };
		const scan = known ? shownIn(known, window) : fresh;
		const isOver = this.isOver(scan, window);
		const { now, until } = { now: this.past, until: this.at.until };
		const mark = this.foundHere.has(digest)
			? scan.mark
			: markAfter(scan, record, this.settings, { now, isOver, until });
		this.scans.set(digest, { ...scan, checked: this.checkedNow(scan), mark });
		if (mark !== scan.mark) this.note(digest, scan, known, mark, record);
		return digest;
	}

	/** Whether it is waited for no more. */
	private isOver({ to }: RememberedScan, { lookFor }: ListWindow): boolean {
		return lookFor === 'oldest' || this.past >= to + this.settings.watchSeconds;
	}

	/** The same moment for all scans of one poll, which packs them well. */
	private checkedNow({ checked }: RememberedScan): number {
		return Math.max(checked, this.checked ?? 0);
	}

	/** A scan's mark has changed: tells it where the user chose so. */
	private note(
		digest: string,
		scan: RememberedScan,
		before: RememberedScan | undefined,
		mark: Mark,
		record?: ScanRecord,
	): void {
		const event = eventOf(scan.mark, mark, this.settings);
		if (!event) return;
		const created = (record && createdSecond(record)) ?? scan.from;
		this.foundHere.add(digest);
		this.found.push({ ...event, record, created, digest, before, scan });
	}

	/** Notes which of the remembered scans were looked for, and which of them can be waited for no more. */
	private noteAbsent(window: ListWindow, listed: Set<string>): void {
		for (const [digest, scan] of this.scans) {
			if (listed.has(digest)) continue;
			if (!isWithin(scan, window)) {
				// A list that once leaves out a scan that was delivered may show it again.
				if (!this.isWatched(scan)) continue;
				const readable = this.readable(scan);
				const missing = missingIn(readable, window);
				if (missing !== readable) this.scans.set(digest, missing);
				continue;
			}
			const mark = scan.mark === PENDING && this.isOver(scan, window) ? UNFINISHED : scan.mark;
			this.scans.set(digest, { ...scan, checked: this.checkedNow(scan), mark });
			if (mark !== scan.mark) this.note(digest, scan, scan, mark);
		}
	}

	/** What is left of the scan's time without what the service refuses: there it is looked for again. */
	private readable(scan: RememberedScan): RememberedScan {
		return { ...scan, from: Math.min(scan.to, this.unread.readableFrom(scan.from).start) };
	}

	/** Whether it may still bring an event. */
	private isWatched({ mark, to, checked }: RememberedScan): boolean {
		if (mark === PENDING) return true;
		const { verdictChanges, watchSeconds } = this.settings;
		return verdictChanges && mark !== UNFINISHED && checked < to + watchSeconds;
	}

	/** Whether the list may show it once more as new. */
	private mayComeAsNew({ from, to }: RememberedScan, settledTo: number): boolean {
		return to >= settledTo - 1 || this.unread.touches(from, to);
	}

	/** What is remembered for the next poll. Beyond the bound, what is told to nobody goes first. */
	private kept(scans: RememberedScans, settledTo: number): RememberedScans {
		const needed = [...scans].filter(
			([, scan]) => this.mayComeAsNew(scan, settledTo) || this.isWatched(scan),
		);
		let surplus = needed.length - this.mostRemembered;
		if (surplus <= 0) return new Map(needed);
		needed.sort(([, a], [, b]) => a.from - b.from);
		return new Map(
			needed.filter(
				([, scan]) => this.mayComeAsNew(scan, settledTo) || this.mustBeTold(scan) || surplus-- <= 0,
			),
		);
	}

	private mustBeTold({ mark }: RememberedScan): boolean {
		return mark === PENDING && this.settings.tellsUnfinished;
	}

	private get mostRemembered(): number {
		return this.settings.verdictChanges ? MOST_REMEMBERED.withChanges : MOST_REMEMBERED.usually;
	}

	/** Scans that are remembered because the list may show them once more as new. */
	private get newCount(): number {
		return this.countOf((scan) => this.mayComeAsNew(scan, this.settledTo));
	}

	/** Whether no more new scans can be remembered before older ones are told as unfinished. */
	private get isCrowded(): boolean {
		if (this.scans.size <= this.mostRemembered) return false;
		const held = this.countOf(
			(scan) => this.mayComeAsNew(scan, this.settledTo) || this.mustBeTold(scan),
		);
		return held > this.mostRemembered;
	}

	private countOf(counts: (scan: RememberedScan) => boolean): number {
		let count = 0;
		for (const scan of this.scans.values()) if (counts(scan)) count++;
		return count;
	}
}
