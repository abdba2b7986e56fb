import type { ScanRecord } from '../../../../services/scanning/scanRecord';
import { finishedTime, harmRank, ownIds } from '../../../../services/scanning/scanRecord';
import { digestOf } from '../../../../services/digestOf';
import { SCAN_DIGEST_BYTES } from './packedScans';

/**
 * Digests by which a scan is known, whenever it is read: of each of its own IDs, the short one first,
 * which the list always shows; without any, of what does not change while it is scanned.
 */
export function identitiesOf(record: ScanRecord): string[] {
	const ids = ownIds(record);
	if (ids.length === 0) return [identityWithoutId(record)];
	return ids.map((id) => digestOf(`id ${id}`, SCAN_DIGEST_BYTES));
}

/** The digest by which a scan is known before it has an ID. */
export function identityWithoutId({ root_scan_id, created_at, names, path }: ScanRecord): string {
	return digestOf(JSON.stringify([root_scan_id, created_at, names, path]), SCAN_DIGEST_BYTES);
}

/** Of several records of one scan the worst, in the place of the first: another may call it clean. */
export function worstOfEach(records: ScanRecord[]): ScanRecord[] {
	const places = new Map<string, number>();
	const worst: ScanRecord[] = [];
	for (const record of records) {
		const identities = identitiesOf(record);
		const known = identities.find((identity) => places.has(identity)) ?? '';
		const place = places.get(known) ?? worst.length;
		for (const identity of identities) places.set(identity, place);
		const other = worst[place];
		worst[place] = other && harmRank(other) <= harmRank(record) ? other : record;
	}
	return worst;
}

/** When a scan finished, in epoch seconds, as its record says it. */
export function finishedSecond(record: ScanRecord): number | undefined {
	const time = finishedTime(record);
	return time === undefined ? undefined : Math.floor(time / 1000);
}
