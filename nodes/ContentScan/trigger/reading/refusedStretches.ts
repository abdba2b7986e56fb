import type { ListWindow } from './listWindow';
import { lengthOf, showsNew } from './listWindow';
import { lookInterval } from './lookInterval';

/** A stretch of the list, from `start` to before `end`, that the service refused. Epoch seconds. */
export interface RefusedStretch {
	readonly start: number;
	readonly end: number;
	/** The kind of window in which it is tried again. */
	readonly kind: 'retryNew' | 'retryPending';
	/** When it was refused first, and last. */
	readonly since: number;
	readonly checked: number;
}

/** Most stretches: of more, the oldest are given up. */
const MOST_STRETCHES = 50;

/**
 * The stretches that the service refused, in windows however short, while it answered for others: one
 * scan that it cannot show must not keep all later ones back. They are tried again in halves.
 */
export class RefusedStretches {
	/** @param watchSeconds For how long a stretch is tried again. */
	constructor(
		private stretches: readonly RefusedStretch[],
		private readonly watchSeconds: number,
	) {}

	/** As n8n stores them, in the order of their times. */
	get all(): readonly RefusedStretch[] {
		return this.stretches;
	}

	/** The readable seconds from a moment on: where they begin, and what ends them. */
	readableFrom(moment: number): { start: number; end: number } {
		let start = moment;
		let end = Infinity;
		for (const stretch of this.stretches) {
			if (stretch.start <= start) start = Math.max(start, stretch.end);
			else end = Math.min(end, stretch.start);
		}
		return { start, end };
	}

	/** How far back a window may begin that ends after a moment. */
	readableSince(moment: number): number {
		const ends = this.stretches.map(({ end }) => end).filter((end) => end <= moment);
		return Math.max(-Infinity, ...ends);
	}

	/** Whether scans of these seconds may be read once more as new. */
	touches(from: number, to: number): boolean {
		return this.stretches.some(({ start, end }) => from <= end + 1 && to >= start - 1);
	}

	/**
	 * The shortest window there is was refused. Where new scans are looked for, ever longer parts of a
	 * stretch that is refused are set aside, so that it is passed soon.
	 * @param most Up to where more than the window may be set aside.
	 * @returns Where to go on.
	 */
	setAside(window: ListWindow, now: number, most: number): number {
		const { start } = window;
		const isNew = showsNew(window);
		const longer = isNew ? Math.min(start + (start - this.beginOf(start)), most) : 0;
		const end = Math.max(window.end, longer);
		this.put({ start, end, kind: isNew ? 'retryNew' : 'retryPending', since: now, checked: now });
		return end;
	}

	/** Where the stretches begin that lead up to a moment without a gap. */
	private beginOf(moment: number): number {
		let begin = moment;
		for (const { start, end } of [...this.stretches].reverse()) if (end === begin) begin = start;
		return begin;
	}

	/** The next window in which a stretch is tried again. */
	window(now: number, span: number): ListWindow | undefined {
		const [stretch] = this.stretches
			.filter((stretch) => now < stretch.checked || now >= this.nextTry(stretch))
			.sort((a, b) => a.checked - b.checked);
		if (!stretch) return undefined;
		const { start, end, kind } = stretch;
		return { start, end: Math.min(end, start + span), kind };
	}

	/** Ever more rarely, and once more at the end. */
	private nextTry({ since, checked }: RefusedStretch): number {
		return Math.min(checked + lookInterval(checked - since), since + this.watchSeconds);
	}

	/** @param isFinal Whether no scan is listed later in the window, which was read whole. */
	wasRead({ start, end }: ListWindow, now: number, isFinal: boolean): void {
		const stretch = this.take(start);
		if (!stretch) return;
		if (!isFinal) this.put({ ...stretch, checked: now });
		else if (end < stretch.end) this.put({ ...stretch, start: end });
	}

	wasRefused(window: ListWindow, now: number): void {
		const stretch = this.take(window.start);
		if (!stretch) return;
		const middle = window.start + Math.ceil(lengthOf(window) / 2);
		if (middle >= stretch.end || this.stretches.length + 2 > MOST_STRETCHES) {
			return this.put({ ...stretch, checked: now });
		}
		this.put({ ...stretch, end: middle, checked: now });
		this.put({ ...stretch, start: middle, checked: now });
	}

	/** Takes out those that are tried no more: refused for long enough, or too many. */
	takeExpired(): RefusedStretch[] {
		const surplus = this.stretches.length - MOST_STRETCHES;
		const isOver = ({ since, checked }: RefusedStretch, index: number) =>
			checked >= since + this.watchSeconds || index < surplus;
		const expired = this.stretches.filter(isOver);
		this.stretches = this.stretches.filter((stretch) => !expired.includes(stretch));
		return expired;
	}

	put(stretch: RefusedStretch): void {
		this.stretches = [...this.stretches, stretch].sort((a, b) => a.start - b.start);
	}

	private take(start: number): RefusedStretch | undefined {
		const found = this.stretches.find((stretch) => stretch.start === start);
		this.stretches = this.stretches.filter((stretch) => stretch !== found);
		return found;
	}
}
