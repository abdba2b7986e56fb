const SHORTEST_INTERVAL = 50;
const PART_OF_AGE = 8;

/**
 * After how long something is looked for again, in seconds: ever more rarely.
 * @param age How old it was when it was last looked for, in seconds.
 */
export function lookInterval(age: number): number {
	return Math.max(SHORTEST_INTERVAL, age / PART_OF_AGE);
}
