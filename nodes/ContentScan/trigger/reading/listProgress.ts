import type { WatchSettings } from './scanEvents';
import { createdSecond } from '../../../../services/scanning/scanRecord';
import type { FeedState } from './feedState';
import { ListEnds } from './listEnds';
import type { ListWindow, WindowContent } from './listWindow';
import { lengthOf } from './listWindow';
import { Gaps } from './gaps';
import type { PollTime } from './pollTime';
import { WindowSpan } from './windowSpan';

/** How late the list may show a scan after its creation, in seconds. */
const LISTED_WITHIN = 600;

/** How far past the present a window reaches, in seconds: clocks differ. */
const AHEAD = 600;

/** How far from the present it stays where the service refuses a time to come, in seconds. */
const BEHIND = 60;

/** Where clocks differ by no more, in seconds, it does not matter which of them is behind. */
const CLOCKS_AGREE = 120;

/** How far the list was read for new scans, and where it has gaps. */
export class ListProgress {
	/** Whether the service gave any window. Without that nothing is known of what is new. */
	hasRead = false;
	readonly gaps: Gaps;
	readonly span: WindowSpan;
	/** Of the windows in which scans are looked for again: many scans there shorten no other window. */
	readonly watchedSpan: WindowSpan;
	readonly ends: ListEnds;
	/** New scans were read up to here, those included that may still be listed late. */
	private readTo: number;
	/** Up to here all was read, or set aside. */
	private doneTo: number;
	private newIsBlocked = false;
	/** Whether a window that reaches past the present was refused: perhaps it was that. */
	private refusesFuture = false;
	/** Where the shortest window there is was refused first: whether the service answers at all. */
	isProbeDue = false;
	isDown = false;

	constructor(
		private readonly before: FeedState,
		private readonly time: PollTime,
		private readonly settings: Pick<WatchSettings, 'watchSeconds' | 'startDate'>,
	) {
		this.gaps = new Gaps(before.gaps ?? [], settings.watchSeconds);
		this.span = new WindowSpan(before);
		this.watchedSpan = new WindowSpan(before.watched ?? before);
		this.ends = new ListEnds(before);
		this.doneTo = this.readTo = before.settledTo;
	}

	/** Scans created before it were all read, but for the gaps: later ones may still be listed. */
	get settledTo(): number {
		const listed = this.time.surely - LISTED_WITHIN;
		if (this.wasAhead) return listed;
		return Math.max(this.before.settledTo, Math.min(this.doneTo, listed));
	}

	/** Whether the position is in the future: a clock was wrong when it was stored. */
	get wasAhead(): boolean {
		const { settledTo } = this.before;
		return settledTo !== this.settings.startDate && this.time.isToCome(settledTo);
	}

	/** Whether no scan is listed later in a window. */
	isSettled({ end }: ListWindow): boolean {
		return this.time.isPast(end + LISTED_WITHIN);
	}

	get hasReadNew(): boolean {
		return this.readTo > this.before.settledTo;
	}

	/** Whether nothing is left in which there may be new scans, refused parts included. */
	get hasReadAllNew(): boolean {
		return this.hasReachedPresent && !this.gaps.all.some(({ showsNew }) => showsNew);
	}

	private get hasReachedPresent(): boolean {
		const { start } = this.gaps.readableFrom(this.readTo);
		return start >= this.present && (this.hasReadNew || this.refusesFuture);
	}

	get newWindow(): ListWindow | undefined {
		const { present, refusesFuture } = this;
		const { start, end } = this.gaps.readableFrom(this.readTo);
		if (this.newIsBlocked || this.hasReachedPresent) return undefined;
		const horizon = refusesFuture ? present : Math.max(present, start) + AHEAD;
		const last = Math.min(start + this.span.seconds, horizon, end);
		return { start, end: last, kind: 'new', showsNew: true };
	}

	get gapWindow(): ListWindow | undefined {
		return this.gaps.window(this.time.byEarlierClock, this.span.seconds);
	}

	/** Goes before all others where it is needed. */
	get probeWindow(): ListWindow | undefined {
		if (!this.isProbeDue) return undefined;
		// A service may refuse a time to come, and the clocks differ.
		const start = this.time.byEarlierClock - LISTED_WITHIN;
		return { start, end: start + 1, kind: 'probe', showsNew: false };
	}

