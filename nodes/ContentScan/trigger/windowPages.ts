import { digestOf } from '../../../services/digestOf';
import type { ScanPage } from '../../../services/scanning/scanList';
import { PAGE_SIZE } from '../../../services/scanning/scanList';
import type { WindowContent } from './reading/listWindow';
import { identitiesOf } from './reading/scanIdentity';

/** A single refusal may be that of a gateway, and says nothing of the page. */
const MOST_LOSSES = 2;

/** What the pages of a window hold, and what they say of whether that is all. */
export class WindowPages {
	readonly content: WindowContent = { records: [], end: 'said' };
	/** Pages that were read. */
	count = 0;
	/** Of their answers together. */
	bytes = 0;
	/** Of them, the last ones in a row that showed no other scan. */
	fruitless = 0;
	/** Records that are still to come, by the service's count. */
	left = 0;
	/** Times that the next page was asked for in vain. */
	failedInARow = 0;
	/** The query that leads to the next page. */
	nextQuery?: string;
	private readonly listed = new Set<string>();
	private readonly shown = new Set<string>();
	/** Whether the service says how many records there are. */
	private isCounted = false;
	/** Digests of the records of the last page. */
	private lastPage: string[] = [];

	/**
	 * @param begunAt When the first page is asked for, in milliseconds of the monotonic clock.
	 * @param limit Records of a page to ask for.
	 * @param losses How often a page that an earlier poll was told of was refused.
	 * @param wasRefused Whether its first page was refused with a larger limit.
	 */
	constructor(
		readonly begunAt: number,
		readonly limit = PAGE_SIZE,
		readonly losses = 0,
		readonly wasRefused = false,
	) {}

	/** Whether its pages do not last until the next poll, so that it must be read in one. */
	get isLost(): boolean {
		return this.losses >= MOST_LOSSES;
	}

	take({ records, bytes, more, nextQuery, count, askedAt }: ScanPage): void {
		const { content, listed } = this;
		this.nextQuery = nextQuery;
		this.bytes += bytes;
		content.bytes = this.bytes;
		this.failedInARow = 0;
		if (this.count++ === 0) {
			this.left = count ?? 0;
			this.isCounted = count !== undefined;
			if (askedAt !== undefined) content.toldAt = Math.floor(askedAt / 1000);
		}
		const before = listed.size;
		for (const record of records) {
			content.records.push(record);
			listed.add(identitiesOf(record)[0]);
		}
		this.fruitless = listed.size > before ? 0 : this.fruitless + 1;
		const digests = records.map((record) => digestOf(JSON.stringify(record)));
		// Without a count, it might be chance, in a list of another order for each page.
		const overlap = this.isCounted ? this.overlap(digests) : 0;
		const unshown = this.noteShown(digests);
		this.left -= unshown;
		content.isShort = this.left > 0;
		content.repeats ||= unshown > 0 && unshown < records.length - overlap;
		content.isMiscounted = listed.size > (count ?? Infinity);
		content.end = !more ? 'said' : this.fruitless > 0 ? 'unclear' : 'tooMany';
	}

	/** How many records the page begins with that the last one ends with: a cursor may point to the last one read. */
	private overlap(digests: string[]): number {
		const first = this.lastPage.lastIndexOf(digests[0]);
		const end = first < 0 ? [] : this.lastPage.slice(first);
		return end.every((digest, at) => digest === digests[at]) ? end.length : 0;
	}

	/**
	 * A scan may have several records. One that an earlier page has shown is in the place of another: the
	 * order of the list is another for each page.
	 * @returns How many no earlier page has shown.
	 */
	private noteShown(digests: string[]): number {
		const unshown = digests.filter((digest) => !this.shown.has(digest));
		for (const digest of digests) this.shown.add(digest);
		this.lastPage = digests;
		return unshown.length;
	}
}
