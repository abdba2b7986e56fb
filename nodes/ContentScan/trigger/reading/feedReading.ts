import { LARGEST_BATCH } from '../../../common/polling/largestBatch';
import type { ScanRecord } from '../../../../services/scanning/scanRecord';
import { createdSecond, haveVerdicts, listFlaw } from '../../../../services/scanning/scanRecord';
import type { FeedState } from './feedState';
import type { Gap } from './gaps';
import { Gaps, refusedFor } from './gaps';
import { markOfRecord, noteLateIds } from './lateIds';
import { ListProgress } from './listProgress';
import type { ListWindow, Turn, WindowContent } from './listWindow';
import { TURNS, lengthOf } from './listWindow';
import { packScans } from './packedScans';
import type { PollTime } from './pollTime';
import type { Mark, RememberedScan } from './rememberedScans';
import {
	PENDING,
	UNFINISHED,
	isSoughtThrough,
	lookFrom,
	missingIn,
	shownIn,
} from './rememberedScans';
import { packScanDigests, unpackScanDigests } from './scanBatch';
import type { WatchSettings, ScanEvent } from './scanEvents';
import { eventOf, markAfter } from './scanEvents';
import type { ShownScan } from './scanIdentity';
import { shownScans } from './scanIdentity';
import type { Remembered } from './scanMemory';
import { ScanMemory } from './scanMemory';
import { nextPart, oldestWindow, watchedWindow } from './watchedWindows';

/** What is refused for less, in seconds, may be readable soon, and is not given up. */
const PASSING_OUTAGE = 3600;

interface Found {
	event: ScanEvent;
	/** Of its scan. */
	digest?: string;
	/** Has the next poll find it again. */
	undo: (after: Remembered) => void;
}

interface ReadingResult {
	events: ScanEvent[];
	/** Of the scans that the events are of. */
	digests: string[];
	state: FeedState;
	/** How many pending scans no longer fit into the state. */
	forgotten: number;
}

/**
 * One poll as pure steps: which window of the list to read, which events follow from what it holds,
 * and the state afterwards. It sends nothing and has no clock.
 *
 * The list shows a scan under its time of creation, and its verdict later. So from `settledTo` on everything is
 * new unless it is remembered; before it only the scans that are remembered count, and they are looked for ever
 * more rarely. What was refused is tried again in the same way.
 */
export class FeedReading {
	/** Gaps that are given up, where only n8n's log tells of them. */
	readonly givenUp: Gap[] = [];
	/** What kept all records from being read as scans. */
	flaw?: string;
	private isReadable = false;
	private readonly memory: ScanMemory;
	private readonly progress: ListProgress;
	private readonly found: Found[] = [];
	/** Of the windows that showed it. */
	private foundBytes = 0;
	private readonly foundDigests = new Set<string>();
	private readonly batch: ReadonlySet<string>;
	private last?: Turn;

	constructor(
		private readonly before: FeedState,
		private readonly settings: WatchSettings,
		private readonly time: PollTime,
		/** Digests of the scans of a batch that comes again. */
		batch: ReadonlySet<string> = new Set(),
	) {
		this.batch = new Set([...batch, ...unpackScanDigests(before.owed ?? '')]);
		this.memory = new ScanMemory(before.scans, settings);
		this.progress = new ListProgress(before, time, settings);
		this.last = before.last;
	}

	/** Whether the service gave any window. Without that nothing is known of what is new. */
	get hasRead(): boolean {
		return this.progress.hasRead;
	}

	/** Whether the service's `count` is how many scans a window holds, as far as is known. */
	get believesCount(): boolean {
		return this.progress.ends.believesCount;
	}

	/** Finds out first whether the service answers at all: else what it refuses would say nothing. */
	probeFirst(): void {
		this.progress.isProbeDue = true;
	}

	/** Whether the list shows no other scan in a window later. */
	isSettled(window: ListWindow): boolean {
		return this.progress.isSettled(window);
	}

