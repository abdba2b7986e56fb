import type { ScanRecord } from '../../../../services/scanning/scanRecord';
import {
	assignedIds,
	createdTime,
	finishedTime,
	harmRank,
	rootId,
} from '../../../../services/scanning/scanRecord';
import { digestOf } from '../../../../services/digestOf';
import { SCAN_DIGEST_BYTES } from './packedScans';

/** First byte of the digest of a scan without an ID, and of no other. */
const WITHOUT_ID = '\0';

/** After it come so many bytes for the time of creation and the names; the rest is for the other fields. */
const CREATION_BYTES = 3;

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

/** The digest by which a scan is known, or was before it had an ID. */
export function digestWithoutId(record: ScanRecord): string {
	const { path } = record;
	const others = JSON.stringify([rootId(record), path]);
	const creation = JSON.stringify([createdTime(record) ?? others, namesIn(record)]);
	const otherBytes = SCAN_DIGEST_BYTES - CREATION_BYTES - WITHOUT_ID.length;
	return WITHOUT_ID + digestOf(creation, CREATION_BYTES) + digestOf(others, otherBytes);
}

function namesIn({ names }: ScanRecord): unknown[] {
	return Array.isArray(names) && names[0] ? names : [];
}

/** What of a digest is the time of creation and the names; `undefined` of a scan with an ID. */
export function creationIn(digest: string): string | undefined {
	return digest.startsWith(WITHOUT_ID)
		? digest.slice(0, WITHOUT_ID.length + CREATION_BYTES)
		: undefined;
}

/** Of several records of one scan the worst, in the place of the first: another may call it clean. */
export function worstOfEach(records: ScanRecord[]): ScanRecord[] {
	const places = new Map<string, number>();
	const worst: Array<{ record: ScanRecord; rank: number }> = [];
	for (const record of records) {
		const identities = identitiesOf(record);
		const known = identities.find((identity) => places.has(identity)) ?? '';
		const place = places.get(known) ?? worst.length;
		for (const identity of identities) places.set(identity, place);
		const rank = harmRank(record);
		if (rank < (worst[place]?.rank ?? Infinity)) worst[place] = { record, rank };
	}
	return worst.map(({ record }) => record);
}

/** When a scan finished, in epoch seconds, as its record says it. */
export function finishedSecond(record: ScanRecord): number | undefined {
	const time = finishedTime(record);
	return time === undefined ? undefined : Math.floor(time / 1000);
}
