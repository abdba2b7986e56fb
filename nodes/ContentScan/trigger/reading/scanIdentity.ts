import { parsedTime } from '../../../../input/parsedTime';
import type { ScanRecord } from '../../../../services/scanning/scanRecord';
import { digestOf } from '../../../../services/digestOf';
import { DIGEST_BYTES } from './rememberedScans';

/**
 * Digests by which a scan is known, whenever it is read: of each of its own IDs, since one of them may
 * be missing at times; without any, of what does not change while it is scanned.
 */
export function identitiesOf(record: ScanRecord): string[] {
	const ids = [record.full_scan_id, record.id].filter(
		(id) => (typeof id === 'string' && id.trim() !== '') || typeof id === 'number',
	);
	if (ids.length > 0) return ids.map((id) => digestOf(`id ${String(id).trim()}`, DIGEST_BYTES));
	const { root_scan_id, created_at, names, path } = record;
	return [digestOf(JSON.stringify([root_scan_id, created_at, names, path]), DIGEST_BYTES)];
}

/**
 * When a scan was created, in epoch seconds, as its record says it.
 * @param start Earliest and @param end latest second that it can be, since the list was asked for
 * these; a time beyond them is not what the list goes by.
 */
export function createdSecond(record: ScanRecord, start: number, end: number): number | undefined {
	return firstSecond([record.created_at, record.timestamp], start, end);
}

/** The same of when it finished. */
export function finishedSecond(record: ScanRecord, start: number, end: number): number | undefined {
	return firstSecond([record.finished_at], start, end);
}

function firstSecond(values: unknown[], start: number, end: number): number | undefined {
	for (const value of values) {
		const second = Math.floor((parsedTime(value) ?? NaN) / 1000);
		if (second >= start - 1 && second <= end + 1) return second;
	}
	return undefined;
}
