import { parse } from 'flatted';
import type { ExecutionStatus, INodeExecutionData, IRunExecutionData } from 'n8n-workflow';
import { waitUntil } from '../waitUntil.cts';
import type { N8nSession } from './session.cts';

const POLL_MS = 500;
const PAGE_SIZE = 100;

export interface ExecutionSummary {
	id: string;
	status: ExecutionStatus;
	mode: string;
	startedAt: string;
	stoppedAt?: string;
}

export interface Execution extends ExecutionSummary {
	data: IRunExecutionData;
}

interface ExecutionPage {
	results: ExecutionSummary[];
	nextCursor: string | null;
}

/** The latest executions of a workflow, at most 100, oldest first. */
export async function recentExecutions(
	session: N8nSession,
	workflowId: string,
): Promise<ExecutionSummary[]> {
	const { results } = await readPage(session, workflowId, null);
	return oldestFirst(results);
}

/** All executions of a workflow, oldest first. */
export async function listExecutions(
	session: N8nSession,
	workflowId: string,
): Promise<ExecutionSummary[]> {
	const found: ExecutionSummary[] = [];
	let cursor: string | null = null;
	do {
		const page: ExecutionPage = await readPage(session, workflowId, cursor);
		found.push(...page.results);
		cursor = page.nextCursor;
	} while (cursor);
	return oldestFirst(found);
}

async function readPage(
	session: N8nSession,
	workflowId: string,
	cursor: string | null,
): Promise<ExecutionPage> {
	const query = new URLSearchParams({
		filter: JSON.stringify({ workflowId }),
		limit: String(PAGE_SIZE),
		...(cursor && { cursor }),
	});
	return await session.call('GET', `/executions?${query}`);
}

function oldestFirst(executions: ExecutionSummary[]): ExecutionSummary[] {
	return executions.sort((one, other) => Number(one.id) - Number(other.id));
}

/** One execution with the data of every node. */
export async function readExecution(session: N8nSession, id: string): Promise<Execution> {
	const stored = await session.call<ExecutionSummary & { data: string }>(
		'GET',
		`/executions/${id}`,
	);
	return { ...stored, data: parse(stored.data) };
}

/** Waits until an execution has ended, however it ended. */
export async function finishedExecution(
	session: N8nSession,
	id: string,
	withinMs: number,
): Promise<Execution> {
	const ended = async () => {
		try {
			const { status } = await session.call<ExecutionSummary>('GET', `/executions/${id}`);
			return !['new', 'running', 'waiting'].includes(status);
		} catch (error) {
			// What n8n 2.20 answers while there is no data of it yet.
			if (String(error).includes("reading 'resultData'")) return false;
			throw error;
		}
	};
	await waitUntil(`execution ${id} did not end`, ended, { everyMs: POLL_MS, withinMs });
	return await readExecution(session, id);
}

/** What a node put out on one of its outputs, by default the first, over all its runs. */
export function outputOf({ data }: Execution, nodeName: string, index = 0): INodeExecutionData[] {
	const runs = data.resultData.runData[nodeName] ?? [];
	return runs.flatMap((run) => run.data?.main?.[index] ?? []);
}

/** Why the execution failed, in the words n8n shows; `undefined` when it did not. */
export function failureOf({ data }: Execution): string | undefined {
	const error = data.resultData.error;
	return error && [error.message, error.description].filter(Boolean).join('. ');
}
