import type { ScanRecord } from './scanRecord';
import { createdSecond } from './scanRecord';

/** Calls that a window of the list is taken to need if nothing shows how many. */
export const UNKNOWN_CALLS = 20;

/** The first pages of a window. */
interface WindowBegin {
	/** Oldest first. */
	records: ScanRecord[];
	/** Calls that these took. */
	calls: number;
	/** The last second of the window. */
	end: number;
	/** How many scans the window has, where the service says so. */
	count?: number;
}

/** Of the whole window, by the number of scans that the service tells, else by how much time the pages took up. */
export function callsNeeded({ records, calls, end, count = 0 }: WindowBegin): number {
	if (count > records.length && records.length > 0) return (count / records.length) * calls;
	const [first, last] = [records[0], records.at(-1)].map((record) => createdSecond(record ?? {}));
	if (first === undefined || last === undefined) return UNKNOWN_CALLS;
	const isInOrder = first <= last && last <= end + 1;
	return isInOrder ? ((end - first + 1) / (last - first + 1)) * calls : UNKNOWN_CALLS;
}
