import { WindowPages } from './windowPages';

/** One for each kind of window; what the pages of more hold takes memory. */
const MOST_BEGUN = 4;

/** So often may the same page fail; then what was read before it is kept no longer. */
const MOST_TRIES = 20;

/** What polls have read of windows that took more calls than they had, by token and query. */
export class BegunWindows {
	private readonly kept = new Map<string, WindowPages>();

	/** What an earlier poll has kept of a window, which is kept no longer; else a beginning. */
	take(key: string, now: number): WindowPages {
		const pages = this.kept.get(key) ?? new WindowPages(now);
		this.kept.delete(key);
		return pages;
	}

	/** @returns Whether the next poll will go on with them. */
	keep(key: string, pages: WindowPages): boolean {
		if (++pages.failedInARow > MOST_TRIES) return false;
		if (this.kept.size >= MOST_BEGUN) this.kept.delete([...this.kept.keys()][0]);
		this.kept.set(key, pages);
		return true;
	}

	/** The pages of a window did not last until this poll: they must be read in one. */
	beginAnew(key: string, now: number): void {
		this.keep(key, new WindowPages(now, true));
	}
}