	/**
	 * Where the clocks differ, and the present is not reached: if the list goes on here, as far as scans are believed, the
	 * clock that is behind is wrong, and what was read before is settled. By that clock, the next polls would come no
	 * further, hour after hour.
	 */
	get beyondWindows(): ListWindow[] {
		const { surely, surelyAtMost, byLaterClock } = this.time;
		const end = Math.min(surelyAtMost, byLaterClock);
		const apart = end - surely;
		if (!this.hasRead || !this.newWindow || apart <= CLOCKS_AGREE) return [];
		const first = surely + Math.min(LISTED_WITHIN, Math.floor(apart / 2));
		// The newest scans are found soonest; all of it may be too long.
		const newest = Math.max(first, end - this.span.seconds);
		const starts = newest === first ? [first] : [newest, first];
		return starts.map((start) => ({ start, end, kind: 'beyond', showsNew: false }));
	}

	/** New scans are looked for up to here. */
	private get present(): number {
		const { byLaterClock, byEarlierClock, batchEnd } = this.time;
		if (!this.refusesFuture) return byLaterClock;
		// A batch that comes again is looked for up to its end, once that is past.
		return this.time.isPast(batchEnd + BEHIND) ? batchEnd : byEarlierClock - BEHIND;
	}

	/** The service gave a window, or a part of it. */
	hear({ start, end, kind }: ListWindow, { toldAt, age = 0, records }: WindowContent): void {
		const { time, before } = this;
		if (!this.hasRead && toldAt !== undefined) time.hear(toldAt + age, before.settledTo);
		time.reachedBefore(before.settledTo + LISTED_WITHIN);
		for (const record of records) {
			const created = createdSecond(record) ?? start;
			// That the list shows it there counts more than a local time without its zone.
			const isElsewhere = created > end || (created < start && kind === 'beyond');
			time.shows(isElsewhere ? start : created);
		}
		this.hasRead = true;
		this.isProbeDue = false;
	}

	/** A window was read whole, and held so many scans. */
	wasRead(window: ListWindow, count: number): void {
		const { start, end, kind } = window;
		const { n8nTime, byEarlierClock } = this.time;
		// How much a moment holds that has just begun says nothing of other windows.
		if (kind === 'probe') return;
		if (kind === 'gap') {
			this.gaps.wasRead(window, byEarlierClock, this.isSettled(window));
		} else if (kind === 'new') {
			this.readTo = end;
			this.noteDone(start, end);
		}
		this.spanOf(window).adapt(window, count, n8nTime);
	}

	wasCut(window: ListWindow): void {
		if (window.kind === 'gap') this.gaps.wasRefused(window, this.time.byEarlierClock);
		else if (lengthOf(window) > 1) this.spanOf(window).divide(window, this.time.n8nTime);
		else if (window.kind === 'new') this.newIsBlocked = true;
	}

	/**
	 * The service did not give a window: perhaps it is too long, or holds a scan that it cannot show.
	 * What follows from it counts only if the service gives another one.
	 */
	wasRefused(window: ListWindow, isSilent = false): void {
		const { n8nTime, byEarlierClock, byLaterClock } = this.time;
		if (window.kind === 'probe') this.isDown = true;
		else if (window.kind === 'gap') this.gaps.wasRefused(window, byEarlierClock);
		else if (window.end > byLaterClock && !this.refusesFuture && !isSilent) {
			this.refusesFuture = true;
			this.isProbeDue = !this.hasRead && window.start >= this.present;
		} else if (lengthOf(window) > 1) this.spanOf(window).divide(window, n8nTime);
		else {
			const end = this.gaps.setAside(window, byEarlierClock, byEarlierClock - LISTED_WITHIN);
			if (window.kind === 'new') this.noteDone(window.start, end);
			if (!this.hasRead) this.isProbeDue = true;
			// Its length was not the reason.
			this.spanOf(window).tooLong = undefined;
		}
	}

	private spanOf({ kind }: ListWindow): WindowSpan {
		return kind === 'watched' || kind === 'oldest' ? this.watchedSpan : this.span;
	}

	/** A part of the list was read, or set aside. */
	private noteDone(start: number, end: number): void {
		// What was left out before it is not read yet.
		if (start > this.gaps.readableFrom(this.doneTo).start) return;
		this.doneTo = Math.max(this.doneTo, end);
	}
}
