import type { Service } from '../../../transport/call';
import type { Clock } from '../../../transport/clock';
import { listEntries, serverNow } from '../../../services/console/auditLog';
import { entryTime, isoTime, RETENTION_MS } from '../../../services/console/auditLogEntry';
import type { AuditLogEntry, EntryFields } from '../../../services/console/auditLogEntry';
import type { PageCall } from '../../../services/console/auditLogPage';
import { DEFAULT_PAGE_SIZE } from '../reading/pageSize';

/** Entries that "Fetch Test Event" shows. */
const WANTED = 10;

/** Requests it may take, and those of them that are kept for reading many entries of one moment. */
const MOST_REQUESTS = 50;
const KEPT_FOR_READING_ON = 12;

/** Pages of one look; more where they are so small that these would not hold as many times the wanted. */
const PAGES = 2;

/** Width of the first window before now, in milliseconds, and how fast windows are widened. */
const FIRST_WINDOW_MS = 60_000;
const WIDENING = 16;

/** Windows cannot differ by less, in milliseconds: the resolution of `since`. */
const RESOLUTION_MS = 1;

interface Reading {
	newest: AuditLogEntry[];
	/** Whether the end of the log was reached. */
	complete: boolean;
}

/** What the trigger's settings say about the search. */
interface SearchSettings extends EntryFields {
	/** Entries in one page, if the user set it. */
	pageSize?: number;
}

/** A place from which too much follows to be read in one look. */
interface Dense {
	since: number;
	/** From here on there are at least as many entries as are wanted. */
	enoughFrom: number;
}

/**
 * Finds the newest entries of a log that can only be read from its oldest entry on (interface.md,
 * Audit log page). The window before now is widened until it holds enough entries. Where it then
 * holds more than a look can read, the search goes on from the last entries that were read, in
 * strides that double: so it leaves a burst behind in a few steps, however long the silence after
 * it. What overshoots is halved.
 */
class NewestSearch {
	private requests = 0;
	private now = 0;
	private dense?: Dense;
	/** From here on there is too little. */
	private sparseFrom = 0;
	private stride = 0;
	private readonly limit: number;
	private readonly pages: number;

	constructor(
		private readonly service: Service,
		private readonly settings: SearchSettings,
		readonly clock: Clock,
		readonly deadline: number,
	) {
		this.limit = settings.pageSize ?? DEFAULT_PAGE_SIZE;
		this.pages = Math.max(PAGES, Math.ceil((PAGES * WANTED) / this.limit));
	}

	async find(): Promise<AuditLogEntry[]> {
		this.requests++;
		this.now = await serverNow(this.service, this);
		this.sparseFrom = this.now;
		let newest: AuditLogEntry[] = [];
		let since: number | undefined = this.now - FIRST_WINDOW_MS;
		while (since !== undefined && this.requests < MOST_REQUESTS - KEPT_FOR_READING_ON) {
			const reading = await this.read(since, this.pages);
			if (!reading.complete) {
				this.foundDense(since, reading.newest);
			} else {
				newest = reading.newest;
				if (newest.length >= WANTED || this.now - since > RETENTION_MS) return newest;
				this.foundSparse(since);
			}
			since = this.next(since);
		}
		const from = this.dense?.since ?? since ?? this.now;
		const rest = await this.read(from, MOST_REQUESTS);
		return rest.complete || newest.length === 0 ? rest.newest : newest;
	}

	private foundSparse(since: number): void {
		this.sparseFrom = since;
		if (this.dense) this.stride = Infinity;
	}

	private foundDense(since: number, newest: AuditLogEntry[]): void {
		const oldest = entryTime(newest[0], this.settings) ?? since;
		const enoughFrom = Math.max(since, Math.min(oldest, this.sparseFrom));
		if (this.dense) this.stride = Math.max(2 * this.stride, enoughFrom - since);
		if (enoughFrom === since) this.stride = Infinity;
		this.dense = { since, enoughFrom };
	}

	/** Where the next window begins; `undefined` when none can tell more. */
	private next(since: number): number | undefined {
		const { dense, sparseFrom, stride } = this;
		if (!dense) return this.now - (this.now - since) * WIDENING;
		const left = sparseFrom - dense.enoughFrom;
		if (left > RESOLUTION_MS) return dense.enoughFrom + Math.floor(Math.min(stride, left / 2));
		return dense.enoughFrom > dense.since ? dense.enoughFrom : undefined;
	}

	/** Reads from a time on, at most so many pages, and no more than the search may ask for. */
	private async read(since: number, pages: number): Promise<Reading> {
		let call: PageCall = { since: isoTime(Math.max(0, since)), limit: this.limit };
		let newest: AuditLogEntry[] = [];
		for (let page = 0; page < pages && this.requests < MOST_REQUESTS; page++) {
			const { items, nextPageToken } = await this.ask(call);
			newest = [...newest, ...items].slice(-WANTED);
			if (items.length === 0 || nextPageToken === undefined) return { newest, complete: true };
			call = { ...call, pageToken: nextPageToken };
		}
		return { newest, complete: false };
	}

	private async ask(call: PageCall) {
		this.requests++;
		const { page } = await listEntries(this.service, call, { deadline: this.deadline });
		return page;
	}
}

/**
 * The ten newest entries, the oldest of them first, in at most 50 requests. Where so many share one
 * moment that this is not enough, the newest that were reached.
 * @param deadline When to give up, in milliseconds of the clock.
 * @throws NodeApiError as the transport.
 */
export async function newestEntries(
	service: Service,
	settings: SearchSettings,
	{ deadline, clock }: { deadline: number; clock: Clock },
): Promise<AuditLogEntry[]> {
	return await new NewestSearch(service, settings, clock, deadline).find();
}
