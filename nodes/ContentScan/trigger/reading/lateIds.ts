import type { ScanRecord } from '../../../../services/scanning/scanRecord';
import { isFinished } from '../../../../services/scanning/scanRecord';
import type { ListWindow } from './listWindow';
import type { RememberedScans } from './rememberedScans';
import { PENDING } from './rememberedScans';
import { creationIn, digestWithoutId, finishedSecond, hasId, identitiesOf } from './scanIdentity';

/**
 * A scan may be listed before it has an ID, and its other fields may come late, too. Has it remembered
 * by what a window now shows of it: it is the scan that was remembered with the same fields; if there is
 * none, a pending one without an ID that was created at the same time, and may lie in the window.
 * @param records All that the window shows. What is remembered and shown by itself is no other scan.
 */
export function noteLateIds(
	scans: RememberedScans,
	records: ScanRecord[],
	{ start, end }: ListWindow,
): void {
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
	for (const [digest, { mark, from, to }] of scans) {
		const creation = creationIn(digest);
		const isWaiting = mark === PENDING && from <= end && to >= start;
		if (creation === undefined || !isWaiting || shown.has(digest)) continue;
		waiting.set(creation, [...(waiting.get(creation) ?? []), digest]);
	}
	if (waiting.size === 0) return;
	// One that finished without an ID never gets one, and one that finished long ago is more likely another.
	const mayBe = (record: ScanRecord) => isUnknown(record) && (hasId(record) || !isFinished(record));
	const finished = (record: ScanRecord) => finishedSecond(record) ?? Infinity;
	for (const record of records.filter(mayBe).sort((a, b) => finished(b) - finished(a))) {
		const before = waiting.get(creationIn(digestWithoutId(record))!)?.shift();
		if (before !== undefined) rename(before, record);
	}
}
