import { describeFailure } from '../../../scripts/actionableError.cts';
import { Interrupted, watchForInterruption } from '../../../scripts/demo/interruption.cts';
import { Teardown } from '../../../scripts/demo/teardown.cts';

const EXIT_INTERRUPTED = 130;

/**
 * Runs a command to its end, a failure or a signal, ends everything that it started, and then the
 * process itself with the code of the command.
 */
export async function interruptible(
	command: (teardown: Teardown) => Promise<number>,
): Promise<never> {
	const teardown = new Teardown();
	const interruption = watchForInterruption(() => process.exit(EXIT_INTERRUPTED));
	let code = 1;
	try {
		code = await interruption.race(command(teardown));
	} catch (error) {
		if (error instanceof Interrupted) code = EXIT_INTERRUPTED;
		console.error(error instanceof Interrupted ? `\n${error.message}` : describeFailure(error));
	}
	try {
		await teardown.run();
	} catch (error) {
		console.error(`Not everything could be ended. ${describeFailure(error)}`);
		code = code || 1;
	}
	// What the command left in the background ends with it.
	process.exit(code);
}
