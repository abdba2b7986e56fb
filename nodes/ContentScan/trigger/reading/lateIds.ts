import type { ScanRecord } from '../../../../services/scanning/scanRecord';
import { isFinished, recordVerdict } from '../../../../services/scanning/scanRecord';
import type { ListWindow } from './listWindow';
import type { RememberedScans } from './rememberedScans';
import { PENDING, markOf } from './rememberedScans';
import { digestWithoutId, finishedSecond, hasId, identitiesOf, originIn } from './scanIdentity';

/**
 * A scan may be listed before it has an ID, and its other fields may come late, too. Has it remembered
 * by what a window now shows of it: it is the scan that was remembered with the same fields; if there is
 * none, one without an ID of the same time and names, or without names yet, that may lie in the window and
 * is pending or has the same verdict.
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
	for (const [digest, { from, to }] of scans) {
		const origin = originIn(digest);
		const mayLieHere = from <= end && to >= start;
		if (origin === undefined || !mayLieHere || shown.has(digest)) continue;
		waiting.set(origin, [...(waiting.get(origin) ?? []), digest]);
	}
	if (waiting.size === 0) return;
	// One that finished without an ID never gets one, and one that finished long ago is more likely another.
	const mayBe = (record: ScanRecord) => isUnknown(record) && (hasId(record) || !isFinished(record));
	const finished = (record: ScanRecord) => finishedSecond(record) ?? Infinity;
	for (const record of records.filter(mayBe).sort((a, b) => finished(b) - finished(a))) {
		const marks = [
			PENDING,
			isFinished(record) ? markOf(recordVerdict(record)?.code ?? '') : PENDING,
		];
		const before = [record, { ...record, names: null }]
			.flatMap((one) => waiting.get(originIn(digestWithoutId(one))!) ?? [])
			.find((digest) => marks.includes(scans.get(digest)?.mark ?? ''));
		if (before !== undefined) rename(before, record);
	}
}
