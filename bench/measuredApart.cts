import { basename } from 'node:path';
import execa from 'execa';

export interface ApartOptions {
	/** The Node to run it with; this process's own unless told. */
	node?: string;
	/** Arguments of Node itself. */
	nodeArguments?: string[];
	env?: Record<string, string>;
}

/**
 * Runs a script that prints its figures as JSON in its last line, in a fresh process, so that no
 * measurement profits or suffers from another.
 */
export async function measuredApart<T>(
	script: string,
	args: string[],
	{ node = process.execPath, nodeArguments = [], env }: ApartOptions = {},
): Promise<T> {
	const { stdout, failed } = await execa(
		node,
		[...nodeArguments, '--require', 'tsx/cjs', script, ...args],
		{ stderr: 'inherit', stdin: 'ignore', env, reject: false },
	);
	// Not with the arguments, which may hold a token.
	if (failed) throw new Error(`${basename(script)} did not end well; what it said stands above.`);
	return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as T;
}

/** To be called by such a script. It ends the process, whatever libraries left running. */
export function printFigures(figures: Promise<unknown>): void {
	void figures.then(
		(printed) => process.stdout.write(`${JSON.stringify(printed)}\n`, () => process.exit(0)),
		(error: unknown) => {
			console.error(error);
			process.exit(1);
		},
	);
}
