import type { Gaps } from './gaps';
import type { ListWindow } from './listWindow';
import { lengthOf } from './listWindow';
import { lookInterval } from './lookInterval';
import type { RememberedScan } from './rememberedScans';
import { lookFrom, PENDING } from './rememberedScans';

interface WatchedScans {
	watched: RememberedScan[];
	gaps: Gaps;
	/** Longest window, in seconds. */
	span: number;
}

/** The window of the scan that has waited longest for a look that is due; `now` in epoch seconds. */
export function watchedWindow(
	scans: WatchedScans,
	now: number,
	watchSeconds: number,
): ListWindow | undefined {
	let first: RememberedScan | undefined;
	let firstLook = now;
	for (const scan of scans.watched) {
		// A clock that was ahead when it was looked for must not put off the next look.
		const look = scan.checked > now ? now : nextLook(scan, watchSeconds);
		const isLater = look === firstLook && scan.checked > (first?.checked ?? Infinity);
		if (look > firstLook || isLater) continue;
		first = scan;
		firstLook = look;
	}
	return first && { ...around(first, scans), kind: 'watched', showsNew: false };
}

/** The window of the oldest scan that has not finished. One that may be in a gap stays. */
export function oldestWindow(scans: WatchedScans): ListWindow | undefined {
	let oldest: RememberedScan | undefined;
	for (const scan of scans.watched) {
		if (scan.mark !== PENDING || scans.gaps.anyBeside(scan)) continue;
		if (scan.from < (oldest?.from ?? Infinity)) oldest = scan;
	}
	return oldest && { ...around(oldest, scans), kind: 'oldest', showsNew: false };
}

/** When a scan is looked for again, in epoch seconds: once more when its watch ends. */
function nextLook({ from, to, checked }: RememberedScan, watchSeconds: number): number {
	const end = Math.max(to + watchSeconds, checked + lookInterval(0));
	return Math.min(checked + lookInterval(checked - from), end);
}

/** The part of a scan's time in which it is looked for next. */
export function nextPart(
	scan: RememberedScan,
	{ gaps, span }: Pick<WatchedScans, 'gaps' | 'span'>,
): Pick<ListWindow, 'start' | 'end'> {
	const from = lookFrom(scan);
	const readable = gaps.readableFrom(from);
	const { start } = readable;
	const end = Math.min(scan.to + 1, readable.end);
	// Behind a gap the end is read first: what is left of its time stays in one piece. Between two, the beginning.
	if (start > from && scan.to < readable.end) return { start: Math.max(start, end - span), end };
	return { start, end: Math.min(end, start + span) };
}

/** The watched scans that were created about the same time cost no call of their own. */
function around(
	scan: RememberedScan,
	{ watched, gaps, span }: WatchedScans,
): Pick<ListWindow, 'start' | 'end'> {
	let { start, end } = nextPart(scan, { gaps, span });
	const readable = gaps.readableFrom(lookFrom(scan));
	const spare = span - lengthOf({ start, end });
	const earliest = Math.max(start - spare / 2, gaps.readableSince(start));
	const latest = Math.min(earliest + span, readable.end);
	for (const other of watched) {
		if (other.from < earliest || other.to >= latest) continue;
		start = Math.min(start, other.from);
		end = Math.max(end, other.to + 1);
	}
	return { start, end: Math.min(end, readable.end) };
}
