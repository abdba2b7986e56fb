import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench, Outcome } from '../measurement.cts';
import { ratioFinding, valueFinding } from '../results/finding.cts';
import { startSandboxProcess } from '../sandboxProcess.cts';
import { curlUpload } from '../upload/curlUpload.cts';
import { speedAgainst, type Times } from '../comparison/contenders.cts';
import { timesTable } from '../comparison/timesTable.cts';
import { measureUpload } from '../upload/measureUpload.cts';
import { writeTestFile } from '../upload/testFile.cts';
import { httpRequestNode, scanFileNode } from '../upload/uploadWorkflow.cts';
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
	const times: Times = { curl: [], 'Scan File': [], 'HTTP Request': [] };
	const added: Record<string, number[]> = { 'Scan File': [], 'HTTP Request': [] };
	await n8n.inFreshProcess(async (setting) => {
		const nodes = {
			'Scan File': scanFileNode(setting.credential),
			'HTTP Request': httpRequestNode(sandbox.addresses.us),
		};
		for (const node of Object.values(nodes)) await measureUpload(setting, small, node);
		await curlUpload(sandbox.addresses.us, small);
		for (let upload = 0; upload < uploads; upload += 1) {
			times.curl.push((await curlUpload(sandbox.addresses.us, file)) * 1000);
			for (const [name, node] of Object.entries(nodes)) {
				const run = await measureUpload(setting, file, node);
				times[name].push(run.seconds * 1000);
				added[name].push(run.addedByUpload / MIB);
			}
			const last = Object.entries(times).map(
				([name, all]) => `${name} ${Math.round(all[upload])} ms`,
			);
			bench.say(`  ${last.join(', ')}`);
		}
	});
	await rm(file.path);
	const speed = (other: string): number[] => speedAgainst(times, 'Scan File', other);
	const size = `${megabytes} MB`;
	const [own, others] = ['Scan File', 'HTTP Request'].map((name) => added[name][0]);
	return {
		findings: [
			ratioFinding(`${size}, in the speed of curl -F`, speed('curl'), { atLeast: GOALS.speed }),
			ratioFinding(`${size}, in the speed of HTTP Request`, speed('HTTP Request')),
			valueFinding(`memory added by the first upload of ${size}`, own, 'MB', {
				atMost: GOALS.addedMib,
			}),
			valueFinding('the same of HTTP Request', others, 'MB'),
		],
		details: `${HOW}\n\n${timesTable(times, 'MB', megabytes)}`,
	};
}

const HOW = `The time of a node, against curl's right before, to the same sandbox; binary data on disk. The memory
is the peak of the resident set of n8n's process above what it was just before the node ran, in an n8n
that has uploaded one small file with each of them. Scan File sends 64 KB at a time, each piece once the
one before has left; larger pieces would be faster, and take more memory. \`npm run bench:upload\` shows
other sizes, and the memory over time.`;
