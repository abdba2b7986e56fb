import type { ScanRecord } from '../../../../services/scanning/scanRecord';
import type { RememberedScans } from './rememberedScans';
import { PENDING } from './rememberedScans';
import { creationIn, digestWithoutId, finishedSecond, hasId, identitiesOf } from './scanIdentity';

/**
 * A scan may be listed before it has an ID, and its other fields may come late, too. Has it remembered
 * by what a window now shows of it: it is the scan that was remembered with the same fields; if there is
 * none, a pending one without an ID that was created at the same time.
 * @param records All that the window shows. What is remembered and shown by itself is no other scan.
 */
export function noteLateIds(scans: RememberedScans, records: ScanRecord[]): void {
	const shown = new Set(records.flatMap(identitiesOf));
	const isUnknown = (record: ScanRecord) => !identitiesOf(record).some((one) => scans.has(one));
	const rename = (before: string, record: ScanRecord) => {
		scans.set(identitiesOf(record)[0], scans.get(before)!);
		scans.delete(before);
	};

	for (const record of records.filter(hasId)) {
		const before = digestWithoutId(record);
		if (scans.has(before) && !shown.has(before) && isUnknown(record)) rename(before, record);
	}

	const waiting = new Map<string, string[]>();
	for (const [digest, { mark }] of scans) {
		const creation = creationIn(digest);
		if (creation === undefined || mark !== PENDING || shown.has(digest)) continue;
		waiting.set(creation, [...(waiting.get(creation) ?? []), digest]);
	}
	if (waiting.size === 0) return;
	// One that finished long ago is more likely another scan of that time.
	const finished = (record: ScanRecord) => finishedSecond(record) ?? Infinity;
	for (const record of records.filter(isUnknown).sort((a, b) => finished(b) - finished(a))) {
		const before = waiting.get(creationIn(digestWithoutId(record))!)?.shift();
		if (before !== undefined) rename(before, record);
	}
}