	/** Whether what a window holds was taken although its end was never seen. */
	get tookWithoutEnd(): boolean {
		return this.progress.ends.tookWithoutEnd;
	}

	/** Whether the stored position is in the future, so that the trigger goes back to the present. */
	get wasAhead(): boolean {
		return this.progress.wasAhead;
	}

	/** What the poll comes to. */
	result(): ReadingResult {
		const { span, watchedSpan, ends, gaps, settledTo } = this.progress;
		const after: Remembered = {
			scans: new Map(this.memory.scans),
			gaps: new Gaps(gaps.all, this.settings.watchSeconds),
			settledTo,
		};
		const inOrder = [...this.found].sort((a, b) => a.event.created - b.event.created);
		const delivered = inOrder.splice(0, this.settings.maxScans);
		// What this poll may not deliver any more comes with the next one.
		for (const { undo } of inOrder) undo(after);
		const digests = delivered.flatMap(({ digest }) => digest ?? []);
		const told = new Set(digests);
		const { isUnfinished } = this;
		// What holds them may be refused for now, or read later.
		const mayComeYet = isUnfinished || !this.progress.hasReadAllNew;
		const owed = mayComeYet ? [...this.batch].filter((digest) => !told.has(digest)) : [];
		const { version, scope, credential } = this.before;
		const { scans, forgotten } = this.memory.kept(after, this.time.atLeast, owed);
		const state: FeedState = {
			version,
			scope,
			settledTo: after.settledTo,
			scans: packScans(scans),
			...span.stored,
			watched: watchedSpan.stored,
			...ends.state,
			...(this.last && isUnfinished && { last: this.last }),
			...(after.gaps.all.length > 0 && { gaps: after.gaps.all }),
			...(owed.length > 0 && { owed: packScanDigests(owed) }),
			...(credential && { credential }),
		};
		return {
			events: delivered.map(({ event }) => event),
			digests,
			state,
			forgotten,
		};
	}

	/** Whether there is more to read, by this poll or the next. */
	get isUnfinished(): boolean {
		return this.isFull || this.nextWindow !== undefined;
	}

	/** The next window to read, or `undefined` when there is nothing to look for now. */
	get nextWindow(): ListWindow | undefined {
		const { progress, memory, settings, time } = this;
		const { settledTo, gaps, watchedSpan, isDown, probeWindow } = progress;
		if (this.isFull || isDown) return undefined;
		if (probeWindow) return probeWindow;
		const scans = {
			watched: memory.watched(this.before.settledTo, gaps),
			gaps,
			span: watchedSpan.seconds,
		};
		const { surplus, mustMakeRoom } = memory.load({ settledTo, gaps });
		const oldest = mustMakeRoom ? oldestWindow(scans) : undefined;
		if (oldest) return oldest;
		const windowOf: Record<Turn, () => ListWindow | undefined> = {
			new: () => (surplus > 0 && progress.hasReadNew ? undefined : progress.newWindow),
			watched: () => watchedWindow(scans, time.byEarlierClock, settings.watchSeconds),
			gap: () => progress.gapWindow,
		};
		const next = this.last ? TURNS.indexOf(this.last) + 1 : 0;
		for (const turn of [...TURNS.slice(next), ...TURNS.slice(0, next)]) {
			const window = windowOf[turn]();
			if (window) return window;
		}
		return undefined;
	}

	/** To be read at the end of the poll, one after the other until one holds a scan: which of two clocks is wrong. */
	get beyondWindows(): ListWindow[] {
		return this.isFull ? [] : this.progress.beyondWindows;
	}

