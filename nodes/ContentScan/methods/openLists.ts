import type { ListPage } from './listPages';
import type { ListedScan } from './listedScan';

/** How long the newest page counts as such, in milliseconds: the editor asks again for every letter that is typed. */
const CURRENT_MS = 60_000;

/** How long a page is kept, and a list that nobody asks for, in milliseconds. */
const KEPT_MS = 600_000;

/** The one that was not asked for longest gives way. */
const MOST_LISTS = 10;

/** How many scans a list keeps: pages beyond that are only shown. */
const MOST_SCANS = 10_000;

export type Page = ListPage<ListedScan>;

interface LoadedPage {
	/** `undefined`: the newest scans. */
	token?: string;
	/** By the monotonic clock. */
	askedAt: number;
	page: Promise<Page>;
	/** The same, once it is read. */
	read?: Page;
}

/** A list of scans as editors show it: the pages that were scrolled to. */
export class OpenList {
	/** When it was last asked for, by the monotonic clock. */
	usedAt = -Infinity;
	/** Newest first; of the same scans, those first that were read last. */
	private loaded: LoadedPage[] = [];

	/** Forgets what may have changed since it was read. */
	forgetOld(now: number): void {
		this.loaded = this.loaded.filter(({ askedAt }) => now < askedAt + KEPT_MS);
	}

	/** Whether the page that another named as the next is not loaded. */
	lacks(token: string | undefined): boolean {
		return token !== undefined && !this.loaded.some((one) => one.token === token);
	}

	/** All pages that were loaded, in this order. */
	async pages(): Promise<Page[]> {
		return await Promise.all(this.loaded.map(async ({ page }) => await page));
	}

	/** A page, read unless it was loaded. The newest scans are read anew once they are old. */
	async page(token: string | undefined, now: number, read: () => Promise<Page>): Promise<Page> {
		const known = this.loaded.find((one) => one.token === token);
		const isCurrent = known && (token !== undefined || now < known.askedAt + CURRENT_MS);
		if (isCurrent) return await known.page;
		const before = this.loaded.findIndex(
			({ read }) => read?.next !== undefined && read.next === token,
		);
		// What does not follow on what is kept is not kept either.
		if (token !== undefined && before < 0) return await read();
		const loaded: LoadedPage = { token, askedAt: now, page: read() };
		this.loaded.splice(before + 1, 0, loaded);
		return await this.noted(loaded);
	}

	private async noted(loaded: LoadedPage): Promise<Page> {
		try {
			loaded.read = await loaded.page;
			if (loaded.token === undefined) this.forgetCopies(loaded.read);
			this.keepWithin(MOST_SCANS);
			return loaded.read;
		} catch (error) {
			this.loaded = this.loaded.filter((one) => one !== loaded);
			return await Promise.reject(error);
		}
	}

	/** What was read anew is kept once, or the copies would push out what was scrolled to. */
	private forgetCopies(newest: Page): void {
		const ids = new Set(newest.scans.map(({ value }) => value));
		for (const { read } of this.loaded) {
			if (read && read !== newest) read.scans = read.scans.filter(({ value }) => !ids.has(value));
		}
	}

	private keepWithin(most: number): void {
		const count = ({ read }: LoadedPage) => read?.scans.length ?? 0;
		let total = this.loaded.reduce((sum, one) => sum + count(one), 0);
		while (total > most) total -= count(this.loaded.pop()!);
	}
}

const lists = new Map<string, OpenList>();

/**
 * The list that is open, or a new one.
 * @param key What it lists, and for whom.
 * @param now By the monotonic clock, in milliseconds.
 */
export function openList(key: string, now: number): OpenList {
	for (const [other, { usedAt }] of lists) if (usedAt + KEPT_MS <= now) lists.delete(other);
	const list = lists.get(key) ?? new OpenList();
	list.usedAt = now;
	list.forgetOld(now);
	lists.delete(key);
	const [oldest] = lists.keys();
	if (lists.size === MOST_LISTS) lists.delete(oldest);
	lists.set(key, list);
	return list;
}
