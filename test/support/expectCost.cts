import { processorTime } from './processorTime.cts';

const RUNS = 3;

/**
 * Fails when `work` takes `seconds` of processor time or more, the best of three runs: what else the
 * machine does makes one of them slower, what is wrong with the code all. A bound is several times what
 * the work takes, as a machine may be slower, too.
 */
export async function expectCost(seconds: number, work: () => unknown): Promise<void> {
	let least = Infinity;
	for (let run = 0; run < RUNS && least >= seconds; run++) {
		const before = processorTime();
		await work();
		least = Math.min(least, (processorTime() - before) / 1_000_000);
	}
	expect(least).toBeLessThan(seconds);
}
