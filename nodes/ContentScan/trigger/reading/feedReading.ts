import type { ScanRecord } from '../../../../services/scanning/scanRecord';
import type { FeedState } from './feedState';
import { ListProgress } from './listProgress';
import type { ListWindow, WindowContent, WindowKind } from './listWindow';
import { NEXT_TURN, isRetry, lengthOf, showsNew } from './listWindow';
import { packScans } from './packedScans';
import type { PollTime } from './pollTime';
import type { RefusedStretch } from './refusedStretches';
import { RefusedStretches } from './refusedStretches';
import type { Mark, RememberedScan } from './rememberedScans';
import { PENDING, UNFINISHED, isWithin, missingIn, overlaps, shownIn } from './rememberedScans';
import type { ReadingSettings, ScanEvent } from './scanEvents';
import { eventOf, markAfter } from './scanEvents';
import { createdSecond, identitiesOf, worstOfEach } from './scanIdentity';
import type { Remembered } from './scanMemory';
import { ScanMemory } from './scanMemory';
import { oldestWindow, pendingWindow } from './watchedWindows';

interface Found {
	event: ScanEvent;
	/** Of its scan. */
	digest?: string;
	/** Has the next poll find it again. */
	undo: (after: Remembered) => void;
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
	/** Stretches of the list that are given up without an event that tells it. */
	readonly givenUp: RefusedStretch[] = [];
	private readonly memory: ScanMemory;
	private readonly progress: ListProgress;
	private readonly found: Found[] = [];
	private readonly foundDigests = new Set<string>();
	private last?: WindowKind;

	constructor(
		private readonly before: FeedState,
		private readonly settings: ReadingSettings,
		private readonly time: PollTime,
		/** Digests of the scans of a batch that comes again. */
		private readonly batch: ReadonlySet<string> = new Set(),
	) {
		this.memory = new ScanMemory(before.scans, settings);
		this.progress = new ListProgress(before, time, settings.watchSeconds);
		this.last = before.last;
	}

	/** Whether the service gave any window. Without that nothing is known of what is new. */
	get hasRead(): boolean {
		return this.progress.hasRead;
	}

	/** Whether what a window holds was taken although its end was never seen. */
	get tookWithoutEnd(): boolean {
		return this.progress.ends.hasGivenUp;
	}

	get events(): ScanEvent[] {
		return this.delivered.map(({ event }) => event);
	}

	/** Digests of the scans that `events` are of. */
	get digests(): string[] {
		return this.delivered.flatMap(({ digest }) => digest ?? []);
	}

	get state(): FeedState {
		const { span, ends, refused, settledTo } = this.progress;
		const after: Remembered = {
			scans: new Map(this.memory.scans),
			refused: new RefusedStretches(refused.all, this.settings.watchSeconds),
			settledTo,
		};
		// What this poll may not deliver any more comes with the next one.
		for (const { undo } of this.inOrder.slice(this.settings.maxScans)) undo(after);
		const { version, scope, credential } = this.before;
		return {
			...{ version, scope, settledTo: after.settledTo },
			scans: packScans(this.memory.kept(after)),
			span: span.seconds,
			...(span.tooLong && { tooLong: span.tooLong }),
			...ends.state,
			...(this.last && (this.isFull || this.nextWindow) && { last: this.last }),
			...(after.refused.all.length > 0 && { refused: after.refused.all }),
			...(credential && { credential }),
		};
	}

	/** The next window to read, or `undefined` when there is nothing to look for now. */
	get nextWindow(): ListWindow | undefined {
		const { progress, memory, settings, time } = this;
		const { settledTo, refused, span, first } = progress;
		if (this.isFull || first.isDown) return undefined;
		if (first.window) return first.window;
		const watched = memory.watched(this.before.settledTo, refused);
		const scans = { watched, refused, span: span.seconds };
		const crowding = memory.crowding({ settledTo, refused });
		const oldest = crowding === 'byOld' ? oldestWindow(scans) : undefined;
		if (oldest) return oldest;
		const turns = [
			() => (crowding !== 'none' && progress.hasReadNew ? undefined : progress.newWindow),
			() => pendingWindow(scans, time.earliest, settings.watchSeconds),
			() => progress.retryWindow,
		];
		const turn = this.last ? NEXT_TURN[this.last] : 0;
		for (const windowOf of [...turns.slice(turn), ...turns.slice(0, turn)]) {
			const window = windowOf();
			if (window) return window;
		}
		return undefined;
	}

