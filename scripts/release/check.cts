/** `npm run release:check`: rehearses a release up to the moment of publishing. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import lock from '../../package-lock.json';
import manifest from '../../package.json';
import { describeFailure } from '../actionableError.cts';
import { npm } from '../npm.cts';
import { buildPackage } from '../package/build.cts';
import { contentFaults } from '../package/contentCheck.cts';
import { pinFaults, pinFiles, pinnedFiles } from '../package/packedFiles.cts';
import { scanFolder } from '../package/scanFolder.cts';
import { packPackage, unpack, type Tarball } from '../package/tarball.cts';
import { repositoryRoot } from '../repositoryRoot.cts';
import { allPassed, runSteps, stepTable, type Step } from '../steps/runSteps.cts';
import { placeholders, releaseFaults } from './releaseFaults.cts';

const USAGE = `npm run release:check -- [options]
  --tag NAME    check it as the release of this tag, which must be the version's
  --out FOLDER  leave the packed package there
  --accept      take the packed files as the new pinned list`;

interface Options {
	tag?: string;
	out?: string;
	accept: boolean;
}

async function main(args: string[]): Promise<number> {
	const { values } = parseArgs({
		args,
		options: {
			tag: { type: 'string' },
			out: { type: 'string' },
			accept: { type: 'boolean', default: false },
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

function steps(folder: string, { tag, out, accept }: Options): Step[] {
	const unpacked = join(folder, 'package');
	let tarball: Tarball | undefined;
	const paths = () => (tarball?.contents ?? []).map(({ path }) => path).sort();
	return [
		{ name: 'version, changelog and tag', run: async () => await checkVersion(tag) },
		{ name: 'build', run: buildPackage },
		{
			name: 'pack',
			needs: ['build'],
			run: async () => {
				tarball = await packPackage(out === undefined ? folder : resolve(out));
				await unpack(tarball.file, unpacked);
				return '';
			},
		},
		{
			name: 'files of the package',
			needs: ['pack'],
			run: async () => {
				if (accept) await pinFiles(paths());
				const faults = pinFaults(paths(), await pinnedFiles());
				if (faults.length > 0) faults.push('If that is meant: npm run release:check -- --accept');
				return passing([...contentFaults(paths(), manifest), ...faults]);
			},
		},
		{
			name: 'scan of the tarball',
			needs: ['pack'],
			run: async () => await scanFolder(unpacked, 'tarball'),
		},
		{
			name: 'publishing, dry run',
			needs: ['pack'],
			run: async () => {
				const args = [
					'publish',
					tarball?.file ?? '',
					'--dry-run',
					'--offline',
					'--access',
					'public',
				];
				return await npm(args, { cwd: folder, what: 'The rehearsal of npm publish' });
			},
		},
	];
}

async function checkVersion(tag: string | undefined): Promise<string> {
	const changelog = await readFile(join(repositoryRoot, 'CHANGELOG.md'), 'utf8');
	return passing(releaseFaults({ manifest, lockVersion: lock.version, changelog, tag }));
}

function passing(faults: string[]): string {
	if (faults.length > 0) throw new Error(faults.join('\n'));
	return '';
}

main(process.argv.slice(2)).then(
	(code) => (process.exitCode = code),
	(error) => {
		console.error(`${describeFailure(error)}\n\n${USAGE}`);
		process.exitCode = 1;
	},
);
