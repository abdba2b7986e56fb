/** `npm run bench:upload`: uploads files with the real n8n and measures; see figures.cts for the bounds. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ActionableError } from '../../scripts/actionableError.cts';
import type { Teardown } from '../../scripts/demo/teardown.cts';
import { interruptible } from '../../scripts/interruptible.cts';
import { measuredNow, record, type Records } from '../../scripts/measurements/records.cts';
import { cacheFolder } from '../../scripts/n8n/cacheFolder.cts';
import { provideHost } from '../../scripts/n8n/host.cts';
import { buildPackage } from '../../scripts/package/build.cts';
import { packPackage } from '../../scripts/package/tarball.cts';
import { repositoryRoot } from '../../scripts/repositoryRoot.cts';
import { versionsOf } from '../inN8n/versions.cts';
import { startSandboxProcess } from '../sandboxProcess.cts';
import { curlUpload } from './curlUpload.cts';
import { faultsOf, memoryTable, speedTable, uploadPage, type UploadFigures } from './figures.cts';
import { measureUpload, type UploadRun } from './measureUpload.cts';
import { memoryChart } from './memoryChart.cts';
import { writeTestFile } from './testFile.cts';
import { UploadingN8n, type StorageMode } from './uploadingN8n.cts';

const MIB = 1024 * 1024;
const SEED = 1;
/** Small, but streamed as the large ones are: what is loaded and compiled once is not measured. */
const FIRST_MB = 2;

const USAGE = `npm run bench:upload -- [options]
  --sizes LIST      MB of each file on disk (default 50,100,250,500)
  --in-memory LIST  MB of each file where n8n keeps binary data in memory (default 100)
  --uploads N       uploads of each file (default 3); the memory is that of the first
  --record          write the figures to docs/measurements/upload.md and upload.svg`;

const say = (line: string): void => console.log(line);

interface Options {
	sizes: Record<StorageMode, number[]>;
	uploads: number;
	record: boolean;
	command: string;
}

async function main(args: string[], teardown: Teardown): Promise<number> {
	const { values } = parseArgs({
		args,
		options: {
			sizes: { type: 'string', default: '50,100,250,500' },
			'in-memory': { type: 'string', default: '100' },
			uploads: { type: 'string', default: '3' },
			record: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) {
		say(USAGE);
		return 0;
	}
	if (process.platform !== 'linux') {
		throw new ActionableError(
			'The memory of another process is read from /proc.',
			'Run it on Linux.',
		);
	}
	const options = {
		sizes: { filesystem: numbers(values.sizes), default: numbers(values['in-memory']) },
		uploads: Number(values.uploads),
		record: values.record,
		command: ['npm run bench:upload --', ...args].join(' '),
	};
	return await measureAll(options, teardown);
}

function numbers(list: string): number[] {
	return list
		.split(',')
		.map(Number)
		.filter((number) => number > 0);
}

async function measureAll(options: Options, teardown: Teardown): Promise<number> {
	const host = await provideHost(cacheFolder(), say);
	const versions = await versionsOf(host);
	await buildPackage();
	const folder = await mkdtemp(join(tmpdir(), 'content-scan-upload-'));
	teardown.add(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
	const tarball = await packPackage(join(folder, 'package'));
	const sandbox = await startSandboxProcess({ scanning: { callsPerMinute: 100_000 } }, SEED);
	teardown.add(() => sandbox.end());

	const records: Records<UploadFigures> = {};
	const curves: Array<{ title: string; run: UploadRun }> = [];
	for (const mode of ['filesystem', 'default'] as const) {
		const n8n = await UploadingN8n.prepare({
			...{ host, tarball, sandbox, mode, teardown },
			folder: join(folder, mode),
		});
		const small = await writeTestFile(n8n.files, FIRST_MB * MIB);
		for (const megabytes of options.sizes[mode]) {
			const file = await writeTestFile(n8n.files, megabytes * MIB);
			const seconds: UploadFigures['seconds'] = [];
			const runs = await n8n.inFreshProcess(async (setting) => {
				await measureUpload(setting, small);
				const all: UploadRun[] = [];
				for (let upload = 0; upload < options.uploads; upload += 1) {
					const curl = await curlUpload(sandbox.addresses.us, file);
					const run = await measureUpload(setting, file);
					seconds.push({ node: run.seconds, curl });
					all.push(run);
				}
				return all;
			});
			await rm(file.path);
			const [{ idle, addedByReading, addedByUpload, aboveIdle, buffersSwing }] = runs;
			const memory = { idle, addedByReading, addedByUpload, aboveIdle, buffersSwing };
			const figures = { mode, megabytes, ...memory, seconds, ...versions };
			const title = `${megabytes} MB ${mode === 'filesystem' ? 'on disk' : 'in memory'}`;
			say(`${title}\n${memoryTable([figures])}\n${speedTable([figures])}\n`);
			records[title] = measuredNow(options.command, figures);
			if (mode === 'filesystem') curves.push({ title, run: runs[0] });
		}
	}
	const faults = Object.values(records).flatMap(({ figures }) => faultsOf(figures));
	if (options.record) {
		await record('upload', records, uploadPage);
		const chart = join(repositoryRoot, 'docs', 'measurements', 'upload.svg');
		if (curves.length > 0) await writeFile(chart, memoryChart(curves));
	}
	for (const fault of faults) console.error(fault);
	return faults.length === 0 ? 0 : 1;
}

void void interruptible((teardown) => main(process.argv.slice(2), teardown));
