import type { ScanRecord } from '../../../../../services/scanning/scanRecord';
import type {
	ListWindow,
	WindowContent,
} from '../../../../../nodes/ContentScan/trigger/reading/feedReading';

/** A scan as the model service knows it. Times are epoch seconds. */
export interface ModelScan {
	id: string;
	created: number;
	/** From when on the list shows it. */
	listed: number;
	/** Its verdicts, each from a moment on; none: it never finishes. */
	verdicts: Array<{ at: number; code: string }>;
}

/** What this service does to its callers. */
export interface ListHabits {
	pageSize: number;
	/** Longer windows, in seconds, or such with more scans are refused. */
	longestWindow: number;
	mostScans: number;
	/** Whether the last second of a window counts up to its beginning only. */
	exactSeconds: boolean;
	/** Whether `count` is that of all scans. */
	countsAll: boolean;
	order: 'created' | 'reversed' | 'shuffled';
}

/** What goes wrong with one page. */
export type PageFault = 'none' | 'endsEarly' | 'repeats' | 'fails';

export function verdictAt({ verdicts }: ModelScan, time: number): string | undefined {
	return verdicts.filter(({ at }) => at <= time).at(-1)?.code;
}

function recordOf(scan: ModelScan, time: number): ScanRecord {
	const code = verdictAt(scan, time);
	return {
		id: scan.id,
		created_at: new Date(scan.created * 1000 + 700).toISOString(),
		finished_at: code === undefined ? null : new Date(scan.verdicts[0].at * 1000).toISOString(),
		verbose_verdict: code === undefined || code === '' ? null : code,
	};
}

/** The list of scans, as seen at a moment. */
export class ModelList {
	calls = 0;

	constructor(
		readonly scans: ModelScan[],
		private readonly habits: ListHabits,
		private readonly nextFault: () => PageFault,
	) {}

	private inWindow({ start, end }: ListWindow, time: number): ModelScan[] {
		const { exactSeconds, order } = this.habits;
		const found = this.scans.filter(
			({ created, listed }) =>
				created >= start && (exactSeconds ? created < end : created <= end) && listed <= time,
		);
		if (order === 'reversed') found.reverse();
		if (order === 'shuffled') found.sort((a, b) => (a.id < b.id ? -1 : 1));
		return found;
	}

	/**
	 * Reads a window page by page.
	 * @returns `refused` where the service does not give it, `failed` where a call fails.
	 */
	read(window: ListWindow, time: number, mostPages: number): WindowContent | 'refused' | 'failed' {
		const { pageSize, longestWindow, mostScans, countsAll } = this.habits;
		const found = this.inWindow(window, time);
		const isLong = window.end - window.start > Math.max(1, longestWindow);
		if (isLong || (found.length > mostScans && window.end - window.start > 1)) {
			this.calls++;
			return 'refused';
		}
		const records: ScanRecord[] = [];
		const count = countsAll ? this.scans.length : found.length;
		for (let page = 0; ; page++) {
			if (page === mostPages) return { records, complete: false, count, askedAt: time };
			this.calls++;
			const fault = this.nextFault();
			if (fault === 'fails') return 'failed';
			const slice = found.slice(page * pageSize, (page + 1) * pageSize);
			records.push(...slice.map((scan) => recordOf(scan, time)));
			if ((page + 1) * pageSize >= found.length) {
				return { records, complete: true, count, askedAt: time };
			}
			if (fault === 'endsEarly') return { records, complete: true, count, askedAt: time };
			if (fault === 'repeats') return { records, complete: false, count, askedAt: time };
		}
	}
}
