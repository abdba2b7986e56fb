import { readFile } from 'node:fs/promises';
import type { INode } from 'n8n-workflow';
import { failureOf, finishedExecution, type Execution } from '../../scripts/n8n/executions.cts';
import type { N8nInstance } from '../../scripts/n8n/n8nInstance.cts';
import { createWorkflow, runWorkflow } from '../../scripts/n8n/workflows.cts';
import { median } from '../comparison/contenders.cts';
import type { SandboxProcess } from '../sandboxProcess.cts';
import type { TestFile } from './testFile.cts';
import { START, UPLOAD, uploadWorkflow } from './uploadWorkflow.cts';

const LONGEST_MS = 15 * 60_000;
/** Time before a phase that tells what the process took without it, in milliseconds. */
const BASE_MS = 2_000;
const AROUND_MS = 150;
const SAMPLE_EVERY_MS = 100;

/** One upload by a node in a real n8n. */
export interface UploadRun {
	/** Of the node, in seconds. */
	seconds: number;
	/** Bytes: peak of the resident set while it was uploaded, above what it was just before. */
	addedByUpload: number;
}

interface MemorySample {
	/** Milliseconds since the epoch. */
	atMs: number;
	bytes: number;
}

/** @throws Error when the execution fails, or when something else than the file has arrived. */
export async function measureUpload(
	n8n: N8nInstance,
	sandbox: SandboxProcess,
	file: TestFile,
	upload: INode,
): Promise<UploadRun> {
	const workflow = await createWorkflow(n8n.session, uploadWorkflow(file.path, upload));
	const samples: MemorySample[] = [];
	const timer = setInterval(() => void sampleMemory(n8n.pid ?? 0, samples), SAMPLE_EVERY_MS);
	let execution: Execution;
	try {
		const id = await runWorkflow(n8n.session, workflow.id, START);
		execution = await finishedExecution(n8n.session, id, LONGEST_MS);
	} finally {
		clearInterval(timer);
	}
	const { runData } = execution.data.resultData;
	if (execution.status !== 'success' || !runData[UPLOAD]) {
		const ran = Object.keys(runData).join(', ');
		const why = failureOf(execution) ?? `it ran ${ran}`;
		throw new Error(`The execution ended with the status ${execution.status}: ${why}`);
	}
	await requireArrived(sandbox, execution, file);

	const [{ startTime, executionTime }] = runData[UPLOAD];
	const peak = peakIn(samples, startTime, startTime + executionTime);
	return { seconds: executionTime / 1000, addedByUpload: peak - baseOf(samples, startTime) };
}

/** Samples the resident set of another process on Linux, from outside. */
async function sampleMemory(pid: number, samples: MemorySample[]): Promise<void> {
	// The process may have ended between two samples.
	const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
	const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
	if (kilobytes) samples.push({ atMs: Date.now(), bytes: Number(kilobytes) * 1024 });
}

/** The middle one of the samples just before a moment. */
function baseOf(samples: readonly MemorySample[], before: number): number {
	const just = samples.filter(({ atMs }) => atMs <= before && atMs > before - BASE_MS);
	return median(just.map(({ bytes }) => bytes));
}

/** A phase may be shorter than the time between two samples: those around it count too. */
function peakIn(samples: readonly MemorySample[], from: number, to: number): number {
	const around = samples.filter(({ atMs }) => atMs >= from - AROUND_MS && atMs <= to + AROUND_MS);
	return Math.max(...around.map(({ bytes }) => bytes));
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
	const answer = data.resultData.runData[UPLOAD][0].data?.main[0]?.[0]?.json;
	// Of Scan File, or as the service wrote it.
	const submitted = answer?.submittedId ?? answer?.scan_id;
	const { scans } = (await sandbox.control.get<{ scans: ScanOfSandbox[] }>('/us/scans')).data;
	const sample = scans.find(({ submittedId }) => String(submittedId) === String(submitted))?.record
		.sample;
	if (sample?.sha256 === file.sha256 && sample.file_size === file.bytes) return;
	throw new Error(`Another file arrived: ${JSON.stringify(sample)}, not ${file.sha256}.`);
}
