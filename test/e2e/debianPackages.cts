import { access, constants, readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import execa from 'execa';
import { ActionableError } from '../../scripts/actionableError.cts';
import { withProgress, type Say } from '../../scripts/progress.cts';

/** Debian puts the programs of each version of PostgreSQL into a folder of its own, outside of PATH. */
const POSTGRES_HOME = '/usr/lib/postgresql';

interface DebianProgram {
	/** Debian's packages; the first one brings the program. */
	packages: readonly string[];
	/** What it may be called, here or on other systems. */
	names: readonly string[];
}

/** What parts need beyond npm's packages. */
const programs = {
	chromium: { packages: ['chromium', 'fonts-liberation'], names: ['chromium', 'chromium-browser'] },
	redisServer: { packages: ['redis-server'], names: ['redis-server'] },
	postgres: { packages: ['postgresql'], names: ['postgres'] },
} satisfies Record<string, DebianProgram>;

export type ProgramName = keyof typeof programs;

/**
 * The absolute paths of programs. What is missing is installed from Debian's packages, where there is
 * apt-get and the right to use it. Nothing is started.
 * @throws ActionableError that names the packages, where they cannot be installed
 */
export async function provideDebianPrograms<Name extends ProgramName>(
	names: readonly Name[],
	say: Say,
): Promise<Record<Name, string>> {
	const missing = await namesOfMissing(names);
	if (missing.length > 0)
		await install(
			missing.flatMap((name) => programs[name].packages),
			say,
		);
	const paths = names.map(async (name): Promise<[Name, string]> => {
		const path = await findProgram(programs[name]);
		if (path === undefined) throw notThere(programs[name].packages, 'is not where it should be');
		return [name, path];
	});
	return Object.fromEntries(await Promise.all(paths)) as Record<Name, string>;
}

async function namesOfMissing<Name extends ProgramName>(names: readonly Name[]): Promise<Name[]> {
	const found = await Promise.all(names.map((name) => findProgram(programs[name])));
	return names.filter((_name, index) => found[index] === undefined);
}

async function findProgram({ names }: DebianProgram): Promise<string | undefined> {
	const folders = [...(process.env.PATH ?? '').split(delimiter), ...(await postgresFolders())];
	for (const path of names.flatMap((name) => folders.map((folder) => join(folder, name)))) {
		const runs = await access(path, constants.X_OK).then(
			() => true,
			() => false,
		);
		if (runs) return path;
	}
	return undefined;
}

/** The newest version first. */
async function postgresFolders(): Promise<string[]> {
	const versions = await readdir(POSTGRES_HOME).catch((): string[] => []);
	return versions
		.sort((one, other) => Number(other) - Number(one))
		.map((version) => join(POSTGRES_HOME, version, 'bin'));
}

async function install(packages: readonly string[], say: Say): Promise<void> {
	if (process.platform !== 'linux' || process.getuid?.() !== 0) {
		throw notThere(packages, 'is missing, and only root may install it');
	}
	await withProgress(say, `Installing ${packages.join(', ')} with apt-get`, async () => {
		await aptGet(['update'], packages);
		await aptGet(['install', '--yes', '--no-install-recommends', ...packages], packages);
	});
}

async function aptGet(args: readonly string[], packages: readonly string[]): Promise<void> {
	const result = await execa('apt-get', ['--option', 'DPkg::Lock::Timeout=300', ...args], {
		env: { DEBIAN_FRONTEND: 'noninteractive' },
		stdin: 'ignore',
		all: true,
		reject: false,
		// Whatever ends this process: an installation broken off in the middle would have to be mended.
		detached: true,
		cleanup: false,
	});
	if (!result.failed) return;
	throw notThere(packages, `could not be installed. apt-get says:\n${result.all}`);
}

function notThere(packages: readonly string[], why: string): ActionableError {
	return new ActionableError(
		`A program of ${packages.join(', ')} ${why}.`,
		`On Debian: apt-get update && apt-get install ${packages.join(' ')}`,
	);
}
