import { PageLimit } from './pageLimit';
import type { WindowPages } from './windowPages';

/** What the pages of more hold takes memory. */
const MOST_BEGUN = 4;

/** What so many polls have not asked for is not asked for any more: its scans are watched no longer, perhaps. */
const KEPT_FOR_POLLS = 20;

/** An answer may take so many times as long as the slowest before, and at least this, in milliseconds. */
const PATIENCE = 20;
const LEAST_PATIENCE_MS = 10_000;

/** A window that gets no answer so often is refused, however short it was waited for. */
const MOST_SILENCES = 3;

/** What polls have read of windows that took more calls than they had, by token and query. */
export class BegunWindows {
	readonly pageLimit = new PageLimit();
	/** Whether the next poll is to find out first if the service answers at all. */
	mustProbe = false;
	/** The longest that an answer has taken in the latest poll that had one, in milliseconds. */
	slowestMs?: number;
	private isFirstAnswer = true;
	private silence?: { window: string; poll: number; times: number };
	private polls = 0;
	private readonly kept = new Map<string, { pages: WindowPages; sincePoll: number }>();

	/** Whether pages are kept: those that follow may be known for some minutes only. */
	get holdsPages(): boolean {
		return [...this.kept.values()].some(({ pages }) => pages.count > 0);
	}

	nextPoll(): void {
		this.polls++;
		this.isFirstAnswer = true;
		for (const [key, { sincePoll }] of this.kept) {
			if (this.polls - sincePoll > KEPT_FOR_POLLS) this.kept.delete(key);
		}
	}

	noteAnswer(tookMs: number): void {
		const before = this.isFirstAnswer ? 0 : (this.slowestMs ?? 0);
		this.slowestMs = Math.max(before, tookMs);
		this.isFirstAnswer = false;
	}

	/** @returns Whether the window was silent in this many polls already, one after the other. */
	noteSilence(window: string): boolean {
		const { silence, polls } = this;
		const isSame = silence?.window === window && polls - silence.poll <= 2;
		this.silence = { window, poll: polls, times: isSame ? silence.times + 1 : 1 };
		return this.silence.times >= MOST_SILENCES;
	}

	/** How long an answer may take: where others come fast, a service hangs that is silent for long. */
	get patienceMs(): number {
		return Math.max(LEAST_PATIENCE_MS, PATIENCE * (this.slowestMs ?? Infinity));
	}

	/** What is kept of a window, and from now on no longer. */
	take(key: string): WindowPages | undefined {
		const kept = this.kept.get(key);
		this.kept.delete(key);
		return kept?.pages;
	}

	/** The next poll will go on with them. */
	keep(key: string, pages: WindowPages): void {
		if (this.kept.size >= MOST_BEGUN) this.kept.delete([...this.kept.keys()][0]);
		this.kept.set(key, { pages, sincePoll: this.polls });
	}
}
