import type { Parameters as FastCheckParameters } from 'fast-check';

/**
 * How often a property is tried: `runs` times from a fixed seed. The environment asks for more:
 * FC_SEED (a number) for other cases, FC_RUNS (a number) for more of them. A case that
 * fails is shown as it is: to find a shorter one takes a quarter of an hour.
 */
export function propertyRuns<T>(runs: number): FastCheckParameters<T> {
	const { FC_SEED = '20240', FC_RUNS = String(runs) } = process.env;
	return { seed: Number(FC_SEED), numRuns: Number(FC_RUNS), endOnFailure: true };
}
