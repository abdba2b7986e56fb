import { setTimeout as sleep } from 'node:timers/promises';
import { activateWorkflow, createWorkflow } from '../../../scripts/n8n/workflows.cts';
import { waitUntil } from '../../../scripts/waitUntil.cts';
import { killMode } from '../kill/modes.cts';
import type { Part, PartContext } from '../part.cts';
import { TRIGGER_NAME } from '../triggerInN8n/triggerWorkflow.cts';
import { deliveryFaults, deliveryFigures } from './deliveries.cts';
import { ExecutionLedger } from './executionLedger.cts';
import { killAtWork, type Interrupted } from './killedWorkers.cts';
import { startQueueSetting, type QueueSetting } from './queueSetting.cts';
import { deliveringWorkflow, reportingWorkflow } from './queueWorkflows.cts';
import { shareToken } from './sharedToken.cts';

/** The workflow polls every ten seconds. */
const ONE_POLL_MISSED_MS = 12_000;
const POLL_WITHIN_MS = 60_000;
const SETTLED_AFTER_MS = 500;
const WORK_ENDS = { everyMs: 500, withinMs: 60_000 };

/** After the beginning of an execution, which works for two seconds. */
const KILL_AFTER_MS = [0, 1_000];

/** A main process and two workers, as n8n's queue mode has them. */
export const queueModePart: Part = {
	name: 'queueMode',
	title: 'a main process and two workers: who polls, killed workers, one token for all',
	run: async (context) => {
		let setting: QueueSetting | undefined;
		await context.check('Redis, PostgreSQL, a main process and two workers', async () => {
			setting = await startQueueSetting(context);
			return [...setting.n8n.workers.keys()].join(', ');
		});
		if (!setting) throw new Error('Nothing was started.');
		await entriesArrive(context, setting);
		await context.check('Three processes share a token that is licensed for less', () =>
			shareToken(setting as QueueSetting),
		);
	},
};

/** Workers are killed in n8n's default mode, then with durable cursors, under one active workflow. */
async function entriesArrive(context: PartContext, setting: QueueSetting): Promise<void> {
	const { check } = context;
	const { n8n, sandbox, credentials, receiver, database } = setting;
	const credential = credentials.get('browserConsoleHeadersApi');
	if (!credential) throw new Error('The credential of the console was not made.');
	const { session } = n8n.main;
	const reporting = await createWorkflow(session, reportingWorkflow(receiver.failuresUrl));
	await activateWorkflow(session, reporting);
	const workflow = await createWorkflow(
		session,
		deliveringWorkflow(credential, receiver.url, { errorWorkflow: reporting.id }),
	);
	await activateWorkflow(session, workflow);
	const ledger = new ExecutionLedger(database, workflow.id, TRIGGER_NAME);
	const following = new AbortController();
	context.teardown.add(async () => following.abort());
	const followed = ledger.follow(following.signal);

	const interrupted: Interrupted[] = [];
	await check("Workers are killed at work, in n8n's default mode", async () => {
		const killed = await killWorkers(setting, ledger);
		interrupted.push(...killed);
		return describe(killed);
	});
	await check('While the main process is off, nobody polls', async () => {
		await n8n.main.stop();
		const [last] = sandbox.journal.entries().slice(-1);
		await sleep(ONE_POLL_MISSED_MS);
		const calls = sandbox.journal.entries(last?.sequence);
		if (calls.length > 0) throw new Error(`The console was called ${calls.length} times.`);
		return `${ONE_POLL_MISSED_MS / 1_000} s without a call`;
	});
	await check('Workers are killed at work, with durable cursors', async () => {
		await n8n.startMainWith(killMode('durable').settings);
		const killed = await killWorkers(setting, ledger);
		interrupted.push(...killed);
		const cursors = await database.query('SELECT 1 FROM poller_state');
		if (cursors.length !== 1) throw new Error(`${cursors.length} durable cursors.`);
		return describe(killed);
	});
	await check('Each entry was handed over once, and worked on unless its worker died', async () => {
		await bringToAnEnd(setting, ledger);
		following.abort();
		await followed;
		return await compare(setting, ledger, interrupted);
	});
	await check('What n8n keeps of an interrupted execution is as the page on queue mode says', () =>
		keptOf(setting, ledger, interrupted),
	);
	await check('The Error Workflow is told of each interrupted execution', () =>
		failuresTold(setting, interrupted),
	);
}

