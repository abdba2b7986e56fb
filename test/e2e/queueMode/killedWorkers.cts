import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../../../scripts/waitUntil.cts';
import { startQuickly } from '../kill/n8nLife.cts';
import type { ExecutionLedger } from './executionLedger.cts';
import type { QueueN8n } from './queueN8n.cts';

const BEGINS = { everyMs: 100, withinMs: 60_000 };
const NOTICED = { everyMs: 500, withinMs: 90_000 };
/** After the beginning of an execution, which works for two seconds. */
const KILL_AFTER_MS = [0, 1_000];

/** An execution whose worker was killed, and what n8n made of it. */
export interface Interrupted {
	id: number;
	worker: string;
	/** From the kill until n8n had noticed. */
	noticedAfterMs: number;
}

/** Kills workers while they execute, one after the other, and starts each again. */
export async function killWorkers(n8n: QueueN8n, ledger: ExecutionLedger): Promise<Interrupted[]> {
	const interrupted: Interrupted[] = [];
	for (const delayMs of KILL_AFTER_MS) interrupted.push(await killAtWork(n8n, ledger, delayMs));
	return interrupted;
}

async function killAtWork(
	n8n: QueueN8n,
	ledger: ExecutionLedger,
	delayMs: number,
): Promise<Interrupted> {
	const { id, worker } = await nextExecution(n8n, ledger);
	await sleep(delayMs);
	const process = n8n.workers.get(worker);
	if (!process) throw new Error(`There is no ${worker}.`);
	await process.kill();
	const killed = Date.now();
	const hit = (await ledger.look()).get(id);
	if (hit?.status !== 'running') {
		throw new Error(`Execution ${id} was '${hit?.status}' when its worker was killed.`);
	}
	await startQuickly(process);
	await waitUntil(
		`n8n did not notice that execution ${id} had lost its worker`,
		async () => (await ledger.look()).get(id)?.status !== 'running',
		NOTICED,
	);
	return { id, worker, noticedAfterMs: Date.now() - killed };
}

/** The next execution of the workflow that a worker begins; its Error Workflow has others. */
async function nextExecution(
	n8n: QueueN8n,
	ledger: ExecutionLedger,
): Promise<{ id: number; worker: string }> {
	const known = new Set([...(await n8n.startedExecutions()).values()].flat());
	let found: { id: number; worker: string } | undefined;
	const begun = async () => {
		for (const [worker, ids] of await n8n.startedExecutions()) {
			for (const id of ids.filter((one) => !known.has(one))) {
				if ((await ledger.look()).has(id)) found = { id, worker };
			}
		}
		return found !== undefined;
	};
	await waitUntil('no worker began an execution', begun, BEGINS);
	if (!found) throw new Error('No worker began an execution.');
	return found;
}
