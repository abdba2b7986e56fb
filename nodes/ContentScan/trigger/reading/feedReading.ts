import type { ScanRecord } from '../../../../services/scanning/scanRecord';
import { isFinished, recordVerdict } from '../../../../services/scanning/scanRecord';
import type { FeedState } from './feedState';
import { LONGEST_SPAN } from './feedState';
import { nextLook } from './nextLook';
import type { Mark, RememberedScan, RememberedScans } from './rememberedScans';
import { PENDING, UNFINISHED, codeOf, markOf, packScans, unpackScans } from './rememberedScans';
import { createdSecond, finishedSecond, identitiesOf } from './scanIdentity';

/** How late the list may show a scan after its creation, or a verdict after its end, in seconds. */
export const LISTED_WITHIN = 600;

/** How far past the present a window reaches, in seconds: clocks differ. */
const AHEAD = 600;

/** Most scans that are remembered: 12 bytes of state each stay under 64 KB, with changes under 256 KB. */
export const MOST_REMEMBERED = { usually: 4700, withChanges: 18_000 };

/** A window with fewer scans leaves room for a longer one, one with more is divided, in a few pages. */
const FEW_IN_WINDOW = 40;
const MANY_IN_WINDOW = 200;

/** How much longer or shorter the next window is. */
const STEP = 4;

/** When a window that was too long is tried again, in seconds. */
const TRIED_AGAIN_AFTER = 300;

/** After so many polls in which the count or the pages promised more, what there is counts as all. */
const MOST_CUT_SHORT = { byCount: 10, byPages: 30 };

/** What the user chose for the feed. */
export interface FeedSettings {
	/** Whether a verdict starts the workflow; `''`: finished without one. */
	isChosen(code: string): boolean;
	/** Whether a scan that did not finish in time does. */
	tellsUnfinished: boolean;
	verdictChanges: boolean;
	/** How long after its creation a scan may finish, in seconds. */
	watchSeconds: number;
	/** Most scans that one poll delivers. */
	maxScans: number;
}

/** A part of the list by time of creation, in epoch seconds, both inclusive. */
export interface ListWindow {
	start: number;
	end: number;
	/** New scans; scans that were not finished; the oldest of these, to forget them. */
	lookFor: 'new' | 'pending' | 'oldest';
}

/** What was read of a window. */
export interface WindowContent {
	records: ScanRecord[];
	/** Whether its last page was reached. */
	complete: boolean;
	/** How many scans the service says that there are. */
	count?: number;
	/** The service's clock when the first page was asked for, in epoch seconds. */
	askedAt: number;
}

/** What starts the workflow. */
export interface ScanEvent {
	event: 'finished' | 'changed' | 'unfinished';
	/** `undefined` for a scan that did not finish and is no longer listed. */
	record?: ScanRecord;
	/** Of a changed scan; `''`: it had none. */
	previousCode?: string;
	/** When the scan was created, in epoch seconds. */
	created: number;
}

interface Found extends ScanEvent {
	digest: string;
	/** What was remembered of the scan before. */
	before?: RememberedScan;
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
	private readonly scans: RememberedScans;
	private readonly found: Found[] = [];
	private readonly foundHere = new Set<string>();
	private span: number;
	/** The service's clock, as far as it is known. */
	private time?: number;
	/** The same when this poll began. */
	private checked?: number;
	/** New scans were read up to here. */
	private readTo: number;
	private settledTo: number;
	private last?: ListWindow['lookFor'];
	private newIsBlocked = false;
	private cutShort = false;
	private ignoreCount: boolean;
	private tooLong: FeedState['tooLong'];

	/** @param estimate The computer's clock in epoch seconds, until the service has told its own. */
	constructor(
		private readonly before: FeedState,
		private readonly settings: FeedSettings,
		private readonly estimate: number,
	) {
		this.scans = unpackScans(before.scans);
		this.span = before.span;
		this.readTo = before.settledTo;
		this.settledTo = before.settledTo;
		this.ignoreCount = before.ignoreCount === true;
		this.tooLong = before.tooLong;
	}

