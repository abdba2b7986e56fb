import execa from 'execa';
import { ActionableError } from './actionableError.cts';
import { explainNpmFailure, npmCommand } from './npmCommand.cjs';

export interface NpmRun {
	cwd: string;
	/** What the command brings, as it begins the sentence "… could not be installed". */
	what: string;
	env?: Record<string, string>;
}

/**
 * Runs npm quietly and returns its standard output.
 * @throws ActionableError with npm's own words when it fails
 */
export async function npm(args: string[], { cwd, what, env }: NpmRun): Promise<string> {
	const [command, ...rest] = npmCommand(...args, '--loglevel=error', '--no-audit', '--no-fund');
	const result = await execa(command, rest, { cwd, env, reject: false, stdin: 'ignore' });
	if (!result.failed) return result.stdout;
	const output = [result.stderr, result.stdout].join('\n').trim();
	const { message, advice } = explainNpmFailure(what, output);
	throw new ActionableError(
		`${output || `${result.command} ended with code ${result.exitCode}`}\n\n${message}`,
		advice,
	);
}
