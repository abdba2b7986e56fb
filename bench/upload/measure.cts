import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench, Outcome } from '../measurement.cts';
import { ratioFinding, valueFinding } from '../results/finding.cts';
import { startSandboxProcess } from '../sandboxProcess.cts';
import { speedAgainst, type Times } from '../comparison/contenders.cts';
import { timesTable } from '../comparison/timesTable.cts';
import { BARE_UPLOADER, bareNodeSetting } from '../inN8n/bareNode.cts';
import { BenchN8n } from '../inN8n/benchN8n.cts';
import { measureUpload } from './measureUpload.cts';
import { curlUpload, writeTestFile } from './testFile.cts';
import { bareUploaderNode, httpRequestNode, scanFileNode } from './uploadWorkflow.cts';

const MIB = 1024 * 1024;
const GOALS = { ofCurl: 0.5, ofHttpRequest: 1.5, addedMib: 32 };
const FULL = { megabytes: 500, uploads: 5 };
const QUICK = { megabytes: 100, uploads: 1 };
/** Small, but streamed as the large one is: what is loaded and compiled once is not measured. */
const FIRST_MB = 2;
const CALLS_PER_MINUTE = 100_000;

/** A large file from n8n's storage to the service, against curl. */
export async function measureLargeUpload(bench: Bench): Promise<Outcome> {
	const { megabytes, uploads } = bench.quick ? QUICK : FULL;
	const sandbox = await startSandboxProcess({ scanning: { callsPerMinute: CALLS_PER_MINUTE } }, 1);
	bench.teardown.add(() => sandbox.end());
	const files = join(await bench.folder(), 'upload');
	await mkdir(files);
	const small = await writeTestFile(files, FIRST_MB * MIB);
	const file = await writeTestFile(files, megabytes * MIB);
	// A process of its own, so that its first upload of that size is one.
	const n8n = await BenchN8n.start(bench, {
		...(await bareNodeSetting(BARE_UPLOADER, files)),
		N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
		N8N_RESTRICT_FILE_ACCESS_TO: files,
	});
	const credential = await n8n.scanCredential(sandbox.addresses.us, CALLS_PER_MINUTE);
	const nodes = {
		'Scan File': scanFileNode(credential),
		'bare uploader': bareUploaderNode(credential),
		'HTTP Request': httpRequestNode(sandbox.addresses.us),
	};
	const none = () => Object.fromEntries(Object.keys(nodes).map((name) => [name, []]));
	const times: Times = { curl: [], ...none() };
	const added: Times = none();
	for (const node of Object.values(nodes)) await measureUpload(n8n.n8n, sandbox, small, node);
	await curlUpload(sandbox.addresses.us, small);
	for (let upload = 0; upload < uploads; upload += 1) {
		times.curl.push((await curlUpload(sandbox.addresses.us, file)) * 1000);
		for (const [name, node] of Object.entries(nodes)) {
			const run = await measureUpload(n8n.n8n, sandbox, file, node);
			times[name].push(run.seconds * 1000);
			added[name].push(run.addedByUpload / MIB);
		}
		const last = Object.entries(times).map(
			([name, all]) => `${name} ${Math.round(all[upload])} ms`,
		);
		bench.say(`  ${last.join(', ')}`);
	}
	await n8n.n8n.stop();
	await rm(file.path);
	const speed = (other: string): number[] => speedAgainst(times, 'Scan File', other);
	const bare = (other: string): number[] => speedAgainst(times, 'bare uploader', other);
	const size = `${megabytes} MB`;
	const [own, others] = ['Scan File', 'HTTP Request'].map((name) => added[name][0]);
	return {
		findings: [
			ratioFinding(`${size}, in the speed of curl -F`, speed('curl'), { atLeast: GOALS.ofCurl }),
			ratioFinding(`${size}, in the speed of HTTP Request`, speed('HTTP Request'), {
				atLeast: GOALS.ofHttpRequest,
			}),
			ratioFinding(`${size}: the bare uploader, in the speed of curl -F`, bare('curl')),
			ratioFinding(`${size}: the bare uploader, in that of HTTP Request`, bare('HTTP Request')),
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
that has uploaded one small file with each of them. Scan File sends 256 KB at a time, each
piece once the one before has left. The bare uploader does the least that a node must: n8n reads the file in
pieces of the same size, and its HTTP client sends them as they come; no size is compared, no time bounded, no
answer read. Of the sandbox's copy the SHA-256 is compared.`;
