import type { Say } from '../../scripts/progress.cts';

/** One of those that do the same work and are compared. */
export interface Contender {
	name: string;
	/** Does the work once; returns the milliseconds that it took. */
	run(): Promise<number>;
}

/** Milliseconds of each run, by the name of the contender. */
export type Times = Record<string, number[]>;

/**
 * Lets contenders do their work in turns, A B A B …: whatever else slows the machine for a while
 * slows them all.
 */
export async function alternate(
	contenders: readonly Contender[],
	rounds: number,
	say: Say,
): Promise<Times> {
	const times: Times = Object.fromEntries(contenders.map(({ name }) => [name, []]));
	for (let round = 0; round < rounds; round += 1) {
		for (const { name, run } of contenders) {
			const milliseconds = await run();
			times[name].push(milliseconds);
			say(`  ${name}: ${Math.round(milliseconds)} ms`);
		}
	}
	return times;
}

/** How many times as fast as another a contender was, round by round. */
export function speedAgainst(times: Times, contender: string, other: string): number[] {
	return times[other].map((milliseconds, round) => milliseconds / times[contender][round]);
}

/** The middle one; of an even number the mean of the two in the middle. */
export function median(numbers: readonly number[]): number {
	const sorted = [...numbers].sort((one, other) => one - other);
	const middle = sorted.length / 2;
	return (sorted[Math.ceil(middle) - 1] + sorted[Math.floor(middle)]) / 2;
}
