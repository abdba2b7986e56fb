import { setTimeout as sleep } from 'node:timers/promises';
import { activateWorkflow } from '../../../scripts/n8n/workflows.cts';
import { duration, type Say } from '../../../scripts/progress.cts';
import { waitUntil } from '../../../scripts/waitUntil.cts';
import { TRIGGER_NAME } from '../triggerInN8n/triggerWorkflow.cts';
import { nextDatabaseWrite } from './databaseWrites.cts';
import { countDeliveries, type DeliveryCount } from './deliveryCount.cts';
import {
	readExecutionRows,
	unfinishedExecutions,
	type ExecutionTable,
} from '../triggerInN8n/executionRows.cts';
import { describeMoment, killPlan, onePollLater, type KillMoment } from './killPlan.cts';
import type { KillMode } from './modes.cts';
import { startAndKill, startQuickly } from './n8nLife.cts';
import {
	startPollingN8n,
	type PollingN8n,
	type PollingN8nOptions,
} from '../triggerInN8n/pollingN8n.cts';

/** A poll every ten seconds: a kill finds one soon, and many polls fit into a run. */
const POLL_SECONDS = [3, 13, 23, 33, 43, 53];
/** A batch that was interrupted three times comes again after a minute. */
const POLL_WITHIN_MS = 150_000;
/** When nothing new comes in: these polls could bring what is twice. */
const LAST_POLLS = 2;
/** A scan is looked for ever more rarely, and a batch that was interrupted makes a pause. */
const ALL_COMES = { everyMs: 5_000, withinMs: 300_000 };
const SETTLED_AFTER_MS = 500;
/** A poll that found nothing new writes nothing; n8n is killed all the same. */
const WRITE_WITHIN_MS = 3_000;
const WORK_ENDS = { everyMs: 1_000, withinMs: 60_000 };

export interface KillRunOptions extends Omit<PollingN8nOptions, 'settings'> {
	mode: KillMode;
	kills: number;
	say: Say;
}

/**
 * Runs an active workflow with the trigger in a real n8n, kills n8n at the planned moments and starts
 * it again on the same folder; at the end compares the execution rows with the console's log.
 */
export async function killWhileRunning(options: KillRunOptions): Promise<DeliveryCount> {
	const { mode, kills, seed, say } = options;
	const { settings, trigger } = mode;
	const polling = await startPollingN8n({ ...options, settings, trigger });
	const { n8n, polls } = polling;
	const workflow = await polling.addWorkflow({
		name: 'Killed while it runs',
		startFrom: 'oldest',
		pollSeconds: POLL_SECONDS,
		options: mode.options,
	});
	const table = { host: options.host, userFolder: n8n.userFolder, workflowId: workflow.id };
	const firstPoll = polls.afterPoll(1, SETTLED_AFTER_MS, POLL_WITHIN_MS);
	await Promise.all([activateWorkflow(n8n.session, workflow), firstPoll]);
	await n8n.stop();

	const interrupted = new Set<number>();
	for (const [index, planned] of killPlan(kills, seed).entries()) {
		// What comes again comes first: only every third kill hits it once more.
		const isLater = mode.options.moveOn !== undefined && index % 3 !== 0;
		const moment = isLater ? onePollLater(planned) : planned;
		const started = Date.now();
		await startAndKill(n8n, () => momentOf(moment, polling));
		const unfinished = await unfinishedExecutions(table);
		const fresh = unfinished.filter((id) => !interrupted.has(id));
		for (const id of fresh) interrupted.add(id);
		say(
			`  kill ${index + 1} of ${kills}, ${describeMoment(moment)}: ${fresh.length} executions interrupted (${duration(Date.now() - started)})`,
		);
	}
	const count = async () => {
		const rows = await readExecutionRows(table, TRIGGER_NAME);
		return countDeliveries(trigger.ids(polling.sandbox), rows, interrupted);
	};
	polling.sandbox.configure(trigger.arrivals(0));
	await startQuickly(n8n);
	if (mode.forbids.includes('lost')) {
		const isAllThere = async () => (await count()).lost.length === 0;
		// What does not come counts as lost.
		await waitUntil('not all came', isAllThere, ALL_COMES).catch(() => {});
	}
	await bringToAnEnd(polling, table);
	return await count();
}

async function momentOf(moment: KillMoment, { polls, n8n }: PollingN8n): Promise<void> {
	if (moment.kind === 'anywhere') {
		await sleep(moment.delayMs);
		return;
	}
	if (moment.kind === 'answer') {
		await polls.afterPoll(moment.poll, moment.delayMs, POLL_WITHIN_MS);
		return;
	}
	await polls.afterPoll(moment.poll, 0, POLL_WITHIN_MS);
	await nextDatabaseWrite(n8n.userFolder, AbortSignal.timeout(WRITE_WITHIN_MS));
	await sleep(moment.delayMs);
}

/** Until everything that n8n will ever do has been done. */
async function bringToAnEnd({ n8n, polls }: PollingN8n, table: ExecutionTable): Promise<void> {
	await polls.afterPoll(LAST_POLLS, SETTLED_AFTER_MS, LAST_POLLS * POLL_WITHIN_MS);
	await waitUntil(
		'executions did not end',
		async () => (await unfinishedExecutions(table)).length === 0,
		WORK_ENDS,
	).catch(() => {}); // What n8n leaves unfinished is counted as such.
	await n8n.stop();
}
