import { describeFailure } from './actionableError.cts';
import { Interrupted, watchForInterruption } from './demo/interruption.cts';
import type { Teardown } from './demo/teardown.cts';
import type { Say } from './progress.cts';

const EXIT_INTERRUPTED = 130;

/**
 * Waits for the work or a signal, ends everything that runs, and says what went wrong.
 * @param work Ends with the exit code.
 */
export async function untilDone(
	work: Promise<number>,
	teardown: Teardown,
	say: Say,
): Promise<number> {
	const interruption = watchForInterruption(() => process.exit(EXIT_INTERRUPTED));
	let code: number;
	try {
		code = await interruption.race(work);
	} catch (error) {
		code = error instanceof Interrupted ? EXIT_INTERRUPTED : 1;
		if (error instanceof Interrupted) say(`\n${error.message} Stopping n8n and the sandbox …`);
		else console.error(`\n${describeFailure(error)}`);
	}
	try {
		await teardown.run();
	} catch (error) {
		console.error(`Not everything could be ended. ${describeFailure(error)}`);
		code = code || 1;
	}
	interruption.release();
	return code;
}
