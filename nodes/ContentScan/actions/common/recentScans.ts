import type { CallContext } from '../../../../transport/call';
import { isSilence } from '../../verdict/lookupFailure';
import { ANSWER_WITHIN_MS, PAGE_SIZE, scanPages } from '../../../../services/scanning/scanList';
import type { ScanRecord } from '../../../../services/scanning/scanRecord';
import { matchStrength, recordIds, representative } from '../../../../services/scanning/scanRecord';
import type { ScanService } from '../../../../services/scanning/scanService';

/** How far back the windows of the search reach, in seconds, the newest window first. */
const REACHES = [600, 3600, 24 * 3600];

/** Calls for all searches of one execution. */
const MOST_CALLS = 5;

type Pages = AsyncGenerator<{ records: ScanRecord[]; last: boolean }>;

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
	private pages: Pages;
	private complete = false;
	private calls = 0;
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
		private readonly now: number,
	) {
		this.pages = this.windows();
	}

	/** By a scan's own IDs; its parts do not count. @throws NodeApiError when the list cannot be read. */
	async find(scanId: string): Promise<Found> {
		for (;;) {
			const record = this.records.get(scanId);
			if (record) return { record, complete: this.complete };
			if (!(await this.readOn())) return { complete: this.complete };
		}
	}

	private async readOn(): Promise<boolean> {
		// One failure is told to whoever asked; the next one asks again.
		this.reading = this.reading.catch(() => true).then(async () => await this.nextPage());
		return await this.reading;
	}

	private async nextPage(): Promise<boolean> {
		if (this.complete) return false;
		if (this.calls >= MOST_CALLS) {
			if (this.failure) throw this.failure;
			return false;
		}
		try {
			const { value } = await this.pages.next();
			this.failure = undefined;
			if (!value) return false;
			for (const record of value.records) this.keep(record);
			this.complete = value.last;
			return true;
		} catch (error) {
			this.failure = error as Error;
			if (isSilence(error)) this.calls = MOST_CALLS;
			this.pages = this.windows();
			throw this.failure;
		}
	}

	private keep(record: ScanRecord): void {
		for (const id of recordIds(record)) {
			if (matchStrength(record, id) !== 'own') continue;
			// A list that contradicts itself never shows the better verdict.
			const known = this.records.get(id) ?? record;
			this.records.set(id, representative([known, record], id) ?? record);
		}
	}

	private async *windows(): Pages {
		const { scans, context } = this;
		const now = Math.floor(this.now / 1000);
		let end: number | undefined;
		for (const reach of REACHES) {
			const start = now - reach;
			const query = { start, end, limit: PAGE_SIZE };
			const counted = () => {
				this.calls++;
				return { ...context(), answerWithinMs: ANSWER_WITHIN_MS };
			};
			for await (const page of scanPages(scans, query, counted, 'find the scan')) {
				yield { records: page.records, last: !page.more && reach === REACHES.at(-1) };
			}
			// A service may count only the beginning of the last second in, so this window has it too.
			end = start;
		}
	}
}
