import type { ScanRecord } from '../../../../services/scanning/scanRecord';
import { isFinished, recordVerdict } from '../../../../services/scanning/scanRecord';
import type { ListWindow } from './listWindow';
import type { Mark, RememberedScans } from './rememberedScans';
import { PENDING, markOf } from './rememberedScans';
import type { ShownScan } from './scanIdentity';
import { creationIn, creationOf, digestWithoutId, finishedSecond, hasId } from './scanIdentity';

/**
 * A scan may be listed before it has an ID, and its other fields may come late, too. Has it remembered
 * by what a window now shows of it: it is the scan that was remembered with the same fields; if there is
 * none, one without an ID of the same time and names, or without names yet, that may lie in the window and
 * is pending or has the same verdict.
 * @param shownScans What the window shows. What is remembered and shown by itself is no other scan.
 * @param isCut Whether it may hold more than it shows: then what it does not show may still be in it.
 */
export function noteLateIds(
	scans: RememberedScans,
	shownScans: ShownScan[],
	window: ListWindow,
	isCut: boolean,
): void {
	const shown = new Set(shownScans.flatMap(({ identities }) => identities));
	const isUnknown = ({ identities }: ShownScan) => !identities.some((one) => scans.has(one));
	const rename = (before: string, { identities }: ShownScan) => {
		scans.set(identities[0], scans.get(before)!);
		scans.delete(before);
	};

	for (const scan of shownScans) {
		const before = digestWithoutId(scan.record);
		const isLate = hasId(scan.record) && scans.has(before) && !shown.has(before);
		if (isLate && isUnknown(scan)) rename(before, scan);
	}

	// Where no new ones are, those that were delivered long ago are unknown, too.
	if (isCut && !window.showsNew) return;
	const unseen = unseenWithoutId(scans, window, shown);
	if (unseen.size === 0) return;
	for (const scan of lastFinishedFirst(shownScans.filter(isUnknown))) {
		const before = earlierForms(scan.record, isCut)
			.map((form) => unseen.get(form) ?? [])
			.find((digests) => digests.length > 0)
			?.pop();
		if (before !== undefined) rename(before, scan);
	}
}

/** By which time, names and mark a record that nothing is known of may be remembered. */
function earlierForms(record: ScanRecord, isCut: boolean): string[] {
	const creations = [creationIn(digestWithoutId(record))!, creationOf(record, [])];
	// What has finished without an ID gets none: a pending one with all else in common is another.
	const getsNoId = isFinished(record) && !hasId(record);
	const pending = creations.filter((creation) => !(getsNoId && creation === creations[0]));
	const told = isCut ? [] : creations;
	return [
		...pending.map((creation) => creation + PENDING),
		...told.map((creation) => creation + markOfRecord(record)),
	];
}

/** Digests of what may lie in a window that does not show it, by time and names, and by mark. */
function unseenWithoutId(
	scans: RememberedScans,
	{ start, end }: ListWindow,
	shown: Set<string>,
): Map<string, string[]> {
	const unseen = new Map<string, string[]>();
	for (const [digest, { mark, from, to }] of scans) {
		const creation = creationIn(digest);
		const mayLieHere = from <= end && to >= start;
		if (creation === undefined || !mayLieHere || shown.has(digest)) continue;
		const alike = unseen.get(creation + mark) ?? [];
		alike.push(digest);
		unseen.set(creation + mark, alike);
	}
	return unseen;
}

/** What finished long ago is more likely another scan of the same time. */
function lastFinishedFirst(scans: ShownScan[]): ShownScan[] {
	return scans
		.map((scan) => ({ scan, finished: finishedSecond(scan.record) ?? Infinity }))
		.sort((a, b) => b.finished - a.finished)
		.map(({ scan }) => scan);
}

/** The mark of what a record says. */
export function markOfRecord(record: ScanRecord): Mark {
	return isFinished(record) ? markOf(recordVerdict(record)?.code ?? '') : PENDING;
}
