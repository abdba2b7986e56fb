import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench, Outcome } from '../measurement.cts';
import { ratioFinding, valueFinding } from '../results/finding.cts';
import { startSandboxProcess } from '../sandboxProcess.cts';
import {
	alternate,
	median,
	speedAgainst,
	type Contender,
	type Times,
} from '../comparison/contenders.cts';
import { timesTable } from '../comparison/timesTable.cts';
import { curlUpload, writeTestFile, type TestFile } from './testFile.cts';
import { CALLS_PER_MINUTE, UPLOADERS, UploadingN8n, type Uploader } from './uploadingN8n.cts';

const MIB = 1024 * 1024;
const GOALS = { ofCurl: 0.5, ofHttpRequest: 1.5, addedMib: 32 };
const FULL = { megabytes: 500, uploads: 8, firstUploads: 3 };
const QUICK = { megabytes: 100, uploads: 1, firstUploads: 1 };
/** Small, but streamed as the large one is. */
const FIRST_MB = 2;

interface Files {
	small: TestFile;
	large: TestFile;
}

/** A large file from n8n's storage to the service, against curl. */
export async function measureLargeUpload(bench: Bench): Promise<Outcome> {
	const { megabytes, uploads, firstUploads } = bench.quick ? QUICK : FULL;
	const sandbox = await startSandboxProcess({ scanning: { callsPerMinute: CALLS_PER_MINUTE } }, 1);
	bench.teardown.add(() => sandbox.end());
	const folder = join(await bench.folder(), 'upload');
	await mkdir(folder);
	const small = await writeTestFile(folder, FIRST_MB * MIB);
	const large = await writeTestFile(folder, megabytes * MIB);
	const start = async () => await UploadingN8n.start(bench, sandbox, folder);

	const added = await memoryOfFirstUploads(start, { small, large }, firstUploads, bench.say);
	const n8n = await start();
	const curl = async (file: TestFile) => await curlUpload(sandbox.addresses.us, file);
	const times = await timesInTurns(n8n, curl, { small, large }, uploads, bench.say);
	await n8n.stop();
	await rm(large.path);

	const speed = (other: string): number[] => speedAgainst(times, 'Scan File', other);
	const bare = (other: string): number[] => speedAgainst(times, 'bare uploader', other);
	const size = `${megabytes} MB`;
	return {
		findings: [
			ratioFinding(`${size}, in the speed of curl -F`, speed('curl'), { atLeast: GOALS.ofCurl }),
			ratioFinding(`${size}, in the speed of HTTP Request`, speed('HTTP Request'), {
				atLeast: GOALS.ofHttpRequest,
			}),
			ratioFinding(`${size}: the bare uploader, in the speed of curl -F`, bare('curl')),
			ratioFinding(`${size}: the bare uploader, in that of HTTP Request`, bare('HTTP Request')),
			...UPLOADERS.map((uploader) => {
				const subject = `memory added by the first upload of ${size}: ${uploader}`;
				const goal = uploader === 'Scan File' ? { atMost: GOALS.addedMib } : {};
				return valueFinding(subject, median(added[uploader]), 'MB', goal);
			}),
		],
		details: `${HOW}\n\n${timesTable(times, 'MB', megabytes)}`,
	};
}

/** In MB, of each in an n8n of its own that has uploaded one small file with it. */
async function memoryOfFirstUploads(
	start: () => Promise<UploadingN8n>,
	{ small, large }: Files,
	rounds: number,
	say: Bench['say'],
): Promise<Record<Uploader, number[]>> {
	const added: Record<Uploader, number[]> = {
		'Scan File': [],
		'bare uploader': [],
		'HTTP Request': [],
	};
	for (let round = 0; round < rounds; round += 1) {
		for (const uploader of UPLOADERS) {
			const n8n = await start();
			await n8n.upload(uploader, small);
			added[uploader].push((await n8n.upload(uploader, large)).addedByUpload / MIB);
			await n8n.stop();
			say(`  ${uploader}: ${Math.round(added[uploader][round])} MB added`);
		}
	}
	return added;
}

/** In turns, after one small file each, so that what is loaded and compiled once is not measured. */
async function timesInTurns(
	n8n: UploadingN8n,
	curl: (file: TestFile) => Promise<number>,
	{ small, large }: Files,
	uploads: number,
	say: Bench['say'],
): Promise<Times> {
	await curl(small);
	for (const uploader of UPLOADERS) await n8n.upload(uploader, small);
	const contenders: Contender[] = [
		{ name: 'curl', run: async () => ({ milliseconds: (await curl(large)) * 1000 }) },
		...UPLOADERS.map((name) => ({
			name,
			run: async () => ({ milliseconds: (await n8n.upload(name, large)).seconds * 1000 }),
		})),
	];
	return (await alternate(contenders, uploads, say)).whole;
}

const IN_MEMORY = tmpdir().startsWith('/dev/shm')
	? ' The disk is one in memory (`TMPDIR=/dev/shm npm run bench -- --only large-upload`): the times of this machine’s own varied more than what is compared.'
	: '';

const HOW = `The time of a node, against curl's in the same round, to the same sandbox; binary data on disk.${IN_MEMORY} The memory
is the peak of the resident set of n8n's process above what it was just before the node ran, in a fresh n8n
for each that has uploaded one small file with the same node; the middle one of ${FULL.firstUploads}. Scan File has n8n
read 256 KB at a time, and sends each piece once the one before has left. The bare uploader does the
least that a node must: n8n reads the file in the same way, and its HTTP client sends what is read as it comes; no size
is compared, no time bounded, and its answer is not looked at. Of the sandbox's copy the SHA-256 is compared. 1 MB is 1,048,576 bytes.
Before it sent pieces of 256 KB (2026-11-26, on another machine), Scan File had 0.49 of the speed of curl, and 1.24 times that of HTTP Request.`;
