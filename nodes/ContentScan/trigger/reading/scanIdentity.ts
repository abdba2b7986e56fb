import type { ScanRecord } from '../../../../services/scanning/scanRecord';
import {
	createdTime,
	finishedTime,
	harmRank,
	ownIds,
	rootId,
} from '../../../../services/scanning/scanRecord';
import { digestOf } from '../../../../services/digestOf';
import { SCAN_DIGEST_BYTES } from './packedScans';

/** First byte of the digest of a scan without an ID, and of no other. */
const WITHOUT_ID = '\0';

/** After it come so many bytes for the time of creation; the rest is for the other fields. */
const TIME_BYTES = 3;

/**
 * Digests by which a scan is known, whenever it is read: of each of its own IDs, the short one first,
 * which the list always shows; without any, of what it shows else.
 */
export function identitiesOf(record: ScanRecord): string[] {
	const ids = assignedIds(record);
	if (ids.length === 0) return [digestWithoutId(record)];
	return ids.map((id) => digestOf(`id ${id}`, SCAN_DIGEST_BYTES).replace(/^\0/, '\x01'));
}

/** Whether a scan has got an ID. */
export function hasId(record: ScanRecord): boolean {
	return assignedIds(record).length > 0;
}

/** Until a scan has its ID, 0, -1 or zeros with dashes may stand in its place. */
function assignedIds(record: ScanRecord): string[] {
	return ownIds(record).filter((id) => /[1-9]/.test(id) && !/^-\d+$/.test(id));
}

/** The digest by which a scan is known, or was before it had an ID. */
export function digestWithoutId(record: ScanRecord): string {
	const { names, path } = record;
	const shown = JSON.stringify([
		rootId(record),
		Array.isArray(names) && names[0] ? names : [],
		path,
	]);
	const time = digestOf(String(createdTime(record) ?? shown), TIME_BYTES);
	return WITHOUT_ID + time + digestOf(shown, SCAN_DIGEST_BYTES - TIME_BYTES - 1);
}

/** What the digests of scans without an ID have in common if they were created at the same time. */
export function creationIn(digest: string): string | undefined {
	return digest.startsWith(WITHOUT_ID) ? digest.slice(0, 1 + TIME_BYTES) : undefined;
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
