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

/** Made once for each record, whose names may be many. */
const digestsWithoutId = new WeakMap<ScanRecord, string>();

/** The digest by which a scan is known, or was before it had an ID. */
export function digestWithoutId(record: ScanRecord): string {
	const digest = digestsWithoutId.get(record) ?? digestOfFields(record);
	digestsWithoutId.set(record, digest);
	return digest;
}

function digestOfFields(record: ScanRecord): string {
	const otherBytes = SCAN_DIGEST_BYTES - CREATION_BYTES - WITHOUT_ID.length;
	return creationOf(record, namesIn(record)) + digestOf(otherFields(record), otherBytes);
}

function otherFields(record: ScanRecord): string {
	return JSON.stringify([rootId(record), record.path]);
}

/** What of the digest of a scan without an ID is the time of creation and the names. */
export function creationOf(record: ScanRecord, names: unknown[]): string {
	const creation = JSON.stringify([createdTime(record) ?? otherFields(record), names]);
	return WITHOUT_ID + digestOf(creation, CREATION_BYTES);
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

/** A scan as a window shows it. */
export interface ShownScan {
	/** Of its records the worst: another may call it clean. */
	record: ScanRecord;
	/** Of all its records: they may have their long ID in common, and differ in the short one. */
	identities: string[];
}

/** The scans that records are of, each in the place of its first: those that have any ID in common are one. */
export function shownScans(records: ScanRecord[]): ShownScan[] {
	/** For each record, one of the same scan that comes no later. */
	const earlier: number[] = [];
	const firstOf = (record: number): number => {
		let first = record;
		while (earlier[first] !== first) first = earlier[first] = earlier[earlier[first]];
		return first;
	};
	const firstWith = new Map<string, number>();
	records.forEach((record, place) => {
		earlier.push(place);
		for (const identity of identitiesOf(record)) {
			const known = firstWith.get(identity);
			if (known === undefined) firstWith.set(identity, place);
			else {
				const [one, other] = [firstOf(known), firstOf(place)];
				earlier[Math.max(one, other)] = Math.min(one, other);
			}
		}
	});
	const scans = new Map<number, ShownScan & { rank: number }>();
	records.forEach((record, place) => {
		const scan = scans.get(firstOf(place));
		const rank = harmRank(record);
		if (!scan) scans.set(firstOf(place), { record, identities: [], rank });
		else if (rank < scan.rank) Object.assign(scan, { record, rank });
	});
	for (const [identity, place] of firstWith) scans.get(firstOf(place))!.identities.push(identity);
	return [...scans.values()];
}

/** When a scan finished, in epoch seconds, as its record says it. */
export function finishedSecond(record: ScanRecord): number | undefined {
	const time = finishedTime(record);
	return time === undefined ? undefined : Math.floor(time / 1000);
}
