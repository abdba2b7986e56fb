import { createHash } from 'crypto';

/** How often a page may come with the same content: entries need not have an id to differ by. */
const MOST_EQUAL_PAGES = 10;

/**
 * Notices when the pages of a list lead in a circle: by where they lead, or, if the service says
 * something new each time, by what they hold.
 */
export class PageCircle {
	private readonly followed = new Set<string>();
	private readonly contents = new Map<string, number>();

	/**
	 * @param next Token or address of the page after this one.
	 * @param items What this page holds; empty ones say nothing.
	 */
	leadsBack(next: string, items: unknown[]): boolean {
		if (this.followed.has(next)) return true;
		this.followed.add(next);
		if (items.length === 0) return false;
		const content = createHash('sha256').update(JSON.stringify(items)).digest('base64');
		const count = (this.contents.get(content) ?? 0) + 1;
		this.contents.set(content, count);
		return count > MOST_EQUAL_PAGES;
	}
}
