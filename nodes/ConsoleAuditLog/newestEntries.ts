import type { Service } from '../transport/call';
import type { Clock } from '../transport/clock';
import { listEntries, serverNow } from './auditLog';
import { isoTime } from './auditLogEntry';
import { RETENTION_MS } from './logReading';
import type { PageCall } from './pageCalls';

/** Entries that "Fetch Test Event" shows. */
const WANTED = 10;

/** Requests it may take, and those of them that are kept for reading many entries of one moment. */
const MOST_REQUESTS = 50;
const KEPT_FOR_READING_ON = 12;

const PAGE_SIZE = 100;

/** Width of the first window before now, in milliseconds, and how fast empty ones are widened. */
const FIRST_WINDOW_MS = 60_000;
const WIDENING = 4;

/** A window that cannot be narrowed further, in milliseconds: the resolution of `since`. */
const NARROWEST_MS = 1;

interface Reading {
	newest: unknown[];
	/** Whether the end of the log was reached. */
	complete: boolean;
}

/**
 * Finds the newest entries of a log that can only be read from its oldest entry on (interface.md,
 * Audit log page): the window before now is widened until it holds enough entries, and narrowed
 * until it fits a page.
 */
class NewestSearch {
	private requests = 0;
	private now = 0;

	constructor(
		private readonly service: Service,
		readonly clock: Clock,
		readonly deadline: number,
	) {}

	async find(): Promise<unknown[]> {
		this.requests++;
		this.now = await serverNow(this.service, this);
		let fits = 0;
		let tooWide: number | undefined;
		let width = FIRST_WINDOW_MS;
		let newest: unknown[] = [];
		while (this.requests < MOST_REQUESTS - KEPT_FOR_READING_ON) {
			const reading = await this.read(width, 2);
			if (reading.complete) {
				newest = reading.newest;
				if (newest.length >= WANTED || width > RETENTION_MS) return newest;
				fits = width;
			} else {
				tooWide = width;
			}
			if (tooWide !== undefined && tooWide - fits <= NARROWEST_MS) break;
			width = tooWide === undefined ? width * WIDENING : Math.floor((fits + tooWide) / 2);
		}
		const rest = await this.read(tooWide ?? width, MOST_REQUESTS - this.requests);
		return rest.complete || newest.length === 0 ? rest.newest : newest;
	}

	/** Reads the window of `width` milliseconds before now in at most so many pages. */
	private async read(width: number, pages: number): Promise<Reading> {
		let call: PageCall = { since: isoTime(Math.max(0, this.now - width)), limit: PAGE_SIZE };
		let newest: unknown[] = [];
		for (let page = 0; page < pages; page++) {
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
	{ deadline, clock }: { deadline: number; clock: Clock },
): Promise<unknown[]> {
	return await new NewestSearch(service, clock, deadline).find();
}
