import type { Say } from '../../scripts/progress.cts';

/** One of those that do the same work and are compared. */
export interface Contender {
	name: string;
	/** Does the work once. */
	run(): Promise<RunTime>;
}

/** Runs of each before it is measured: by then what it runs is loaded and compiled. */
export const WARM_UP_RUNS = 3;

/** Milliseconds that a run took. */
export interface RunTime {
	milliseconds: number;
	/** Of a part that is of interest by itself, where there is one: up to the last request, say. */
	reading?: number;
}

/** Milliseconds of each run, by the name of the contender. */
export type Times = Record<string, number[]>;

/** The times of the whole runs, and those of the part. */
export interface Rounds {
	whole: Times;
	reading: Times;
}

/**
 * Lets contenders do their work in turns, A B C, B C A, …: whatever else slows the machine for a while
 * slows them all, and none is always the first.
 */
export async function alternate(
	contenders: readonly Contender[],
	rounds: number,
	say: Say,
): Promise<Rounds> {
	const none = (): Times => Object.fromEntries(contenders.map(({ name }) => [name, []]));
	const times: Rounds = { whole: none(), reading: none() };
	for (let round = 0; round < rounds; round += 1) {
		const first = round % contenders.length;
		const turns = [...contenders.slice(first), ...contenders.slice(0, first)];
		for (const { name, run } of turns) {
			const { milliseconds, reading } = await run();
			times.whole[name].push(milliseconds);
			if (reading !== undefined) times.reading[name].push(reading);
			say(`  ${name}: ${Math.round(milliseconds)} ms`);
		}
	}
	return times;
}

/** Runs that are not measured. */
export async function warmUp(contenders: readonly Contender[], runs = WARM_UP_RUNS): Promise<void> {
	await alternate(contenders, runs, () => {});
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
