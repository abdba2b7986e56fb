import type { ScanRecord } from '../../../../services/scanning/scanRecord';
import { createdTime } from '../../../../services/scanning/scanRecord';
import { writtenId } from '../../../../services/scanning/writtenId';

/** Part of a page that the window should hold before, and after, the scan that is looked for. */
const AROUND = 0.45;

/** If numbers tell the time, at least this part of a page's range lies between its first scan and its last. */
const LEAST_RISE = 0.9;

/** Longer, a number is not exact. */
const NUMBER = /^\d{1,15}$/;

interface Window {
	start: number;
	end?: number;
}

/**
 * Where the list may have a scan by its number, in epoch seconds: in a busy organization the scan is found
 * in one page, where to read all that was created since would take many. How services number their scans
 * is not published, so this is only where to look first.
 * @param records Scans of one page.
 * @param now Epoch seconds.
 * @param pageSize Scans that the service gives at once.
 */
export function guessedWindow(
	records: ScanRecord[],
	scanId: string,
	now: number,
	pageSize: number,
): Window | undefined {
	if (!NUMBER.test(scanId)) return undefined;
	const known = records.flatMap((record) => {
		const time = createdTime(record);
		const id = writtenId(record.id) ?? '';
		return time !== undefined && NUMBER.test(id) ? [{ number: Number(id), time }] : [];
	});
	const [first, last] = [known[0], known.at(-1)];
	if (!first || !last || last.number <= first.number || last.time <= first.time) return undefined;
	const highest = known.reduce((most, { number }) => Math.max(most, number), -Infinity);
	const lowest = known.reduce((least, { number }) => Math.min(least, number), Infinity);
	const risen = last.number - first.number;
	if (risen < LEAST_RISE * (highest - lowest)) return undefined;
	const passed = last.time - first.time;
	const time = last.time + ((Number(scanId) - last.number) * passed) / risen;
	const around = (AROUND * pageSize * passed) / (known.length - 1);
	const start = Math.floor((Math.min(time, now * 1000) - around) / 1000);
	const end = Math.ceil((time + around) / 1000);
	return { start, end: end < now ? end : undefined };
}
