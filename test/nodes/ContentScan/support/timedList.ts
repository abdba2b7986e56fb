import { Refusal } from './fakeService';
import type { Sent } from './fakeService';

/** A fake list of scans that were created at certain times. */

/** The fake clock's beginning, in milliseconds. */
export const NOW = 1_700_000_000_000;
export const SECOND_NOW = NOW / 1000;
export const DAY = 86_400;

export interface Listing {
	/** Seconds in which scans were created, in order; each scan's ID is its place. */
	seconds: number[];
	count?: boolean;
	createdAt?: boolean;
	/** The service refuses windows with more scans. */
	most?: number;
	/** The service's largest page. */
	largest?: number;
	/** The service counts all, but has nothing more after so many. */
	ends?: number;
	/** What an ID begins with; else it is a number. */
	prefix?: string;
	/** The ID's number by its place, if that is another one. */
	numbered?: (place: number) => number;
	/** Of its last second, a window holds only what was created at the beginning. */
	endsAtBeginning?: boolean;
}

/** A service that lists the oldest first, page after page. */
export function oldestFirst(listing: Listing) {
	const { seconds, count = true, createdAt = true, most, largest = 100, endsAtBeginning } = listing;
	const { ends = Infinity, prefix = '', numbered = (place) => place } = listing;
	return ({ call, address }: Sent): unknown => {
		const query = address ? Object.fromEntries(new URL(address).searchParams) : call?.query;
		const { start, end = Infinity, at = 0 } = query as Record<string, number | undefined>;
		const from = placeOf(seconds, Number(start));
		const to = placeOf(seconds, Number(end) + (endsAtBeginning ? 0 : 1));
		if (most !== undefined && to - from > most) return new Refusal(400);
		const first = from + Number(at);
		const last = Math.min(first + largest, to, from + ends);
		const results = [];
		for (let id = first; id < last; id++) {
			const created_at = new Date(seconds[id] * 1000).toISOString();
			results.push({ id: `${prefix}${numbered(id)}`, ...(createdAt && { created_at }) });
		}
		const rest = `start=${start}&end=${end}&at=${Number(at) + largest}`;
		const next = last < Math.min(to, from + ends) ? `https://s/?${rest}` : null;
		return { results, next, has_more: next !== null, ...(count && { count: to - from }) };
	};
}

/** How many were created before a second. */
function placeOf(seconds: number[], second: number): number {
	let low = 0;
	for (let high = seconds.length; low < high; ) {
		const middle = (low + high) >> 1;
		if (seconds[middle] < second) low = middle + 1;
		else high = middle;
	}
	return low;
}

/** So many scans a minute, from one second to another before now. */
export function steady(perMinute: number, from = DAY, to = 0): number[] {
	const length = Math.floor(((from - to) * perMinute) / 60);
	return Array.from({ length }, (_, n) => SECOND_NOW - from + Math.floor((n * 60) / perMinute));
}
