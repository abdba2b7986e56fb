import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { mersenne } from 'pure-rand/generator/mersenne';

/** A stand-in for Math.random with the same numbers in every run. */
export function seededRandom(seed: number): () => number {
	const generator = mersenne(seed);
	return () => uniformFloat64(generator);
}
