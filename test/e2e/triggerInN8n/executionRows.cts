import { join } from 'node:path';
import execa from 'execa';
import { parse } from 'flatted';
import type { ExecutionStatus, IDataObject, IRunExecutionData } from 'n8n-workflow';
import type { N8nHost } from '../../../scripts/n8n/host.cts';

/** An execution as it stands in n8n's database. */
export interface ExecutionRow {
	id: number;
	status: ExecutionStatus;
	/** When n8n wrote the row, in milliseconds since the epoch. */
	createdAt: number;
	/** The entries that the trigger handed over. */
	entries: IDataObject[];
}

/** Where to look. */
export interface ExecutionTable {
	host: N8nHost;
	/** n8n's user folder. */
	userFolder: string;
	workflowId: string;
}

interface StoredRow {
	id: number;
	status: ExecutionStatus;
	createdAt: string;
	data: string | null;
}

/** Every execution of the workflow with the entries of its trigger, oldest first. */
export async function readExecutionRows(
	table: ExecutionTable,
	triggerName: string,
): Promise<ExecutionRow[]> {
	const rows = await readTable(table, 'data');
	return rows.map(({ id, status, createdAt, data }) => ({
		id,
		status,
		createdAt: Date.parse(`${createdAt.replace(' ', 'T')}Z`),
		entries: data ? handedOver(parse(data), triggerName) : [],
	}));
}

/** The executions that have not come to an end; to be asked while n8n is dead. */
export async function unfinishedExecutions(table: ExecutionTable): Promise<number[]> {
	const rows = await readTable(table);
	return rows.filter(({ status }) => status === 'new' || status === 'running').map(({ id }) => id);
}

async function readTable(
	{ host, userFolder, workflowId }: ExecutionTable,
	...withData: Array<'data'>
): Promise<StoredRow[]> {
	const database = join(userFolder, '.n8n', 'database.sqlite');
	const script = join(__dirname, 'readExecutionRows.mjs');
	const { stdout } = await execa(host.node.binary, [script, database, workflowId, ...withData]);
	return JSON.parse(stdout);
}

/**
 * What the trigger handed to the execution: its output, or, in an execution that was interrupted
 * before its end, what it was to begin with. n8n marks an output that it made up after a crash.
 */
export function handedOver(data: IRunExecutionData, triggerName: string): IDataObject[] {
	const runs = data.resultData?.runData?.[triggerName] ?? [];
	const output = runs
		.flatMap((run) => run.data?.main?.[0] ?? [])
		.map(({ json }) => json)
		.filter(({ isArtificialRecoveredEventItem }) => !isArtificialRecoveredEventItem);
	if (output.length > 0) return output;
	const waiting = data.executionData?.nodeExecutionStack ?? [];
	return waiting
		.filter(({ node }) => node.name === triggerName)
		.flatMap((call) => call.data.main[0] ?? [])
		.map(({ json }) => json);
}
