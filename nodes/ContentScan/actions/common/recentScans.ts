import type { CallContext } from '../../../../transport/call';
import { hasNoAnswer } from '../../verdict/lookupFailure';
import { ANSWER_WITHIN_MS, PAGE_SIZE, scanPages } from '../../../../services/scanning/scanList';
import type { ScanRecord } from '../../../../services/scanning/scanRecord';
import { ownIds, representative } from '../../../../services/scanning/scanRecord';
import type { ScanService } from '../../../../services/scanning/scanService';
import { guessedWindow } from './guessedWindow';
import type { RecentPage } from './recentWindows';
import { recentWindows, WHOLE_DAY } from './recentWindows';

/** Calls for all searches of one execution, and how many of them may go where a scan is only guessed to be. */
const MOST_CALLS = 5;
const MOST_GUESSES = 2;

export interface Found {
	record?: ScanRecord;
	/** Whether the last 24 hours were searched to their end. */
	complete: boolean;
}

/**
 * The scans of the last 24 hours, read back from now and kept for one execution: for IDs that the
 * service does not know, although the list may show a scan that has them.
 */
export class RecentScans {
	private readonly records = new Map<string, ScanRecord>();
	private readonly now: number;
	private pages: AsyncGenerator<RecentPage>;
	private complete = false;
	private calls = 0;
	/** The page that was read last: it may tell where a scan is to be found. */
	private lastPage: ScanRecord[] = [];
	private pageSize = PAGE_SIZE;
	private allFrom = Infinity;
	/** Guesses that did not find their scan. */
	private missed = 0;
	/** Why nothing could be read at last. */
	private failure?: Error;
	private reading: Promise<boolean> = Promise.resolve(true);

	/**
	 * @param context Of the calls of one item, though they serve all.
	 * @param now Milliseconds since the epoch.
	 */
	constructor(
		private readonly scans: ScanService,
		private readonly context: () => CallContext,
		now: number,
	) {
		this.now = Math.floor(now / 1000);
		this.pages = this.windows();
	}

	/** By a scan's own IDs; its parts do not count. @throws NodeApiError when the list cannot be read. */
	async find(scanId: string): Promise<Found> {
		for (;;) {
			const record = this.records.get(scanId);
			if (record) return { record, complete: this.complete };
			if (!(await this.readOn(scanId))) return { complete: this.complete };
		}
	}

	private async readOn(scanId: string): Promise<boolean> {
		// One failure is told to whoever asked; the next one asks again.
		this.reading = this.reading.catch(() => true).then(async () => await this.nextPage(scanId));
		return await this.reading;
	}

	private async nextPage(scanId: string): Promise<boolean> {
		// Others may have found it meanwhile.
		if (this.records.has(scanId)) return true;
		if (this.complete) return false;
		if (this.calls >= MOST_CALLS) {
			if (this.failure) throw this.failure;
			return false;
		}
		try {
			const hasRead = (await this.readGuessed(scanId)) || (await this.readWindow());
			this.failure = undefined;
			return hasRead;
		} catch (error) {
			this.failure = error as Error;
			if (hasNoAnswer(error)) this.calls = MOST_CALLS;
			this.pages = this.windows();
			throw this.failure;
		}
	}

	private async readWindow(): Promise<boolean> {
		const { value } = (await this.pages.next()) as IteratorResult<RecentPage, undefined>;
		if (!value) return false;
		this.keep(value.records);
		this.pageSize = value.pageSize;
		this.allFrom = Math.min(this.allFrom, value.allFrom);
		this.complete = value.isComplete;
		return true;
	}

	private async readGuessed(scanId: string): Promise<boolean> {
		if (this.missed >= MOST_GUESSES) return false;
		const window = guessedWindow(this.lastPage, scanId, this.now, this.pageSize);
		if (!window || window.start < this.now - WHOLE_DAY || window.start >= this.allFrom)
			return false;
		const query = { ...window, limit: PAGE_SIZE };
		for await (const { records } of scanPages(this.scans, query, this.counted, 'find the scan')) {
			this.keep(records);
			break;
		}
		if (!this.records.has(scanId)) this.missed++;
		return true;
	}

	private keep(page: ScanRecord[]): void {
		this.lastPage = page;
		const found = new Map<string, ScanRecord[]>();
		for (const record of page) {
			for (const id of ownIds(record)) {
				const known = this.records.get(id);
				const all = found.get(id) ?? (known ? [known] : []);
				all.push(record);
				found.set(id, all);
			}
		}
		// A list that contradicts itself never shows the better verdict.
		for (const [id, all] of found) this.records.set(id, representative(all, id)!);
	}

	private readonly counted = (): CallContext => {
		this.calls++;
		return { ...this.context(), answerWithinMs: ANSWER_WITHIN_MS };
	};

	private windows(): AsyncGenerator<RecentPage> {
		const { scans, now, counted: context } = this;
		return recentWindows({ scans, now, context, callsLeft: () => MOST_CALLS - this.calls });
	}
}
