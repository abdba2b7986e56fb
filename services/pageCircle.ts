import { digestOf } from './digestOf';

/** Longest token or address of a next page that is sent, in characters. Real ones have a few hundred. */
export const LONGEST_NEXT_PAGE = 16 * 1024;

/** Most records of one page, many times what either service is asked for: each becomes an item. */
export const MOST_ON_A_PAGE = 50_000;
export const TOO_MANY_ON_A_PAGE = 'one page holds over 50,000 records';

/** How often a page may come with the same content: entries need not have an id to differ by. */
const MOST_EQUAL_PAGES = 10;

/**
 * Notices when the pages of a list lead in a circle: by where they lead, or, if the service says
 * something new each time, by what they hold. It keeps digests only, so that long tokens cost nothing.
 */
export class PageCircle {
	private readonly followed = new Set<string>();
	private readonly contents = new Map<string, number>();

	/**
	 * @param next Token or address of the page after this one.
	 * @param items What this page holds; empty ones say nothing.
	 */
	leadsBack(next: string, items: unknown[]): boolean {
		const page = digestOf(next);
		if (this.followed.has(page)) return true;
		this.followed.add(page);
		if (items.length === 0) return false;
		const content = digestOf(JSON.stringify(items));
		const count = (this.contents.get(content) ?? 0) + 1;
		this.contents.set(content, count);
		return count > MOST_EQUAL_PAGES;
	}
}
