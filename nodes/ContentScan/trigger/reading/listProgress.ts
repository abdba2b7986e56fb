import type { FeedState } from './feedState';
import { ListEnds } from './listEnds';
import type { ListWindow, WindowContent } from './listWindow';
import { isRetry, lengthOf } from './listWindow';
import type { PollTime } from './pollTime';
import { RefusedStretches } from './refusedStretches';
import { WindowSpan } from './windowSpan';

/** How late the list may show a scan after its creation, in seconds. */
const LISTED_WITHIN = 600;

/** How far past the present a window reaches, in seconds: clocks differ. */
const AHEAD = 600;

/** How far the list was read for new scans, and what the service refused of it. */
export class ListProgress {
	/** Whether the service gave any window. Without that nothing is known of what is new. */
	hasRead = false;
	settledTo: number;
	readonly refused: RefusedStretches;
	readonly span: WindowSpan;
	readonly ends: ListEnds;
	/** New scans were read up to here, those included that may still be listed late. */
	private readTo: number;
	private newIsBlocked = false;
	/** Whether the service answers at all, where the shortest window there is was refused first. */
	private probe: 'notNeeded' | 'due' | 'refused' = 'notNeeded';

	constructor(
		private readonly before: FeedState,
		private readonly time: PollTime,
		watchSeconds: number,
	) {
		this.refused = new RefusedStretches(before.refused ?? [], watchSeconds);
		this.span = new WindowSpan(before);
		this.ends = new ListEnds(before);
		this.settledTo = this.readTo = before.settledTo;
	}

	get hasReadNew(): boolean {
		return this.readTo > this.before.settledTo;
	}

	get newWindow(): ListWindow | undefined {
		const { latest } = this.time;
		const { start, end } = this.refused.readableFrom(this.readTo);
		if (this.newIsBlocked || (this.hasReadNew && start >= latest)) return undefined;
		const horizon = Math.max(latest, start) + AHEAD;
		return { start, end: Math.min(start + this.span.seconds, horizon, end), kind: 'new' };
	}

	get retryWindow(): ListWindow | undefined {
		return this.refused.window(this.time.earliest, this.span.seconds);
	}

	/** What must be read before anything else; `isDown`: nothing can be. */
	get first(): { isDown?: true; window?: ListWindow } {
		if (this.probe === 'notNeeded') return {};
		if (this.probe === 'refused') return { isDown: true };
		// What was created this very second is of no interest yet.
		const { latest } = this.time;
		return { window: { start: latest - 1, end: latest, kind: 'probe' } };
	}

	/** The service gave a window, or a part of it. */
	hear({ toldAt }: WindowContent): void {
		if (!this.hasRead && toldAt !== undefined) this.time.hear(toldAt, this.before.settledTo);
		this.hasRead = true;
		this.probe = 'notNeeded';
	}

	/** A window was read whole, and held so many scans. */
	wasRead(window: ListWindow, count: number): void {
		const { start, end, kind } = window;
		const { n8nTime, earliest } = this.time;
		if (isRetry(window)) {
			this.refused.wasRead(window, earliest, earliest >= end + LISTED_WITHIN);
		} else if (kind === 'new') {
			this.readTo = end;
			this.settle(start, end);
		}
		this.span.adapt(window, count, n8nTime);
	}

	wasCut(window: ListWindow): void {
		if (isRetry(window)) this.refused.wasRefused(window, this.time.earliest);
		else if (lengthOf(window) > 1) this.span.divide(window, this.time.n8nTime);
		else if (window.kind === 'new') this.newIsBlocked = true;
	}

	/**
	 * The service did not give a window: perhaps it is too long, or holds a scan that it cannot show.
	 * What follows from it counts only if the service gives another one.
	 */
	wasRefused(window: ListWindow): void {
		const { n8nTime, earliest } = this.time;
		if (window.kind === 'probe') this.probe = 'refused';
		else if (isRetry(window)) this.refused.wasRefused(window, earliest);
		else if (lengthOf(window) > 1) this.span.divide(window, n8nTime);
		else {
			const end = this.refused.setAside(window, earliest, earliest - LISTED_WITHIN);
			if (window.kind === 'new') this.settle(window.start, end);
			if (!this.hasRead) this.probe = 'due';
			// Its length was not the reason.
			this.span.tooLong = undefined;
		}
	}

	/** A stretch was read, or set aside. Later scans may still be listed in its last minutes. */
	private settle(start: number, end: number): void {
		// What was left out before it is not read yet.
		if (start > this.refused.readableFrom(this.settledTo).start) return;
		this.settledTo = Math.max(this.settledTo, Math.min(end, this.time.earliest - LISTED_WITHIN));
	}
}
