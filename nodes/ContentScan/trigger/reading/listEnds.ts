import type { ListWindow, WindowContent } from './listWindow';
import { lengthOf } from './listWindow';

/** After so many polls in which the count or the pages promised more, what there is counts as all. */
export const MOST_CUT_SHORT = { byCount: 10, byPages: 30 };

/** What was learned of how the service's lists end. */
export interface ListHabits {
	/** Polls in a row in which the list ended too early, however short the window. */
	cutShort?: number;
	/** Whether `count` was found to say something else than how many scans a window holds. */
	ignoreCount?: boolean;
	/** Whether the pages of every window were found to have no end that the service says. */
	ignoreEnd?: boolean;
}

/**
 * Whether a window was read to its end. A `count` that promises more, and pages without an end, are
 * read again in shorter windows; if the shortest says the same for long, it is this service's habit,
 * and no longer waited for.
 */
export class ListEnds {
	private cutShort = false;
	/** Whether this poll has read a window that can say something about it. */
	private hasRead = false;
	private ignoreCount: boolean;
	private ignoreEnd: boolean;
	/** Whether this poll was the last try of a window, and takes it as it is. */
	tookWithoutEnd = false;

	constructor(private readonly before: ListHabits) {
		this.ignoreCount = before.ignoreCount === true;
		this.ignoreEnd = before.ignoreEnd === true;
	}

	get believesCount(): boolean {
		return !this.ignoreCount;
	}

	/** Notes how a window ended. Returns whether it counts as whole. */
	note(window: ListWindow, content: WindowContent): boolean {
		const { end } = content;
		if (window.showsNew) this.hasRead = true;
		// A service whose lists do end must not be taken for one whose lists never do.
		if (end === 'said') this.ignoreEnd = false;
		if (content.isMiscounted) this.ignoreCount = true;
		const isShort = content.repeats || (content.isShort && this.believesCount);
		const isEnd = end === 'said' || (end === 'unclear' && this.ignoreEnd);
		if (isEnd && !isShort) return true;
		if (lengthOf(window) > 1 || !window.showsNew || end === 'brokenOff') return false;
		this.cutShort = true;
		const most = isEnd ? MOST_CUT_SHORT.byCount : MOST_CUT_SHORT.byPages;
		if (this.polls < most) return false;
		this.tookWithoutEnd = true;
		if (isEnd) this.ignoreCount = true;
		if (end === 'unclear') this.ignoreEnd = true;
		return true;
	}

	private get polls(): number {
		return Math.min(MOST_CUT_SHORT.byPages, (this.before.cutShort ?? 0) + 1);
	}

	get state(): ListHabits {
		const unchanged = this.hasRead ? undefined : this.before.cutShort;
		const cutShort = this.cutShort ? this.polls : unchanged;
		return {
			...(cutShort && { cutShort }),
			...(this.ignoreCount && { ignoreCount: true }),
			...(this.ignoreEnd && { ignoreEnd: true }),
		};
	}
}
