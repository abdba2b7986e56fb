import type { PackedScans } from './packedScans';
import { unpackScans } from './packedScans';
import type { RefusedStretches } from './refusedStretches';
import type { RememberedScan, RememberedScans } from './rememberedScans';
import { PENDING, UNFINISHED } from './rememberedScans';
import type { ReadingSettings } from './scanEvents';

/** What is known of the list. */
export interface Remembered {
	scans: RememberedScans;
	refused: RefusedStretches;
	/** Scans created before it were all read, but for what was refused. */
	settledTo: number;
}

/** Most scans that are remembered: 12 bytes of state each stay under 64 KB, with changes under 256 KB. */
export const MOST_REMEMBERED = { usually: 4700, withChanges: 18_000 };

/** Which scans are remembered, and for what. */
export class ScanMemory {
	readonly scans: RememberedScans;
	private readonly most: number;

	constructor(
		packed: PackedScans,
		private readonly settings: ReadingSettings,
	) {
		this.scans = unpackScans(packed);
		const { usually, withChanges } = MOST_REMEMBERED;
		this.most = settings.verdictChanges ? withChanges : usually;
	}

	/** Whether a scan may still bring an event. */
	isWatched({ mark, to, checked }: RememberedScan): boolean {
		if (mark === PENDING) return true;
		const { verdictChanges, watchSeconds } = this.settings;
		return verdictChanges && mark !== UNFINISHED && checked < to + watchSeconds;
	}

	/** Scans that may still bring an event, and are looked for where no new ones are. */
	watched(settledTo: number, refused: RefusedStretches): RememberedScan[] {
		return [...this.scans.values()].filter(
			(scan) =>
				scan.to < settledTo &&
				this.isWatched(scan) &&
				refused.readableFrom(scan.from).start <= scan.to,
		);
	}

	/**
	 * Whether no more new scans can be remembered before older ones are told as unfinished.
	 * @returns 'byNew': telling these would not help, because the newest alone are too many.
	 */
	crowding(list: Omit<Remembered, 'scans'>): 'none' | 'byOld' | 'byNew' {
		if (this.scans.size <= this.most) return 'none';
		let fresh = 0;
		let held = 0;
		for (const scan of this.scans.values()) {
			if (mayComeAsNew(scan, list)) fresh++;
			else if (this.mustBeTold(scan)) held++;
		}
		if (fresh + held <= this.most) return 'none';
		return fresh > this.most ? 'byNew' : 'byOld';
	}

	/**
	 * The scans that the next poll needs. Beyond the bound, what is told to nobody goes: the finished
	 * ones first, of which only a change would be told, and the oldest of each first.
	 */
	kept(list: Remembered): RememberedScans {
		const isFresh = (scan: RememberedScan) => mayComeAsNew(scan, list);
		const needed = [...list.scans].filter(([, scan]) => isFresh(scan) || this.isWatched(scan));
		let surplus = needed.length - this.most;
		if (surplus <= 0) return new Map(needed);
		const isPending = ({ mark }: RememberedScan) => Number(mark === PENDING);
		needed.sort(([, a], [, b]) => isPending(a) - isPending(b) || a.from - b.from);
		return new Map(
			needed.filter(([, scan]) => isFresh(scan) || this.mustBeTold(scan) || surplus-- <= 0),
		);
	}

	private mustBeTold({ mark }: RememberedScan): boolean {
		return mark === PENDING && this.settings.tellsUnfinished;
	}
}

/** Whether the list may show a scan once more as new. */
function mayComeAsNew(
	{ from, to }: RememberedScan,
	{ settledTo, refused }: Omit<Remembered, 'scans'>,
): boolean {
	return to >= settledTo - 1 || refused.touches(from, to);
}