	take(window: ListWindow, content: WindowContent): void {
		const { progress } = this;
		this.last = window.kind;
		progress.hear(content);
		const records = worstOfEach(content.records);
		const listed = new Set(records.map((record) => this.takeRecord(record, window)));
		const isWhole = progress.ends.isWhole(window, content);
		// There is no shorter window in which to look for what is pending.
		const isShortest = lengthOf(window) === 1 && window.kind !== 'new' && !isRetry(window);
		if (isWhole || isShortest) this.noteAbsent(window, listed);
		if (isWhole) progress.wasRead(window, records.length);
		else progress.wasCut(window);
		this.giveUpRefused();
	}

	/** The call failed, whatever the window. The next poll begins with one of another kind. */
	failed({ kind }: ListWindow): void {
		this.last = kind;
	}

	refused(window: ListWindow): void {
		this.last = window.kind;
		this.progress.wasRefused(window);
	}

	private get isFull(): boolean {
		return this.found.length >= this.settings.maxScans;
	}

	private get delivered(): Found[] {
		return this.inOrder.slice(0, this.settings.maxScans);
	}

	private get inOrder(): Found[] {
		return [...this.found].sort((a, b) => a.event.created - b.event.created);
	}

	/** @returns The digest under which the scan is known. */
	private takeRecord(record: ScanRecord, window: ListWindow): string {
		const { scans } = this.memory;
		const identities = identitiesOf(record);
		const digest = identities.find((identity) => scans.has(identity)) ?? identities[0];
		const known = scans.get(digest);
		if (!known && !showsNew(window)) return digest;
		const { start: from, end: to } = window;
		const fresh = { from, to, checked: this.time.earliest, mark: PENDING };
		const scan = known ? shownIn(known, window) : fresh;
		const isOver = this.isOver(scan, window);
		const comesAgain = this.batch.has(digest);
		const mark = this.foundDigests.has(digest)
			? scan.mark
			: markAfter(scan, record, this.settings, { time: this.time, isOver, comesAgain });
		this.remember(digest, scan, mark, { record, known });
		return digest;
	}

	/** Notes which of the remembered scans were looked for, and which of them can be waited for no more. */
	private noteAbsent(window: ListWindow, listed: Set<string>): void {
		const { scans } = this.memory;
		const checked = this.time.earliest;
		for (const [digest, scan] of scans) {
			if (listed.has(digest)) continue;
			if (isWithin(scan, window)) {
				const isOver = scan.mark === PENDING && this.isOver(scan, window);
				this.remember(digest, scan, isOver ? UNFINISHED : scan.mark, { known: scan });
				continue;
			}
			// A list that once leaves out a scan that was delivered may show it again.
			if (!this.memory.isWatched(scan)) continue;
			const missing = missingIn(scan, window);
			// Where both ends of its time are refused, others have their turn until those are read.
			const isLeft = missing === scan && overlaps(scan, window);
			const isRefused = isLeft && this.progress.refused.touches(scan.from, scan.to);
			scans.set(digest, isRefused ? { ...scan, checked } : missing);
		}
	}

	private isOver({ to }: RememberedScan, { kind }: ListWindow): boolean {
		return kind === 'oldest' || this.time.earliest >= to + this.settings.watchSeconds;
	}

	/** Remembers a scan that was looked for, and tells it where its mark has changed and the user chose so. */
	private remember(
		digest: string,
		scan: RememberedScan,
		mark: Mark,
		{ record, known }: { record?: ScanRecord; known?: RememberedScan },
	): void {
		this.memory.scans.set(digest, { ...scan, checked: this.time.earliest, mark });
		const comesAgain = this.batch.has(digest) && record !== undefined;
		const event = this.foundDigests.has(digest)
			? undefined
			: eventOf(scan.mark, mark, this.settings, comesAgain);
		if (!event) return;
		const created = (record && createdSecond(record)) ?? scan.from;
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
		this.found.push({ event: { ...event, record, created }, digest, undo });
	}

	private giveUpRefused(): void {
		const { refused } = this.progress;
		for (const stretch of refused.takeExpired()) {
			const { start, end, kind } = stretch;
			this.noteAbsent({ start, end: end + 1, kind }, new Set());
			const event: ScanEvent = { event: 'unfinished', created: start, refusedTo: end };
			if (!this.settings.tellsUnfinished) this.givenUp.push(stretch);
			else if (kind === 'retryNew') {
				this.found.push({ event, undo: (after) => after.refused.put(stretch) });
			}
		}
	}
}
