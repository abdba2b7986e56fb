import { digestOf } from './digestOf';

/** Longest token or address of a next page that is sent, in characters. Real ones have a few hundred. */
export const LONGEST_NEXT_PAGE = 16 * 1024;

/** Most records of one page, many times what either service is asked for: each becomes an item. */
export const MOST_ON_A_PAGE = 20_000;
export const TOO_MANY_ON_A_PAGE = 'one page holds over 20,000 records';

/**
 * How often a page of records without an ID may come with the same content: such entries may be alike,
 * as refused sign-ins of one second are, and then small pages of them are too.
 */
const MOST_EQUAL_PAGES = 10;

/**
 * Notices when the pages of a list lead in a circle: by where they lead, or, if the service says
 * something new each time (as behind a cache that overlooks the query), by what they hold. It keeps
 * digests only, so that long tokens cost nothing.
 */
export class PageCircle<Item> {
	private readonly followed = new Set<string>();
	private readonly contents = new Map<string, number>();

	/** @param hasId Whether a record bears an ID of its own: a list has it once. */
	constructor(private readonly hasId: (item: Item) => boolean) {}

	/**
	 * Whether a page has come before. To be asked once for each page, before its records are used.
	 * @param items What the page holds; empty ones say nothing.
	 * @param isLast Whether no other follows: the only page of a list repeats none.
	 */
	repeats(items: Item[], isLast: boolean): boolean {
		if (items.length === 0 || (isLast && this.contents.size === 0)) return false;
		const content = digestOf(JSON.stringify(items));
		const count = (this.contents.get(content) ?? 0) + 1;
		this.contents.set(content, count);
		return count > (items.some(this.hasId) ? 1 : MOST_EQUAL_PAGES);
	}

	/** @param next Token or address of the page after this one. */
	leadsBack(next: string): boolean {
		const page = digestOf(next);
		if (this.followed.has(page)) return true;
		this.followed.add(page);
		return false;
	}
}
