import type { ListWindow } from './listWindow';
import { lengthOf } from './listWindow';

/** A stretch of the list that the service refused, however short the window. Epoch seconds. */
export interface UnreadStretch {
	/** Scans created at or after this, */
	readonly start: number;
	/** and before this, are not read. */
	readonly end: number;
	/** Whether new scans may be among them, or only such that are remembered. */
	readonly lookFor: 'new' | 'pending';
	/** When it was refused first, and last. */
	readonly since: number;
	readonly checked: number;
}

/** As n8n stores them. */
export type PackedStretch = [
	start: number,
	end: number,
	since: number,
	checked: number,
	lookFor: UnreadStretch['lookFor'],
];

/** Most stretches: of more, the oldest are given up. */
const MOST_STRETCHES = 50;

/** A stretch is tried again after an eighth of the time since it was refused first, in seconds at least: */
const SHORTEST_INTERVAL = 50;
const PART_OF_AGE = 8;

/**
 * The stretches that the service refused while it answered for others: one scan that it cannot show
 * must not keep all later ones back. They are tried again, ever more rarely, in halves.
 */
export class UnreadStretches {
	private stretches: UnreadStretch[];

	constructor(packed: PackedStretch[] = []) {
		this.stretches = packed.map(([start, end, since, checked, lookFor]) => ({
			...{ start, end, since, checked, lookFor },
		}));
	}

	get packed(): PackedStretch[] {
		return this.stretches.map(({ start, end, since, checked, lookFor }) => [
			...([start, end, since, checked, lookFor] as const),
		]);
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
	setAside({ start, end, lookFor }: ListWindow, now: number, most: number): number {
		const isNew = lookFor === 'new';
		const longer = isNew ? Math.min(start + (start - this.beginOf(start)), most) : end;
		const stretch = { start, end: Math.max(end, longer), since: now, checked: now };
		this.put({ ...stretch, lookFor: isNew ? 'new' : 'pending' });
		return stretch.end;
	}

	/** Where the stretches begin that lead up to a moment without a gap. */
	private beginOf(moment: number): number {
		let begin = moment;
		for (const { start, end } of [...this.stretches].reverse()) if (end === begin) begin = start;
		return begin;
	}

	/** The next window in which a stretch is tried again. */
	window(now: number, span: number): ListWindow | undefined {
		const isDue = ({ since, checked }: UnreadStretch) =>
			now >= checked + Math.max(SHORTEST_INTERVAL, (checked - since) / PART_OF_AGE);
		const [stretch] = this.stretches.filter(isDue).sort((a, b) => a.checked - b.checked);
		if (!stretch) return undefined;
		const { start, end, lookFor } = stretch;
		return { start, end: Math.min(end, start + span), lookFor, isRetry: true };
	}

	/** @param isFinal Whether no scan is listed later in the window, which was read whole. */
	read({ start, end }: ListWindow, now: number, isFinal: boolean): void {
		const stretch = this.take(start);
		if (!stretch) return;
		if (!isFinal) this.put({ ...stretch, checked: now });
		else if (end < stretch.end) this.put({ ...stretch, start: end });
	}

	/** It was refused, or not read whole. */
	refused(window: ListWindow, now: number): void {
		const stretch = this.take(window.start);
		if (!stretch) return;
		const long = lengthOf(window);
		const middle = window.start + Math.ceil(long / 2);
		if (middle >= stretch.end || this.stretches.length + 2 > MOST_STRETCHES) {
			return this.put({ ...stretch, checked: now });
		}
		this.put({ ...stretch, end: middle, checked: now });
		this.put({ ...stretch, start: middle, checked: now });
	}

	/** Takes out those that are tried no more: refused for so many seconds, or too many. */
	expired(now: number, seconds: number): UnreadStretch[] {
		const surplus = this.stretches.length - MOST_STRETCHES;
		const isOver = (stretch: UnreadStretch, index: number) =>
			now >= stretch.since + seconds || index < surplus;
		const expired = this.stretches.filter(isOver);
		this.stretches = this.stretches.filter((stretch) => !expired.includes(stretch));
		return expired;
	}

	put(stretch: UnreadStretch): void {
		this.stretches.push(stretch);
		this.stretches.sort((a, b) => a.start - b.start);
	}

	private take(start: number): UnreadStretch | undefined {
		const index = this.stretches.findIndex((stretch) => stretch.start === start);
		return index < 0 ? undefined : this.stretches.splice(index, 1)[0];
	}
}