/** One after the other. */
async function killWorkers({ n8n }: QueueSetting, ledger: ExecutionLedger): Promise<Interrupted[]> {
	const interrupted: Interrupted[] = [];
	for (const delayMs of KILL_AFTER_MS) {
		const hit = await killAtWork(n8n, ledger, { delayMs, nth: 1 });
		if (!hit) throw new Error('An execution had ended before its worker was killed.');
		interrupted.push(hit);
	}
	return interrupted;
}

function describe(killed: readonly Interrupted[]): string {
	return killed
		.map(({ id, worker, noticedAfterMs }) => {
			const seconds = (noticedAfterMs / 1_000).toFixed(0);
			return `execution ${id} on ${worker}, noticed after ${seconds} s`;
		})
		.join('; ');
}

/** Until everything that n8n will ever deliver has been delivered. */
async function bringToAnEnd(
	{ sandbox, polls }: QueueSetting,
	ledger: ExecutionLedger,
): Promise<void> {
	sandbox.configure({ console: { ratePerMinute: 0 } });
	await polls.afterPoll(2, SETTLED_AFTER_MS, 2 * POLL_WITHIN_MS);
	const ended = async () =>
		[...(await ledger.look()).values()].every(({ status }) => !['new', 'running'].includes(status));
	await waitUntil('executions did not end', ended, WORK_ENDS);
}

/** n8n writes the error over what it had handed to the execution; a retry has nothing to begin with. */
async function keptOf(
	{ n8n, receiver }: QueueSetting,
	ledger: ExecutionLedger,
	interrupted: readonly Interrupted[],
): Promise<string> {
	const executions = await ledger.look();
	const kept = interrupted.flatMap(({ id }) => executions.get(id)?.kept ?? []);
	const before = receiver.deliveries.length;
	const { status } = await n8n.main.session.call<{ status: string }>(
		'POST',
		`/executions/${interrupted[0].id}/retry`,
		{},
	);
	const brought = receiver.deliveries.slice(before).flatMap(({ ids }) => ids);
	const found = `${kept.length} entries in their rows; a retry ends as ${status} with ${brought.length} entries`;
	if (kept.length + brought.length > 0) throw new Error(`${found}, where the page says none.`);
	return found;
}

async function failuresTold(
	{ receiver }: QueueSetting,
	interrupted: readonly Interrupted[],
): Promise<string> {
	const told = () => new Set(receiver.failures);
	const all = async () => interrupted.every(({ id }) => told().has(String(id)));
	await waitUntil('the Error Workflow did not tell of all', all, WORK_ENDS);
	return [...told()].join(', ');
}

async function compare(
	{ n8n, sandbox, receiver }: QueueSetting,
	ledger: ExecutionLedger,
	interrupted: readonly Interrupted[],
): Promise<string> {
	const executions = await ledger.look();
	const begun = [...(await n8n.startedExecutions()).values()].flat();
	const figures = deliveryFigures(
		sandbox.entryIds().map(String),
		executions,
		receiver.deliveries,
		new Set(interrupted.map(({ id }) => id)),
	);
	const notOnce = [...executions.keys()].filter(
		(id) => begun.filter((one) => one === id).length !== 1,
	);
	const faults = [
		...deliveryFaults(figures),
		...notOnce.map((id) => `execution ${id} did not begin on a worker once`),
	];
	if (faults.length > 0) throw new Error(faults.join('; '));
	const { entries, statuses } = figures.interrupted;
	return `${figures.produced} entries in ${figures.executions} executions, all on workers, none lost, none twice; ${interrupted.length} executions with ${entries} entries were interrupted and ended as ${statuses.join(', ')}`;
}
