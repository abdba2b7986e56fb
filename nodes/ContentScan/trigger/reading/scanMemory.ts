import type { Gap, Gaps } from './gaps';
import type { PackedScans } from './packedScans';
import { unpackScans } from './packedScans';
import type { RememberedScan, RememberedScans } from './rememberedScans';
import { codeOf, lookFrom, PENDING, UNFINISHED } from './rememberedScans';
import type { WatchSettings } from './scanEvents';

/** What is known of the list. */
export interface Remembered {
	scans: RememberedScans;
	gaps: Gaps;
	/** Scans created before it were all read, but for the gaps. */
	settledTo: number;
}

/** Most scans that are remembered: 12 bytes of state each usually stay under 64 KB, with changes under 256 KB. */
export const MOST_REMEMBERED = { usually: 4400, withChanges: 18_000 };

/**
 * Most that a state may hold, those included that may come as new: more than a list brings that is as it should be, but
 * for some hundred thousand scans in a minute of which some cannot be shown.
 */
export const MOST_OF_ALL = 60_000;

/** After so many that a poll has added, it ends: to work through more takes n8n long. */
export const MOST_ADDED = 100_000;

/** Gaps, and how many scans are remembered as long as any of them is there. */
interface Keepers {
	beside: Set<Gap>;
	scans: number;
}

const scansOf = (keepers: Keepers[]) => keepers.reduce((scans, one) => scans + one.scans, 0);

/** How far the clock that is behind may be from the time that the list goes by, in seconds. */
const CLOCKS_DIFFER_BY = 3600;

/** Which scans are remembered, and for what. */
export class ScanMemory {
	readonly scans: RememberedScans;
	private readonly sizeBefore: number;
	private readonly most: number;
	/** So many pending scans are watched, and so many beside gaps, even if new ones have to be read later. */
	private readonly half: number;

	constructor(
		packed: PackedScans,
		private readonly settings: WatchSettings,
	) {
		this.scans = unpackScans(packed);
		this.sizeBefore = this.scans.size;
		const { usually, withChanges } = MOST_REMEMBERED;
		this.most = settings.verdictChanges ? withChanges : usually;
		this.half = this.most / 2;
	}

	/** Whether it holds so few that more can be watched for long without holding up the others. */
	get hasRoom(): boolean {
		return this.scans.size < this.most / 16;
	}

	/** Whether a scan may still bring an event. */
	isWatched({ mark, to, checked }: RememberedScan): boolean {
		if (mark === PENDING) return true;
		const { verdictChanges, watchSeconds } = this.settings;
		return verdictChanges && mark !== UNFINISHED && checked < to + watchSeconds;
	}

	/** Whether so many were added that the rest is better read by the next poll. */
	get hasTakenMany(): boolean {
		return this.scans.size - this.sizeBefore > MOST_ADDED;
	}

	/** Scans that may still bring an event, and are looked for where no new ones are. */
	watched(settledTo: number, gaps: Gaps): RememberedScan[] {
		return [...this.scans.values()].filter(
			(scan) =>
				scan.to < settledTo &&
				this.isWatched(scan) &&
				gaps.readableFrom(lookFrom(scan)).start <= scan.to,
		);
	}

	/**
	 * How many scans that may not be forgotten are too many, so that no more new ones can be remembered, and whether the
	 * oldest is to be told as unfinished: only where the pending ones are too many, and not where those that may come as
	 * new are.
	 */
	load(list: Omit<Remembered, 'scans'>): { surplus: number; mustMakeRoom: boolean } {
		let fresh = 0;
		let held = 0;
		for (const scan of this.scans.values()) {
			if (mayComeAsNew(scan, list)) fresh++;
			else if (scan.mark === PENDING) held++;
		}
		const { tellsUnfinished } = this.settings;
		// Where the oldest are told to nobody, `kept` forgets them.
		const counted = fresh + (tellsUnfinished ? held : Math.min(held, this.half));
		const surplus = counted - this.most;
		const areTooMany = fresh <= this.most && held > this.half;
		return { surplus, mustMakeRoom: surplus > 0 && tellsUnfinished && areTooMany };
	}

	/**
	 * Scans beside a gap are remembered as long as it is. Where most of a full memory are such scans, they would keep
	 * all later ones out.
	 * @param mayGo Whether a gap may be given up: a scan makes room where all that it is beside may, and are.
	 * @returns The gaps to be given up for it: those with most scans beside them.
	 */
	gapsInTheWay(list: Omit<Remembered, 'scans'>, mayGo: (gap: Gap) => boolean): Gap[] {
		const { gaps, settledTo } = list;
		const may = new Set(gaps.all.filter(mayGo));
		if (may.size === 0) return [];
		let { surplus } = this.load(list);
		if (surplus <= 0) return [];
		const keepers = this.keptBeside(gaps, settledTo);
		const freeable = keepers.filter(({ beside }) => [...beside].every((gap) => may.has(gap)));
		const counts = new Map<Gap, number>();
		for (const { beside, scans } of freeable) {
			for (const gap of beside) counts.set(gap, (counts.get(gap) ?? 0) + scans);
		}
		const givenUp: Gap[] = [];
		let left = scansOf(keepers);
		for (const [gap] of [...counts].sort(([, a], [, b]) => b - a)) {
			if (surplus <= 0 || left <= this.half) break;
			givenUp.push(gap);
			const freed = scansOf(
				freeable.filter(({ beside }) => beside.delete(gap) && beside.size === 0),
			);
			surplus -= freed;
			left -= freed;
		}
		return givenUp;
	}

