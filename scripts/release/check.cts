/** `npm run release:check`: rehearses a release up to the moment of publishing. */
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import lock from '../../package-lock.json';
import manifest from '../../package.json';
import { describeFailure } from '../actionableError.cts';
import { npm } from '../npm.cts';
import { packageSteps, passing } from '../package/packageSteps.cts';
import { repositoryRoot } from '../repositoryRoot.cts';
import { allPassed, runSteps, stepTable, type Step } from '../steps/runSteps.cts';
import { placeholders, releaseFaults } from './releaseFaults.cts';

const USAGE = `npm run release:check -- [options]
  --tag NAME    check it as the release of this tag, which must be the version's
  --out FOLDER  leave the packed package there`;

async function main(args: string[]): Promise<number> {
	const { values } = parseArgs({
		args,
		options: {
			tag: { type: 'string' },
			out: { type: 'string' },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) {
		console.log(USAGE);
		return 0;
	}
	const started = Date.now();
	const folder = await mkdtemp(join(tmpdir(), 'content-scan-release-'));
	try {
		const results = await runSteps(steps(folder, values), 1, (line) => console.log(line));
		console.log(`\n${stepTable(results, Date.now() - started)}`);
		const left = placeholders(manifest);
		if (!values.tag && left.length > 0) {
			console.log(`Before a release, set in package.json: ${left.join(', ')}.`);
		}
		return allPassed(results) ? 0 : 1;
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

function steps(folder: string, { tag, out }: { tag?: string; out?: string }): Step[] {
	const { steps: ofThePackage, tarball } = packageSteps(folder);
	return [
		{ name: 'version, changelog and tag', run: async () => await checkVersion(tag) },
		...ofThePackage,
		{
			name: 'publishing, dry run',
			needs: ofThePackage.map(({ name }) => name),
			run: async () => {
				const { file } = tarball();
				const words = ['publish', file, '--dry-run', '--offline', '--access', 'public'];
				const said = await npm(words, { cwd: folder, what: 'The rehearsal of npm publish' });
				if (out !== undefined) await cp(file, join(out, basename(file)));
				return said;
			},
		},
	];
}

async function checkVersion(tag: string | undefined): Promise<string> {
	const changelog = await readFile(join(repositoryRoot, 'CHANGELOG.md'), 'utf8');
	return passing(releaseFaults({ manifest, lockVersion: lock.version, changelog, tag }));
}

main(process.argv.slice(2)).then(
	(code) => (process.exitCode = code),
	(error) => {
		console.error(`${describeFailure(error)}\n\n${USAGE}`);
		process.exitCode = 1;
	},
);
