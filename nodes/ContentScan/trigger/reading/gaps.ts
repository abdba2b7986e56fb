import type { ListWindow } from './listWindow';
import { lengthOf } from './listWindow';
import { lookInterval } from './lookInterval';

/** A part of the list, from `start` to before `end`, that the service refused. Epoch seconds. */
export interface Gap {
	readonly start: number;
	readonly end: number;
	/** Whether its scans are new unless they are remembered. */
	readonly showsNew: boolean;
	/** When it was refused first. */
	readonly since: number;
	/** When it was tried last. */
	readonly checked: number;
}

/** In which a scan was created: both belong to it. Epoch seconds. */
interface Seconds {
	readonly from: number;
	readonly to: number;
}

/** Of more than so many that are apart, the oldest are given up. */
const MOST_GAPS = 500;

/**
 * The parts of the list that the service refused, in windows however short, while it answered for others: one
 * scan that it cannot show must not keep all later ones back. They are tried again in halves.
 */
export class Gaps {
	/** @param watchSeconds For how long a gap is tried again. */
	constructor(
		private gaps: readonly Gap[],
		private readonly watchSeconds: number,
	) {}

	/** As n8n stores them, in the order of their times. */
	get all(): readonly Gap[] {
		return this.gaps;
	}

	/** The readable seconds from a moment on: where they begin, and what ends them. */
	readableFrom(moment: number): { start: number; end: number } {
		let start = moment;
		let end = Infinity;
		for (const gap of this.gaps) {
			if (gap.start <= start) start = Math.max(start, gap.end);
			else {
				end = gap.start;
				break;
			}
		}
		return { start, end };
	}

	/** How far back a window may begin that ends after a moment. */
	readableSince(moment: number): number {
		const ends = this.gaps.map(({ end }) => end).filter((end) => end <= moment);
		return Math.max(-Infinity, ...ends);
	}

	/** Those in which a scan of these seconds may be, or with which it may be read once more. */
	allBeside(scan: Seconds): Gap[] {
		return this.gaps.filter((gap) => isBeside(gap, scan));
	}

	anyBeside(scan: Seconds): boolean {
		return this.gaps.some((gap) => isBeside(gap, scan));
	}

	/**
	 * The shortest window there is was refused. Where new scans are looked for, ever longer parts of a
	 * gap that is refused are set aside, so that it is passed soon.
	 * @param most Up to where more than the window may be set aside.
	 * @returns Where to go on.
	 */
	setAside(window: ListWindow, now: number, most: number): number {
		const { start, showsNew } = window;
		const longer = showsNew ? Math.min(start + (start - this.beginOf(start)), most) : 0;
		const end = Math.max(window.end, longer);
		this.put({ start, end, showsNew, since: now, checked: now });
		return end;
	}

	/** Where the gaps begin that lead up to a moment without a gap. */
	private beginOf(moment: number): number {
		let begin = moment;
		for (const { start, end } of [...this.gaps].reverse()) if (end === begin) begin = start;
		return begin;
	}

	/** The next window in which a gap is tried again. */
	window(now: number, span: number): ListWindow | undefined {
		const [gap] = this.gaps
			.filter((gap) => now < gap.checked || (now > gap.checked && now >= this.nextTry(gap)))
			.sort((a, b) => a.checked - b.checked);
		if (!gap) return undefined;
		const { start, end, showsNew } = gap;
		return { start, end: Math.min(end, start + span), kind: 'gap', showsNew };
	}

	/** Ever more rarely, and once more at the end. */
	private nextTry({ since, checked }: Gap): number {
		return Math.min(checked + lookInterval(checked - since), since + this.watchSeconds);
	}

	/** @param isFinal Whether no scan is listed later in the window, which was read whole. */
	wasRead({ start, end }: ListWindow, now: number, isFinal: boolean): void {
		const gap = this.take(start);
		if (!gap) return;
		if (!isFinal) this.put({ ...gap, checked: now });
		else if (end < gap.end) this.put({ ...gap, start: end });
	}

	wasRefused(window: ListWindow, now: number): void {
		const gap = this.take(window.start);
		if (!gap) return;
		const middle = window.start + Math.ceil(lengthOf(window) / 2);
		if (middle >= gap.end || this.gaps.length + 2 > MOST_GAPS) {
			return this.put({ ...gap, checked: now });
		}
		this.put({ ...gap, end: middle, checked: now });
		this.put({ ...gap, start: middle, checked: now });
	}

	/** Takes out those that are tried no more: refused for long enough, or too many. */
	takeExpired(now: number): Gap[] {
		this.join();
		const surplus = this.gaps.length - MOST_GAPS;
		const isOver = (gap: Gap, index: number) =>
			refusedFor(gap, now) >= this.watchSeconds || index < surplus;
		const expired = this.gaps.filter(isOver);
		this.gaps = this.gaps.filter((gap) => !expired.includes(gap));
		return expired;
	}

	/** Where there are too many, those that follow on each other become one, the shortest first. */
	private join(): void {
		while (this.gaps.length > MOST_GAPS) {
			let shortest: Gap | undefined;
			for (const [at, { start, ...gap }] of this.gaps.entries()) {
				const next = this.gaps.at(at + 1);
				if (next?.start !== gap.end || next.showsNew !== gap.showsNew) continue;
				const joined = {
					...{ start, end: next.end, showsNew: gap.showsNew },
					since: Math.max(gap.since, next.since),
					checked: Math.min(gap.checked, next.checked),
				};
				if (!shortest || lengthOf(joined) < lengthOf(shortest)) shortest = joined;
			}
			if (!shortest) return;
			const { start, end } = shortest;
			this.gaps = this.gaps.filter((gap) => gap.start < start || gap.end > end);
			this.put(shortest);
		}
	}

	put(gap: Gap): void {
		this.gaps = [...this.gaps, gap].sort((a, b) => a.start - b.start);
	}

	/** Takes out the gap that begins at a moment. */
	take(start: number): Gap | undefined {
		const found = this.gaps.find((gap) => gap.start === start);
		this.gaps = this.gaps.filter((gap) => gap !== found);
		return found;
	}
}

function isBeside({ start, end }: Gap, { from, to }: Seconds): boolean {
	return from <= end + 1 && to >= start - 1;
}

/**
 * From its first refusal to the last try, in seconds.
 * @param now A gap that was tried before the service told its time was checked by n8n's clock, which may be ahead.
 */
export function refusedFor({ since, checked }: Gap, now: number): number {
	return Math.min(checked, now) - since;
}