	/** The next window to read, or `undefined` when there is nothing to look for now. */
	get nextWindow(): ListWindow | undefined {
		if (this.found.length >= this.settings.maxScans) return undefined;
		if (this.isCrowded && this.newCount <= this.mostRemembered) {
			const oldest = this.oldestWindow;
			if (oldest) return oldest;
		}
		const fresh = this.newWindow;
		if (this.time === undefined) return fresh;
		const pending = this.pendingWindow(this.time);
		// In turns, so that neither keeps the other waiting.
		return this.last === 'new' ? (pending ?? fresh) : (fresh ?? pending);
	}

	/** What to deliver, the oldest scan first. */
	get events(): ScanEvent[] {
		return this.inOrder.slice(0, this.settings.maxScans);
	}

	/** The state after what was taken so far. */
	get state(): FeedState {
		const scans = new Map(this.scans);
		let { settledTo } = this;
		// What this poll may not deliver any more comes with the next one.
		for (const { digest, before, created } of this.inOrder.slice(this.settings.maxScans)) {
			if (before) scans.set(digest, before);
			else scans.delete(digest);
			settledTo = Math.min(settledTo, created);
		}
		settledTo = Math.max(settledTo, this.before.settledTo);
		const state: FeedState = {
			version: this.before.version,
			scope: this.before.scope,
			settledTo,
			scans: packScans(this.kept(scans, settledTo)),
			span: this.span,
		};
		if (this.tooLong) state.tooLong = this.tooLong;
		if (this.cutShort) state.cutShort = (this.before.cutShort ?? 0) + 1;
		if (this.ignoreCount) state.ignoreCount = true;
		return state;
	}

	/** Takes what was read of a window. */
	take(window: ListWindow, { records, complete, count, askedAt }: WindowContent): void {
		this.time = Math.max(this.time ?? 0, askedAt);
		this.checked ??= askedAt;
		this.last = window.lookFor;
		const listed = new Set(records.map((record) => this.takeRecord(record, window, askedAt)));
		if (this.isWhole(window, complete, listed.size < (count ?? 0))) {
			this.noteAbsent(window, listed, askedAt);
			if (window.lookFor === 'new') this.noteRead(window, askedAt);
			this.adaptSpan(window, records.length);
		} else if (length(window) > 1) {
			this.divide(window);
		} else if (window.lookFor === 'new') {
			this.newIsBlocked = true;
		} else {
			this.noteAbsent(window, listed, askedAt);
		}
	}

	/**
	 * The service did not give a window: perhaps it is too long.
	 * @returns Whether there is another way to go on.
	 */
	refused(window: ListWindow): boolean {
		this.last = window.lookFor;
		if (length(window) > 1) {
			this.divide(window);
			return true;
		}
		if (window.lookFor !== 'pending' || this.time === undefined) return false;
		// Others are answered: this one must not stand in their way.
		this.noteAbsent(window, new Set(), this.time);
		return true;
	}

	private get inOrder(): Found[] {
		return [...this.found].sort((a, b) => a.created - b.created);
	}

	private divide(window: ListWindow): void {
		const long = length(window);
		this.tooLong = { span: long, at: this.time ?? this.estimate };
		this.span = Math.max(1, Math.floor(Math.min(this.span, long) / STEP));
	}

	/** Longest window that is worth trying. What was too long is tried again after a while. */
	private get longestSpan(): number {
		const { span, at } = this.tooLong ?? { span: Infinity, at: 0 };
		const isRecent = Math.abs((this.time ?? this.estimate) - at) < TRIED_AGAIN_AFTER;
		return isRecent ? Math.max(1, Math.min(LONGEST_SPAN, Math.floor(span / 2))) : LONGEST_SPAN;
	}

	private adaptSpan(window: ListWindow, count: number): void {
		const long = length(window);
		if (count > MANY_IN_WINDOW) {
			this.span = Math.max(1, Math.min(this.span, Math.floor((long * MANY_IN_WINDOW) / 2 / count)));
		} else if (count < FEW_IN_WINDOW && long >= this.span) {
			this.span = Math.min(this.longestSpan, this.span * STEP);
		}
	}