	take(window: ListWindow, content: WindowContent): void {
		const { progress } = this;
		this.noteTurn(window);
		progress.hear(window, content);
		// What it holds is delivered in its turn.
		if (window.kind === 'beyond') return;
		this.noteFlaw(content.records);
		const shown = shownScans(content.records);
		const { age = 0 } = content;
		const isCut = ['tooMany', 'brokenOff'].includes(content.end);
		noteLateIds(this.memory.scans, shown, window, isCut);
		const foundBefore = this.found.length;
		const listed = new Set(shown.map((scan) => this.takeScan(scan, window, age)));
		if (this.found.length > foundBefore) this.foundBytes += content.bytes ?? 0;
		const isWhole = progress.ends.note(window, content);
		// There is no shorter window in which to look for what is pending.
		const isWatched = window.kind === 'watched' || window.kind === 'oldest';
		const isShortest = lengthOf(window) === 1 && content.end !== 'brokenOff';
		if (isWhole || (isWatched && isShortest)) this.noteAbsent(window, listed, age);
		if (isWhole) progress.wasRead(window, shown.length);
		else progress.wasCut(window);
		this.giveUpGaps();
	}

	private noteFlaw(records: ScanRecord[]): void {
		this.isReadable ||= haveVerdicts(records);
		this.flaw = this.isReadable ? undefined : (this.flaw ?? listFlaw(records));
	}

	/** The call failed, whatever the window. The next poll begins with one of another kind. */
	failed(window: ListWindow): void {
		this.noteTurn(window);
	}

	/** @param isSilent Whether it got no answer, which says nothing of times to come. */
	refused(window: ListWindow, isSilent = false): void {
		this.noteTurn(window);
		this.progress.wasRefused(window, isSilent);
	}

	private noteTurn({ kind }: ListWindow): void {
		this.last = TURNS.find((turn) => turn === kind) ?? this.last;
	}

	private get isFull(): boolean {
		const { found, foundBytes, memory } = this;
		const hasFoundAll = found.length >= this.settings.maxScans || foundBytes >= LARGEST_BATCH;
		return hasFoundAll || memory.hasTakenMany;
	}

	/** @returns The digest under which the scan is known. */
	private takeScan({ record, identities }: ShownScan, window: ListWindow, age: number): string {
		const { scans } = this.memory;
		const digest = this.joined(identities, markOfRecord(record)) ?? identities[0];
		const known = scans.get(digest);
		if (!known && !window.showsNew) return digest;
		const { start: from, end: to } = window;
		const fresh = { from, to, checked: this.time.byEarlierClock, mark: PENDING };
		// One that is remembered only not to come twice stays where new scans are: an old record may show it, too.
		const isPlaced = known && (window.showsNew || this.memory.isWatched(known));
		const seen = isPlaced ? shownIn(known, window) : known;
		const scan = seen ?? fresh;
		// By what this window shows: the clock of an earlier poll may have placed it too early.
		const isOver = this.isOver(scan, window, age);
		const comesAgain = this.batch.has(digest);
		const { hasRoom } = this.memory;
		const mark = this.foundDigests.has(digest)
			? scan.mark
			: markAfter(scan, record, this.settings, { time: this.time, isOver, comesAgain, hasRoom });
		this.remember(digest, scan, mark, { record, known: seen });
		return digest;
	}

	/**
	 * Under which of its identities a scan is remembered, if it is. Where several turn out to be one when it has
	 * finished, the others are forgotten: it has been told if its verdict was told of any, else it is the pending one.
	 */
	private joined(identities: string[], mark: Mark): string | undefined {
		const { scans } = this.memory;
		const remembered = identities.filter((identity) => scans.has(identity));
		const withMark = (wanted: Mark) =>
			remembered.find((identity) => scans.get(identity)!.mark === wanted);
		const digest = withMark(mark) ?? withMark(PENDING) ?? remembered[0];
		const others = mark === PENDING ? [] : remembered.filter((identity) => identity !== digest);
		for (const other of others) scans.delete(other);
		return digest;
	}

