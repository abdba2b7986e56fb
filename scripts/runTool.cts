import execa from 'execa';
import { ActionableError } from './actionableError.cts';
import { repositoryRoot } from './repositoryRoot.cts';

/**
 * Runs a tool of the development dependencies, or a script with this Node, in the clone.
 * @returns its output, standard output and errors as they came
 * @throws ActionableError with that output when it fails
 */
export async function runTool(command: string, args: string[]): Promise<string> {
	const { all, failed } = await execa(command, args, {
		cwd: repositoryRoot,
		all: true,
		// What it shows is kept for later, so nothing in it should move.
		env: { CI: 'true', ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}) },
		localDir: repositoryRoot,
		preferLocal: true,
		reject: false,
		stdin: 'ignore',
	});
	if (!failed) return all ?? '';
	const shown = [command, ...args].join(' ').replaceAll(`${repositoryRoot}/`, '');
	throw new ActionableError((all ?? '').trimEnd(), `This was: ${shown}`);
}
