import { LARGEST_BATCH } from '../../common/polling/largestBatch';
import type { WindowPages } from './windowPages';

/** What the pages of more hold takes memory; bytes, of their answers together. */
const MOST_BEGUN = 4;
const MOST_BYTES = 2 * LARGEST_BATCH;

/** What so many polls have not asked for is not asked for any more: its scans are watched no longer, perhaps. */
const KEPT_FOR_POLLS = 20;

/** What polls have read of windows that took more calls than they had, by token and query. */
export class BegunWindows {
	private polls = 0;
	private readonly kept = new Map<string, { pages: WindowPages; sincePoll: number }>();

	/** Whether pages are kept: those that follow may be known for some minutes only. */
	get holdsPages(): boolean {
		return [...this.kept.values()].some(({ pages }) => pages.count > 0);
	}

	nextPoll(): void {
		this.polls++;
		for (const [key, { sincePoll }] of this.kept) {
			if (this.polls - sincePoll > KEPT_FOR_POLLS) this.kept.delete(key);
		}
	}

	/** What is kept of a window, and from now on no longer. */
	take(key: string): WindowPages | undefined {
		const kept = this.kept.get(key);
		this.kept.delete(key);
		return kept?.pages;
	}

	/** The next poll will go on with them, and begins others anew where they are too much together. */
	keep(key: string, pages: WindowPages): void {
		this.kept.set(key, { pages, sincePoll: this.polls });
		while (this.kept.size > 1 && this.isTooMuch) this.kept.delete([...this.kept.keys()][0]);
	}

	private get isTooMuch(): boolean {
		const bytes = [...this.kept.values()].reduce((sum, { pages }) => sum + pages.bytes, 0);
		return this.kept.size > MOST_BEGUN || bytes > MOST_BYTES;
	}
}
