import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench, Outcome } from '../measurement.cts';
import { ratioFinding, valueFinding } from '../results/finding.cts';
import { startSandboxProcess } from '../sandboxProcess.cts';
import { curlUpload } from '../upload/curlUpload.cts';
import { measureUpload } from '../upload/measureUpload.cts';
import { writeTestFile } from '../upload/testFile.cts';
import { UploadingN8n } from '../upload/uploadingN8n.cts';

const MIB = 1024 * 1024;
const GOALS = { speed: 0.8, addedMib: 32 };
const FULL = { megabytes: 500, uploads: 5 };
const QUICK = { megabytes: 100, uploads: 1 };
/** Small, but streamed as the large one is: what is loaded and compiled once is not measured. */
const FIRST_MB = 2;

/** A large file from n8n's storage to the service, against curl. */
export async function measureLargeUpload(bench: Bench): Promise<Outcome> {
	const { host, tarball, teardown } = bench;
	const { megabytes, uploads } = bench.quick ? QUICK : FULL;
	const sandbox = await startSandboxProcess({ scanning: { callsPerMinute: 100_000 } }, 1);
	teardown.add(() => sandbox.end());
	const folder = join(await bench.folder(), 'upload');
	const n8n = await UploadingN8n.prepare({
		...{ host, tarball, sandbox, folder, teardown },
		mode: 'filesystem',
	});
	const small = await writeTestFile(n8n.files, FIRST_MB * MIB);
	const file = await writeTestFile(n8n.files, megabytes * MIB);
	const speeds: number[] = [];
	const added: number[] = [];
	await n8n.inFreshProcess(async (setting) => {
		await measureUpload(setting, small);
		await curlUpload(sandbox.addresses.us, small);
		for (let upload = 0; upload < uploads; upload += 1) {
			const curl = await curlUpload(sandbox.addresses.us, file);
			const run = await measureUpload(setting, file);
			bench.say(`  curl ${curl.toFixed(2)} s, node ${run.seconds.toFixed(2)} s`);
			speeds.push(curl / run.seconds);
			added.push(run.addedByUpload / MIB);
		}
	});
	await rm(file.path);
	return {
		findings: [
			ratioFinding(`${megabytes} MB, in the speed of curl -F`, speeds, {
				atLeast: GOALS.speed,
			}),
			valueFinding(`memory added by the first upload of ${megabytes} MB`, added[0], 'MB', {
				atMost: GOALS.addedMib,
			}),
		],
		details: HOW,
	};
}

const HOW = `The time of the node, against curl's right before it, to the same sandbox; binary data on disk. The memory
is the peak of the resident set of n8n's process above what it was just before the node ran, in an n8n
that has uploaded one small file. The node sends 64 KB at a time, each piece once the one before has left;
larger pieces would be faster, and take more memory. \`npm run bench:upload\` shows other sizes, and the memory over time.`;
