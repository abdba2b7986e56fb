import { failureOf, finishedExecution, type Execution } from '../../scripts/n8n/executions.cts';
import type { N8nInstance } from '../../scripts/n8n/n8nInstance.cts';
import { createWorkflow, runWorkflow } from '../../scripts/n8n/workflows.cts';
import type { SandboxProcess } from '../sandboxProcess.cts';
import { reportedBuffers, ResidentSetCurve, type MemorySample } from './memoryCurve.cts';
import type { TestFile } from './testFile.cts';
import { READ, scanFileNode, START, UPLOAD, uploadWorkflow } from './uploadWorkflow.cts';

const LONGEST_MS = 15 * 60_000;
/** Time before a phase that tells what the process took without it, in milliseconds. */
const BASE_MS = 2_000;
const AROUND_MS = 150;

/** When a node ran, in milliseconds since the epoch. */
export interface Phase {
	from: number;
	to: number;
}

/** One upload by a node in a real n8n, and what memory n8n's process took meanwhile, in bytes. */
export interface UploadRun {
	/** Of the node, in seconds. */
	seconds: number;
	reading: Phase;
	uploading: Phase;
	residentSet: MemorySample[];
	/** The process's buffers, garbage included. */
	buffers: MemorySample[];
	/** Resident set before the file was read: the whole of n8n. */
	idle: number;
	/** Peak of the resident set while the file was put into storage, above `idle`. */
	addedByReading: number;
	/** Peak of the resident set while it was uploaded, above what it was just before. */
	addedByUpload: number;
	/** The same above `idle`. */
	aboveIdle: number;
	/** The most that the buffers took while it was uploaded, less the least. */
	buffersSwing: number;
}

export interface UploadSetting {
	n8n: N8nInstance;
	/** Where reportMemory.cjs writes inside that n8n. */
	report: string;
	sandbox: SandboxProcess;
	credential: { id: string; name: string };
}

/**
 * @param upload The node that uploads it.
 * @throws Error when the execution fails, or when something else than the file has arrived.
 */
export async function measureUpload(
	{ n8n, report, sandbox, credential }: UploadSetting,
	file: TestFile,
	upload = scanFileNode(credential),
): Promise<UploadRun> {
	const workflow = await createWorkflow(n8n.session, uploadWorkflow(file.path, upload));
	const begun = Date.now();
	const curve = new ResidentSetCurve(n8n.pid ?? 0);
	let execution: Execution;
	try {
		const id = await runWorkflow(n8n.session, workflow.id, START);
		execution = await finishedExecution(n8n.session, id, LONGEST_MS);
	} finally {
		curve.stop();
	}
	const { runData } = execution.data.resultData;
	if (execution.status !== 'success' || !runData[UPLOAD]) {
		const ran = Object.keys(runData).join(', ');
		const why = failureOf(execution) ?? `it ran ${ran}`;
		throw new Error(`The execution ended with the status ${execution.status}: ${why}`);
	}
	await requireArrived(sandbox, execution, file);

	const residentSet = curve.samples;
	const buffers = (await reportedBuffers(report)).filter(({ atMs }) => atMs >= begun);
	const reading = phaseOf(execution, READ);
	const uploading = phaseOf(execution, UPLOAD);
	const idle = baseOf(residentSet, reading.from);
	const peak = peakIn(residentSet, uploading);
	return {
		seconds: (uploading.to - uploading.from) / 1000,
		reading,
		uploading,
		residentSet,
		buffers,
		idle,
		addedByReading: peakIn(residentSet, reading) - idle,
		addedByUpload: peak - baseOf(residentSet, uploading.from),
		aboveIdle: peak - idle,
		buffersSwing: peakIn(buffers, uploading) - leastIn(buffers, uploading),
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
		.map(({ bytes }) => bytes)
		.sort((one, other) => one - other);
	return just[Math.floor(just.length / 2)];
}

function peakIn(samples: readonly MemorySample[], phase: Phase): number {
	return Math.max(...bytesIn(samples, phase));
}

function leastIn(samples: readonly MemorySample[], phase: Phase): number {
	return Math.min(...bytesIn(samples, phase));
}

/** A phase may be shorter than the time between two samples: those around it count too. */
function bytesIn(samples: readonly MemorySample[], { from, to }: Phase): number[] {
	return samples
		.filter(({ atMs }) => atMs >= from - AROUND_MS && atMs <= to + AROUND_MS)
		.map(({ bytes }) => bytes);
}

interface ScanOfSandbox {
	submittedId: number;
	record: { sample?: { sha256: string; file_size: number } };
}

async function requireArrived(
	sandbox: SandboxProcess,
	{ data }: Execution,
	file: TestFile,
): Promise<void> {
	const submitted = data.resultData.runData[UPLOAD][0].data?.main[0]?.[0]?.json.submittedId;
	const { scans } = (await sandbox.control.get<{ scans: ScanOfSandbox[] }>('/us/scans')).data;
	const sample = scans.find(({ submittedId }) => String(submittedId) === submitted)?.record.sample;
	if (sample?.sha256 === file.sha256 && sample.file_size === file.bytes) return;
	throw new Error(`Another file arrived: ${JSON.stringify(sample)}, not ${file.sha256}.`);
}
