import { describeFailure } from './actionableError.cts';
import { Teardown } from './demo/teardown.cts';

const EXIT_INTERRUPTED = 130;
const PARENT_WATCH_MS = 500;

/**
 * Runs a command to its end, a failure or a signal, ends everything that it started, and then the
 * process itself with the code of the command. A second signal is for a user who does not want to wait.
 */
export async function interruptible(
	command: (teardown: Teardown) => Promise<number>,
): Promise<never> {
	const teardown = new Teardown();
	let code = 1;
	try {
		code = await Promise.race([command(teardown), interruption()]);
	} catch (error) {
		console.error(`\n${describeFailure(error)}`);
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

/** Resolves with the exit code at Ctrl-C, at a request to end, or when the npm around it has ended. */
async function interruption(): Promise<number> {
	return await new Promise((resolve) => {
		let signals = 0;
		const end = (reason: string): void => {
			signals += 1;
			if (signals > 1) process.exit(EXIT_INTERRUPTED);
			console.log(`\nEnded by ${reason}. Stopping what runs …`);
			resolve(EXIT_INTERRUPTED);
		};
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
		onEndOfNpm(() => end('the end of npm'));
	});
}

/** npm passes SIGTERM on to a shell only, which does not pass it further; its end shows all the same. */
function onEndOfNpm(ended: () => void): void {
	if (!process.env.npm_lifecycle_event) return;
	const parent = process.ppid;
	const watch = setInterval(() => {
		if (process.ppid === parent) return;
		clearInterval(watch);
		ended();
	}, PARENT_WATCH_MS).unref();
}
