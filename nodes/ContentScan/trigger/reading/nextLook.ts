import type { RememberedScan } from './rememberedScans';

/** A scan that is not finished is looked for again after an eighth of its age, in seconds at least: */
const SHORTEST_INTERVAL = 50;
const PART_OF_AGE = 8;

/** When a scan is looked for again, in epoch seconds: rarely when it is old, and once at the end. */
export function nextLook({ from, to, checked }: RememberedScan, watchSeconds: number): number {
	const next = checked + Math.max(SHORTEST_INTERVAL, (checked - from) / PART_OF_AGE);
	const end = Math.max(to + watchSeconds, checked + SHORTEST_INTERVAL);
	return Math.min(next, end);
}