	/** Whether everything that the window holds was read. */
	private isWhole(window: ListWindow, complete: boolean, countIsShort: boolean): boolean {
		if (complete && (!countIsShort || this.ignoreCount)) return true;
		const isShortest = length(window) === 1 && window.lookFor === 'new';
		if (!isShortest) return false;
		this.cutShort = true;
		const most = complete ? MOST_CUT_SHORT.byCount : MOST_CUT_SHORT.byPages;
		const isLastTry = (this.before.cutShort ?? 0) + 1 >= most;
		if (isLastTry && complete) this.ignoreCount = true;
		return isLastTry;
	}

	private get newWindow(): ListWindow | undefined {
		const start = this.readTo;
		const isFirst = start === this.before.settledTo;
		if (this.newIsBlocked || (this.isCrowded && !isFirst)) return undefined;
		if (this.time !== undefined && start >= this.time) return undefined;
		const horizon = Math.max(this.time ?? this.estimate, start) + AHEAD;
		return { start, end: Math.min(start + this.span, horizon), lookFor: 'new' };
	}

	private noteRead({ start, end }: ListWindow, askedAt: number): void {
		this.readTo = end;
		// Later ones may still be listed late; and what was left out before is not read yet.
		if (start <= this.settledTo) {
			this.settledTo = Math.max(this.settledTo, Math.min(end, askedAt - LISTED_WITHIN));
		}
	}

	/** Scans that were created before the new ones begin, and may still bring an event. */
	private get watched(): RememberedScan[] {
		const { settledTo } = this.before;
		return [...this.scans.values()].filter((scan) => scan.to < settledTo && this.isWatched(scan));
	}

	private pendingWindow(time: number): ListWindow | undefined {
		const { watchSeconds } = this.settings;
		let first: RememberedScan | undefined;
		let firstLook = time;
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
		let { from: start, to: end } = scan;
		const earliest = start - this.span / 2;
		const latest = earliest + this.span;
		for (const other of watched) {
			if (other.from < earliest || other.to >= latest) continue;
			start = Math.min(start, other.from);
			end = Math.max(end, other.to);
		}
		// The service may count the last second up to its beginning only.
		return { start, end: end + 1, lookFor };
	}

	/** @returns The digest under which the scan is known. */
	private takeRecord(record: ScanRecord, window: ListWindow, askedAt: number): string {
		const identities = identitiesOf(record);
		const digest = identities.find((identity) => this.scans.has(identity)) ?? identities[0];
		const known = this.scans.get(digest);
		const created = createdSecond(record, window.start, window.end);
		if (!known && !this.isNew(created, window)) return digest;
		const scan = known ?? {
			from: created ?? window.start,
			to: created ?? window.end,
			checked: askedAt,
			mark: PENDING,
		};
		const isOver = this.isOver(scan, window, askedAt);
		const mark = this.foundHere.has(digest)
			? scan.mark
			: this.markAfter(scan, record, askedAt, isOver);
		this.scans.set(digest, { ...scan, checked: this.checkedNow(scan), mark });
		if (mark !== scan.mark) this.note(digest, known, mark, scan.from, record);
		return digest;
	}

	/** Whether it is waited for no more. */
	private isOver({ to }: RememberedScan, { lookFor }: ListWindow, askedAt: number): boolean {
		return lookFor === 'oldest' || askedAt >= to + this.settings.watchSeconds;
	}

	/** The same moment for all scans of one poll, which packs them well. */
	private checkedNow({ checked }: RememberedScan): number {
		return Math.max(checked, this.checked ?? 0);
	}

	private isNew(created: number | undefined, { lookFor }: ListWindow): boolean {
		return created === undefined ? lookFor === 'new' : created >= this.before.settledTo;
	}

