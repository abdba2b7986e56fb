import type { INodeListSearchItems } from 'n8n-workflow';
import type { ListPage } from './recentScans';

/** How long the newest page counts as such, in milliseconds: the editor asks again for every letter that is typed. */
const CURRENT_MS = 60_000;

/** How long a list is kept that nobody asks for, in milliseconds. */
const KEPT_MS = 600_000;

/** The one that was not asked for longest gives way. */
const MOST_LISTS = 10;

/** How many scans a list keeps: pages beyond that are only shown. */
const MOST_SCANS = 10_000;

export type Page = ListPage<INodeListSearchItems>;

interface LoadedPage {
	/** `undefined`: the newest scans. */
	token?: string;
	/** By the monotonic clock. */
	askedAt: number;
	page: Promise<Page>;
	/** How many scans it holds, once it is read. */
	count: number;
}

/** A list of scans as an editor shows it: the pages that were scrolled to. */
export class OpenList {
	/** When it was last asked for, by the monotonic clock. */
	usedAt = -Infinity;
	private readonly loaded: LoadedPage[] = [];

	/** The page with the newest scans, while it is not old. */
	current(now: number): LoadedPage | undefined {
		const newest = this.loaded.find(({ token }) => token === undefined);
		return newest && now < newest.askedAt + CURRENT_MS ? newest : undefined;
	}

	/** All pages that were loaded, newest first. */
	async pages(): Promise<Page[]> {
		return await Promise.all(this.loaded.map(async ({ page }) => await page));
	}

	/** A page, read unless it was loaded. The newest scans are read anew once they are old. */
	async page(token: string | undefined, now: number, read: () => Promise<Page>): Promise<Page> {
		const known =
			token === undefined ? this.current(now) : this.loaded.find((one) => one.token === token);
		if (known) return await known.page;
		const loaded: LoadedPage = { token, askedAt: now, page: read(), count: 0 };
		if (token === undefined) this.loaded.unshift(loaded);
		else this.loaded.push(loaded);
		return await this.kept(loaded);
	}

	/** Unless it failed, or is too much. */
	private async kept(loaded: LoadedPage): Promise<Page> {
		let isKept = false;
		try {
			const page = await loaded.page;
			loaded.count = page.scans.length;
			isKept = this.loaded.reduce((sum, { count }) => sum + count, 0) <= MOST_SCANS;
			return page;
		} finally {
			if (!isKept) this.loaded.splice(this.loaded.indexOf(loaded), 1);
		}
	}
}

const lists = new Map<string, OpenList>();

/**
 * The list that is open, or a new one.
 * @param key What it lists, and for whom.
 * @param now By the monotonic clock, in milliseconds.
 */
export function openList(
	key: string,
	now: number,
	isWanted: (list: OpenList) => boolean,
): OpenList {
	for (const [other, { usedAt }] of lists) if (usedAt + KEPT_MS <= now) lists.delete(other);
	const known = lists.get(key);
	const list = known && isWanted(known) ? known : new OpenList();
	list.usedAt = now;
	lists.delete(key);
	const [oldest] = lists.keys();
	if (lists.size === MOST_LISTS) lists.delete(oldest);
	lists.set(key, list);
	return list;
}
