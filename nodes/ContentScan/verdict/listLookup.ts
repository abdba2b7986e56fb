import type { CallContext } from '../../../transport/call';
import { PAGE_SIZE, scanPages } from '../../../services/scanning/scanList';
import type { ScanRecord } from '../../../services/scanning/scanRecord';
import {
	createdTime,
	finishedTime,
	isFinished,
	matchStrength,
	recordIds,
	representative,
} from '../../../services/scanning/scanRecord';
import type { ScanService } from '../../../services/scanning/scanService';
import { hasNoAnswer, mayBeTooLong } from './lookupFailure';

export interface ListedScan {
	scanId: string;
	/** Between which times the service noted it as created, in milliseconds of the service's clock. */
	listFrom: number;
	listTo: number;
}

export interface Lookup {
	/** The record that stands for a scan among all that carry its ID, by that ID. */
	records: Map<string, ScanRecord>;
	/** IDs of which no own record was seen in the part of the list that was read, and not all was. */
	incomplete: Set<string>;
	failure?: Error;
	/** Whether the service refused a window, where it may give a shorter one. */
	isTooLong: boolean;
	/** Whether windows were asked for, and none was answered in time. */
	isSilent: boolean;
}

/** A part of the list, in epoch seconds, both inclusive, with the IDs of the scans that may lie in it. */
interface LookupWindow {
	start: number;
	end?: number;
	ids: Set<string>;
}

/** Pages of one window. Windows of more entries gave errors in one production collector. */
export const PAGES_PER_WINDOW = 10;

/** Windows that one lookup asks for without an answer, at most: the service may hang at one moment only. */
const MOST_SILENT = 3;

/** A time of creation may be told without its time zone. */
const DAY_MS = 86_400_000;

/**
 * Whether a record is of a scan that was there before, by when it was created or, where it does not say so,
 * finished: an ID may be another's, too.
 * @param listFrom As in `ListedScan`.
 */
export function isOlder(record: ScanRecord, listFrom: number): boolean {
	const finished = isFinished(record) ? finishedTime(record) : undefined;
	// A `timestamp` may be that of the email.
	const time = createdTime({ created_at: record.created_at }) ?? finished ?? Infinity;
	return time < listFrom - DAY_MS;
}

/**
 * The windows of the list in which scans may lie: one, from the earliest on, or as many of a given
 * length as it takes. Time in which nothing was submitted is in none of them.
 * @param span Length of a window in seconds.
 */
export function lookupWindows(scans: ListedScan[], span: number | undefined): LookupWindow[] {
	const stretches = scans
		.map(({ scanId, listFrom, listTo }) => ({
			scanId,
			from: Math.floor(listFrom / 1000),
			to: Math.ceil(listTo / 1000),
		}))
		.sort((a, b) => a.from - b.from);
	if (span === undefined) {
		return [{ start: stretches[0].from, ids: new Set(scans.map(({ scanId }) => scanId)) }];
	}
	const windows: LookupWindow[] = [];
	let covered = -Infinity;
	for (const { scanId, from, to } of stretches) {
		// A window begins with the last second of the one before: where a service does not count that
		// second in, nothing falls between them.
		for (let start = Math.max(from, covered); covered < to; start = covered) {
			covered = start + span;
			windows.push({ start, end: covered, ids: new Set() });
		}
		for (const { start, end = Infinity, ids } of windows) {
			if (start <= to && end >= from) ids.add(scanId);
		}
	}
	return windows;
}

/**
 * Finds scans in the list, window by window, each until the own record of every scan was seen. A
 * window that the service cannot give does not hide the others.
 * @param context Called before every page.
 */
export async function lookUpScans(
	scans: ScanService,
	windows: LookupWindow[],
	context: () => CallContext,
): Promise<Lookup> {
	const wanted = new Set(windows.flatMap((window) => [...window.ids]));
	const records: Lookup['records'] = new Map();
	const listFrom = 1000 * Math.min(...windows.map(({ start }) => start));
	const note = (page: ScanRecord[]) => {
		const found = new Map<string, ScanRecord[]>();
		for (const record of page) {
			if (isOlder(record, listFrom)) continue;
			for (const id of recordIds(record)) {
				if (!wanted.has(id)) continue;
				const known = found.get(id) ?? [records.get(id)].filter((one) => one !== undefined);
				known.push(record);
				found.set(id, known);
			}
		}
		for (const [id, all] of found) records.set(id, representative(all, id)!);
	};
	const isUnseen = (id: string) => {
		const record = records.get(id);
		return record === undefined || matchStrength(record, id) !== 'own';
	};
	const partlyRead = new Set<string>();
	let failure: Error | undefined;
	let asked = 0;
	let silent = 0;
	let isTooLong = false;
	const mayGoOn = () =>
		failure === undefined ||
		mayBeTooLong(failure) ||
		(hasNoAnswer(failure) && silent < MOST_SILENT);
	for (const window of windows) {
		const unseen = [...window.ids].filter(isUnseen);
		if (unseen.length === 0) continue;
		let isRead = false;
		if (mayGoOn()) {
			asked++;
			const query = { start: window.start, end: window.end, limit: PAGE_SIZE };
			const pages = scanPages(scans, query, context, 'read the verdict');
			try {
				isRead = await readWindow(pages, note, () => !unseen.some(isUnseen));
			} catch (error) {
				failure = error as Error;
				if (hasNoAnswer(error)) silent++;
				isTooLong ||= mayBeTooLong(error);
			}
		}
		if (!isRead) for (const id of unseen) partlyRead.add(id);
	}
	const incomplete = new Set([...partlyRead].filter(isUnseen));
	const isSilent = silent > 0 && silent === asked;
	return { records, incomplete, failure, isTooLong, isSilent };
}

/** @returns Whether no wanted record can follow after the pages that were read. */
async function readWindow(
	pages: ReturnType<typeof scanPages>,
	note: (page: ScanRecord[]) => void,
	isDone: () => boolean,
): Promise<boolean> {
	let read = 0;
	for await (const page of pages) {
		note(page.records);
		if (isDone()) return true;
		if (++read === PAGES_PER_WINDOW) return !page.more;
	}
	return true;
}