	/** How many scans of the same seconds are remembered beside which gaps only, by these seconds: often thousands. */
	private keptBeside(gaps: Gaps, settledTo: number): Keepers[] {
		const bySeconds = new Map<string, Keepers>();
		for (const { from, to } of this.scans.values()) {
			if (to >= settledTo - 1) continue;
			const seconds = `${from} ${to}`;
			const keepers = bySeconds.get(seconds);
			if (keepers) keepers.scans++;
			else bySeconds.set(seconds, { beside: new Set(gaps.allBeside({ from, to })), scans: 1 });
		}
		return [...bySeconds.values()].filter(({ beside }) => beside.size > 0);
	}

	/**
	 * The scans that the next poll needs. Beyond the bound, what is told to nobody is forgotten: the
	 * finished ones first, of which only a change would be told, and the oldest of each first.
	 * @param now In epoch seconds, rather too early than too late.
	 * @param owed Of a batch that comes again: of those, all is told.
	 * @returns Also how many are forgotten that have not finished.
	 */
	kept(
		list: Remembered,
		now: number,
		owed: readonly string[] = [],
	): { scans: RememberedScans; forgotten: number } {
		const isFresh = (scan: RememberedScan) => mayComeAsNew(scan, list);
		// The changes of all are watched, so that the `to` of any may have been cut short.
		const mayBeLater = (scan: RememberedScan) =>
			this.settings.verdictChanges && this.mayComeLater(scan, list.settledTo);
		const needed = [...list.scans]
			.map(([digest, scan]): [string, RememberedScan] => [digest, this.upTo(now, scan)])
			.filter(([, scan]) => isFresh(scan) || this.isWatched(scan) || mayBeLater(scan));
		const scans = new Map(needed);
		const surplus = needed.length - this.most;
		if (surplus <= 0) return { scans, forgotten: 0 };
		const old = needed.filter(([, scan]) => !isFresh(scan)).sort(([, a], [, b]) => a.from - b.from);
		const isOwed = new Set(owed);
		const finished = old
			.filter(([digest, { mark }]) => mark !== PENDING && !isOwed.has(digest))
			.slice(0, surplus);
		const pending = old.filter(([, { mark }]) => mark === PENDING);
		const tooMany = this.settings.tellsUnfinished ? 0 : pending.length - this.half;
		const forgotten = Math.max(0, Math.min(surplus - finished.length, tooMany));
		for (const [digest] of [...finished, ...pending.slice(0, forgotten)]) scans.delete(digest);
		return { scans, forgotten: forgotten + this.forgetBeyondAll(scans) };
	}

	/**
	 * A list that shows other scans each time it is read, beside parts that it refuses or on pages without end, must not
	 * fill the state. Those that were told to nobody go first, then the other finished ones, which may come twice; the
	 * oldest of each first.
	 * @returns How many of them have not finished.
	 */
	private forgetBeyondAll(scans: RememberedScans): number {
		const surplus = scans.size - MOST_OF_ALL;
		if (surplus <= 0) return 0;
		const rankOf = ({ mark }: RememberedScan) => {
			const code = codeOf(mark);
			if (code === undefined) return mark === PENDING ? 2 : 1;
			return this.settings.isChosen(code) ? 1 : 0;
		};
		const inOrder = [...scans].sort(([, a], [, b]) => rankOf(a) - rankOf(b) || a.from - b.from);
		const gone = inOrder.slice(0, surplus);
		for (const [digest] of gone) scans.delete(digest);
		return gone.filter(([, { mark }]) => mark === PENDING).length;
	}

	/**
	 * Windows reach past the present, as clocks differ. But a watched scan is not looked for before `to` has
	 * passed, so that is now: if the list has it later, the next window of new scans shows it again. Any other
	 * scan is forgotten once `to` has passed, so that is surely late enough.
	 */
	private upTo(now: number, scan: RememberedScan): RememberedScan {
		const latest = now + (this.isWatched(scan) ? 0 : CLOCKS_DIFFER_BY);
		return { ...scan, to: Math.max(scan.from, Math.min(scan.to, latest)) };
	}

	/**
	 * Whether the list may yet show a scan among the new ones: its `to` is a guess where the clock that is behind
	 * cut it short, and new scans were not read much further.
	 */
	mayComeLater({ to }: RememberedScan, settledTo: number): boolean {
		return settledTo < to + CLOCKS_DIFFER_BY;
	}
}

/** Whether the list may show a scan once more as new. */
function mayComeAsNew(
	scan: RememberedScan,
	{ settledTo, gaps }: Omit<Remembered, 'scans'>,
): boolean {
	return scan.to >= settledTo - 1 || gaps.anyBeside(scan);
}
