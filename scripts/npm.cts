import execa from 'execa';
import { ActionableError } from './actionableError.cts';

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
	const quiet = ['--loglevel=error', '--no-audit', '--no-fund'];
	const options = { cwd, env, reject: false, stdin: 'ignore' } as const;
	const { failed, stdout, stderr } = await execa('npm', [...args, ...quiet], options);
	if (!failed) return stdout;
	throw new ActionableError(
		`${[stderr, stdout].join('\n').trim()}\n\n${what} could not be installed.`,
		'npm says why above; run the command again when that is mended.',
	);
}