	private markAfter(
		scan: RememberedScan,
		record: ScanRecord,
		askedAt: number,
		isOver: boolean,
	): Mark {
		const { mark } = scan;
		if (mark === UNFINISHED) return mark;
		if (!isFinished(record)) return mark === PENDING && isOver ? UNFINISHED : mark;
		const code = recordVerdict(record)?.code ?? '';
		if (mark === PENDING && code === '' && !isOver && this.awaitsVerdict(scan, record, askedAt)) {
			return PENDING;
		}
		return mark === PENDING || this.settings.verdictChanges ? markOf(code) : mark;
	}

	/** Whether the verdict of a scan that has finished without one may still be on its way. */
	private awaitsVerdict(
		{ from, to }: RememberedScan,
		record: ScanRecord,
		askedAt: number,
	): boolean {
		if (!this.settings.isChosen('')) return true;
		return askedAt < (finishedSecond(record, from, askedAt + AHEAD) ?? to) + LISTED_WITHIN;
	}

	/** A scan's mark has changed: tells it where the user chose so. */
	private note(
		digest: string,
		before: RememberedScan | undefined,
		mark: Mark,
		created: number,
		record?: ScanRecord,
	): void {
		const { isChosen, tellsUnfinished } = this.settings;
		const code = codeOf(mark);
		const previousCode = codeOf(before?.mark ?? PENDING);
		const event: ScanEvent =
			code === undefined
				? { event: 'unfinished', record, created }
				: previousCode === undefined
					? { event: 'finished', record, created }
					: { event: 'changed', record, created, previousCode };
		const isWanted =
			code === undefined
				? tellsUnfinished
				: isChosen(code) || (previousCode !== undefined && isChosen(previousCode));
		if (!isWanted) return;
		this.foundHere.add(digest);
		this.found.push({ ...event, digest, before });
	}

	/** Notes which of the remembered scans were looked for, and which of them can be waited for no more. */
	private noteAbsent(window: ListWindow, listed: Set<string>, askedAt: number): void {
		for (const [digest, scan] of this.scans) {
			if (scan.from < window.start || scan.to >= window.end || listed.has(digest)) continue;
			const isOver = this.isOver(scan, window, askedAt);
			const mark = scan.mark === PENDING && isOver ? UNFINISHED : scan.mark;
			this.scans.set(digest, { ...scan, checked: this.checkedNow(scan), mark });
			if (mark !== scan.mark) this.note(digest, scan, mark, scan.from);
		}
	}

	/** Whether it may still bring an event. */
	private isWatched({ mark, to, checked }: RememberedScan): boolean {
		if (mark === PENDING) return true;
		const { verdictChanges, watchSeconds } = this.settings;
		return verdictChanges && mark !== UNFINISHED && checked < to + watchSeconds;
	}

	/** What is remembered for the next poll. Beyond the bound, what is told to nobody goes first. */
	private kept(scans: RememberedScans, settledTo: number): RememberedScans {
		const needed = [...scans].filter(
			([, scan]) => scan.to >= settledTo - 1 || this.isWatched(scan),
		);
		let surplus = needed.length - this.mostRemembered;
		if (surplus <= 0) return new Map(needed);
		needed.sort(([, a], [, b]) => a.from - b.from);
		return new Map(
			needed.filter(
				([, scan]) => scan.to >= settledTo - 1 || this.mustBeTold(scan) || surplus-- <= 0,
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
		return this.countOf(({ to }) => to >= this.settledTo - 1);
	}

	/** Whether no more new scans can be remembered before older ones are told as unfinished. */
	private get isCrowded(): boolean {
		if (this.scans.size <= this.mostRemembered) return false;
		const held = this.countOf((scan) => scan.to >= this.settledTo - 1 || this.mustBeTold(scan));
		return held > this.mostRemembered;
	}

	private countOf(counts: (scan: RememberedScan) => boolean): number {
		let count = 0;
		for (const scan of this.scans.values()) if (counts(scan)) count++;
		return count;
	}
}

function length({ start, end }: ListWindow): number {
	return end - start;
}