	/** Notes which of the remembered scans were looked for, and which of them can be waited for no more. */
	private noteAbsent(window: ListWindow, listed: Set<string>, age = 0): void {
		const { scans } = this.memory;
		const checked = this.time.byEarlierClock;
		for (const [digest, scan] of scans) {
			if (listed.has(digest)) continue;
			if (isSoughtThrough(scan, window)) {
				const toSeekAnew = { ...scan, sought: undefined };
				const mark = this.isGone(scan, window, age) ? UNFINISHED : scan.mark;
				this.remember(digest, toSeekAnew, mark, { known: scan });
				continue;
			}
			const from = lookFrom(scan);
			if (from >= window.end || scan.to < window.start) continue;
			// A list that once leaves out a scan that was delivered may show it again.
			if (!this.memory.isWatched(scan)) continue;
			const { gaps } = this.progress;
			const missing = missingIn(scan, window, gaps.readableFrom(from));
			// With a gap at either end of its time, others have their turn until those are read.
			const isLeft = missing === scan && gaps.anyBeside(scan);
			const isInGaps = isLeft && this.holdsNextPart(window, scan);
			scans.set(digest, isInGaps ? { ...scan, checked } : missing);
		}
	}

	/** Whether a window holds all of the time in which a scan is looked for next. */
	private holdsNextPart({ start, end }: ListWindow, scan: RememberedScan): boolean {
		const { gaps, watchedSpan } = this.progress;
		const part = nextPart(scan, { gaps, span: watchedSpan.seconds });
		return start <= part.start && end >= part.end;
	}

	/** @param age What a page said so many seconds ago is not yet the last word. */
	private isOver({ to }: RememberedScan, { kind }: ListWindow, age: number): boolean {
		const readAt = this.time.surely - age;
		return kind === 'oldest' || readAt >= to + this.settings.watchSeconds;
	}

	/** Whether a pending scan that was looked for in vain is waited for no more. */
	private isGone(scan: RememberedScan, window: ListWindow, age: number): boolean {
		if (scan.mark !== PENDING || !this.isOver(scan, window, age)) return false;
		return window.kind === 'oldest' || !this.memory.mayComeLater(scan, this.progress.settledTo);
	}

	/**
	 * Remembers a scan that was looked for, and tells it where its mark has changed and the user chose so.
	 * @param known What the next poll is to know if the event has to wait for it.
	 */
	private remember(
		digest: string,
		scan: RememberedScan,
		mark: Mark,
		{ record, known }: { record?: ScanRecord; known?: RememberedScan },
	): void {
		this.memory.scans.set(digest, { ...scan, checked: this.time.byEarlierClock, mark });
		const comesAgain = this.batch.has(digest) && record !== undefined;
		const event = this.foundDigests.has(digest)
			? undefined
			: eventOf(scan.mark, mark, this.settings, comesAgain);
		if (!event) return;
		const created = record && createdSecond(record);
		const times =
			created === undefined ? { created: scan.from, createdUntil: scan.to } : { created };
		this.foundDigests.add(digest);
		const undo = (after: Remembered) => {
			if (known || scan.from < this.before.settledTo) {
				const unseen = { ...scan, checked: scan.from, mark: PENDING };
				after.scans.set(digest, known ?? unseen);
			} else {
				after.scans.delete(digest);
				after.settledTo = Math.min(after.settledTo, scan.from);
			}
		};
		this.found.push({ event: { ...event, record, ...times }, digest, undo });
	}

	private gapsToGiveUp(): Gap[] {
		const { memory, progress } = this;
		const { byEarlierClock: now } = this.time;
		const expired = progress.gaps.takeExpired(now);
		const mayGo = (gap: Gap) => refusedFor(gap, now) >= PASSING_OUTAGE;
		const inTheWay = memory.gapsInTheWay(progress, mayGo);
		for (const { start } of inTheWay) progress.gaps.take(start);
		return [...expired, ...inTheWay];
	}

	private giveUpGaps(): void {
		for (const gap of this.gapsToGiveUp()) {
			const { start, end, showsNew } = gap;
			this.noteAbsent({ start, end: end + 1, kind: 'gap', showsNew }, new Set());
			const times = { created: start, createdUntil: end };
			const event: ScanEvent = { event: 'unfinished', ...times, isGap: true };
			if (!this.settings.tellsUnfinished) this.givenUp.push(gap);
			else if (showsNew) this.found.push({ event, undo: (after) => after.gaps.put(gap) });
		}
	}
}
