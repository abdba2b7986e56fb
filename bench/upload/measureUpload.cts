import { finishedExecution, type Execution } from '../../scripts/n8n/executions.cts';
import type { N8nInstance } from '../../scripts/n8n/n8nInstance.cts';
import { createWorkflow, runWorkflow } from '../../scripts/n8n/workflows.cts';
import type { SandboxProcess } from '../sandboxProcess.cts';
import { MemoryCurve, type MemorySample } from './memoryCurve.cts';
import type { TestFile } from './testFile.cts';
import { READ, START, UPLOAD, uploadWorkflow } from './uploadWorkflow.cts';

const LONGEST_MS = 10 * 60_000;
/** Time before a phase that tells what the process took without it, in milliseconds. */
const BASE_MS = 2_000;

/** When a node ran, in milliseconds since the epoch. */
export interface Phase {
	from: number;
	to: number;
}

/** One upload by the node in a real n8n, and what memory the n8n process took meanwhile. */
export interface UploadRun {
	/** Of the node, in seconds. */
	seconds: number;
	reading: Phase;
	uploading: Phase;
	samples: MemorySample[];
	/** Bytes of resident set before the file was read: the whole of n8n. */
	idle: number;
	/** Peak while the file was put into storage, above `idle`. */
	addedByReading: number;
	/** Peak while it was uploaded, above what the process took just before. */
	addedByUpload: number;
	/** Peak while it was uploaded, above `idle`. */
	aboveIdle: number;
}

interface ScanOfSandbox {
	submittedId: number;
	record: { sample?: { sha256: string; file_size: number } };
}

/** @throws Error when the execution fails, or when something else than the file has arrived. */
export async function measureUpload(
	n8n: N8nInstance,
	sandbox: SandboxProcess,
	file: TestFile,
	credential: { id: string; name: string },
): Promise<UploadRun> {
	const workflow = await createWorkflow(n8n.session, uploadWorkflow(file.path, credential));
	const curve = new MemoryCurve(n8n.pid ?? 0);
	let execution: Execution;
	try {
		const id = await runWorkflow(n8n.session, workflow.id, START);
		execution = await finishedExecution(n8n.session, id, LONGEST_MS);
	} finally {
		curve.stop();
	}
	const { error } = execution.data.resultData;
	if (error) throw new Error(`The upload failed: ${error.message} ${error.description ?? ''}`);
	await requireArrived(sandbox, execution, file);

	const { samples } = curve;
	const reading = phaseOf(execution, READ);
	const uploading = phaseOf(execution, UPLOAD);
	const idle = baseOf(samples, reading.from);
	return {
		seconds: (uploading.to - uploading.from) / 1000,
		reading,
		uploading,
		samples,
		idle,
		addedByReading: peakIn(samples, reading) - idle,
		addedByUpload: peakIn(samples, uploading) - baseOf(samples, uploading.from),
		aboveIdle: peakIn(samples, uploading) - idle,
	};
}

function phaseOf({ data }: Execution, node: string): Phase {
	const [run] = data.resultData.runData[node];
	return { from: run.startTime, to: run.startTime + run.executionTime };
}

/** The middle one of the samples just before a moment. */
function baseOf(samples: readonly MemorySample[], before: number): number {
	const just = samples
		.filter(({ atMs }) => atMs <= before && atMs > before - BASE_MS)
		.map(({ rss }) => rss)
		.sort((one, other) => one - other);
	return just[Math.floor(just.length / 2)];
}

function peakIn(samples: readonly MemorySample[], { from, to }: Phase): number {
	const within = samples.filter(({ atMs }) => atMs >= from && atMs <= to);
	return Math.max(...within.map(({ rss }) => rss));
}

async function requireArrived(
	sandbox: SandboxProcess,
	{ data }: Execution,
	file: TestFile,
): Promise<void> {
	const submitted = data.resultData.runData[UPLOAD][0].data?.main[0]?.[0]?.json.scan_id;
	const { scans } = (await sandbox.control.get<{ scans: ScanOfSandbox[] }>('/us/scans')).data;
	const sample = scans.find(({ submittedId }) => submittedId === submitted)?.record.sample;
	if (sample?.sha256 === file.sha256 && sample.file_size === file.bytes) return;
	throw new Error(`Another file arrived: ${JSON.stringify(sample)}, not ${file.sha256}.`);
}
