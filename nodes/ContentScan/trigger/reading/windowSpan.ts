import { LONGEST_SPAN } from './feedState';
import type { StoredSpan } from './feedState';
import type { ListWindow } from './listWindow';
import { lengthOf } from './listWindow';

/**
 * A window with fewer scans leaves room for a longer one, one with more takes a third page. Shorter
 * windows would spend calls on pages that are half empty, and on the second that two windows share.
 */
const FEW_IN_WINDOW = 160;
const MANY_IN_WINDOW = 200;
const AIM = 180;

/** How much longer or shorter the next window is at most. */
const STEP = 4;

/** When a window that was too long is tried again, in seconds. */
const TRIED_AGAIN_AFTER = 300;

/** How long a window may be: about two pages of scans, and no longer than the service takes. */
export class WindowSpan {
	seconds: number;
	/** A window that the service did not give, or not whole, and when by n8n's clock. */
	tooLong: StoredSpan['tooLong'];

	constructor({ span, tooLong }: StoredSpan) {
		this.seconds = span;
		this.tooLong = tooLong;
	}

	get stored(): StoredSpan {
		return { span: this.seconds, ...(this.tooLong && { tooLong: this.tooLong }) };
	}

	divide(window: ListWindow, now: number): void {
		const long = lengthOf(window);
		this.tooLong = { span: long, at: now };
		this.seconds = Math.max(1, Math.floor(Math.min(this.seconds, long) / STEP));
	}

	adapt(window: ListWindow, count: number, now: number): void {
		const long = lengthOf(window);
		// Both ends are part of the window.
		const fitting = Math.floor(((long + 1) * AIM) / Math.max(1, count)) - 1;
		if (count > MANY_IN_WINDOW) {
			this.seconds = Math.max(1, Math.min(this.seconds, fitting));
		} else if (count < FEW_IN_WINDOW && long >= this.seconds) {
			this.seconds = Math.min(this.longest(now), this.seconds * STEP, fitting);
		}
	}

	private longest(now: number): number {
		const { span, at } = this.tooLong ?? { span: Infinity, at: 0 };
		const isRecent = Math.abs(now - at) < TRIED_AGAIN_AFTER;
		return isRecent ? Math.max(1, Math.min(LONGEST_SPAN, Math.floor(span / 2))) : LONGEST_SPAN;
	}
}
