import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../../../scripts/waitUntil.cts';
import { startQuickly } from '../kill/n8nLife.cts';
import type { ExecutionLedger } from './executionLedger.cts';
import type { QueueN8n } from './queueN8n.cts';

const BEGINS = { everyMs: 100, withinMs: 150_000 };
const NOTICED = { everyMs: 500, withinMs: 90_000 };

/** An execution whose worker was killed, and what n8n made of it. */
export interface Interrupted {
	id: number;
	worker: string;
	/** From the kill until n8n had noticed. */
	noticedAfterMs: number;
}

/** When a worker is killed. */
export interface WorkerKill {
	/** After the beginning of an execution with entries, which works for two seconds. */
	delayMs: number;
	/** Which one from now on: 1 is the next. */
	nth: number;
}

/**
 * Kills a worker while it executes, and starts it again.
 * @returns `undefined` where the execution had ended before the kill.
 */
export async function killAtWork(
	n8n: QueueN8n,
	ledger: ExecutionLedger,
	{ delayMs, nth }: WorkerKill,
): Promise<Interrupted | undefined> {
	const { id, worker } = await executionFromNowOn(n8n, ledger, nth);
	await sleep(delayMs);
	const process = n8n.workers.get(worker);
	if (!process) throw new Error(`There is no ${worker}.`);
	await process.kill();
	const killed = Date.now();
	const isHit = (await ledger.look()).get(id)?.status === 'running';
	await startQuickly(process);
	if (!isHit) return undefined;
	await waitUntil(
		`n8n did not notice that execution ${id} had lost its worker`,
		async () => (await ledger.look()).get(id)?.status !== 'running',
		NOTICED,
	);
	return { id, worker, noticedAfterMs: Date.now() - killed };
}

/**
 * The nth execution with entries that a worker begins. Others have none: those of the Error Workflow,
 * and those by which the trigger has n8n store that a batch is delivered.
 */
async function executionFromNowOn(
	n8n: QueueN8n,
	ledger: ExecutionLedger,
	nth: number,
): Promise<{ id: number; worker: string }> {
	const known = new Set([...(await n8n.startedExecutions()).values()].flat());
	let found: { id: number; worker: string } | undefined;
	const begun = async () => {
		const started = [...(await n8n.startedExecutions())]
			.flatMap(([worker, ids]) => ids.map((id) => ({ id, worker })))
			.filter(({ id }) => !known.has(id));
		const executions = await ledger.look();
		const withEntries = started.filter(({ id }) => executions.get(id)?.handedOver.length);
		found = withEntries.sort((one, other) => one.id - other.id)[nth - 1];
		return found !== undefined;
	};
	await waitUntil('no worker began an execution', begun, BEGINS);
	return found!;
}
