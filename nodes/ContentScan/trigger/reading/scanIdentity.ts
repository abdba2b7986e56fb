import type { ScanRecord } from '../../../../services/scanning/scanRecord';
import { finishedTime, harmRank, ownIds, rootId } from '../../../../services/scanning/scanRecord';
import { digestOf } from '../../../../services/digestOf';
import { SCAN_DIGEST_BYTES } from './packedScans';

/**
 * Digests by which a scan is known, whenever it is read: of each of its own IDs, the short one first,
 * which the list always shows; without any, of what does not change while it is scanned.
 */
export function identitiesOf(record: ScanRecord): string[] {
	const ids = assignedIds(record);
	if (ids.length === 0) return [identityWithoutId(record)];
	return ids.map((id) => digestOf(`id ${id}`, SCAN_DIGEST_BYTES));
}

/** Whether a scan has got an ID. */
export function hasId(record: ScanRecord): boolean {
	return assignedIds(record).length > 0;
}

/** Until a scan has its ID, 0, -1 or zeros with dashes may stand in its place. */
function assignedIds(record: ScanRecord): string[] {
	return ownIds(record).filter((id) => /[1-9]/.test(id) && !/^-\d+$/.test(id));
}

/** The digest by which a scan is known before it has an ID. */
export function identityWithoutId(record: ScanRecord): string {
	const { created_at, names, path } = record;
	const known = [rootId(record), created_at, Array.isArray(names) && names[0] ? names : [], path];
	return digestOf(JSON.stringify(known), SCAN_DIGEST_BYTES);
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
