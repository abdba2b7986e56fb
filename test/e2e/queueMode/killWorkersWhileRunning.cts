import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fraction } from '../../../sandbox/deterministic.cts';
import { activateWorkflow, createWorkflow } from '../../../scripts/n8n/workflows.cts';
import { waitUntil } from '../../../scripts/waitUntil.cts';
import type { KillMode } from '../kill/modes.cts';
import { TRIGGER_NAME } from '../triggerInN8n/triggerWorkflow.cts';
import { receivedCount, type ReceivedCount } from './deliveries.cts';
import { ExecutionLedger } from './executionLedger.cts';
import { killAtWork } from './killedWorkers.cts';
import { startQueueSetting, type QueueContext, type QueueSetting } from './queueSetting.cts';
import { deliveringWorkflow } from './queueWorkflows.cts';

/** An execution works for two seconds and then tells the receiver: some are killed after that. */
const LONGEST_DELAY_MS = 2_300;
const SETTLED_AFTER_MS = 500;
const POLL_WITHIN_MS = 60_000;
/** When nothing new comes in: these polls could bring what is twice. */
const LAST_POLLS = 2;
/** A batch that was interrupted three times comes again after a minute. */
const ALL_COMES = { everyMs: 500, withinMs: 180_000 };
const WORK_ENDS = { everyMs: 500, withinMs: 60_000 };

export interface WorkerKillOptions extends Omit<QueueContext, 'folder'> {
	mode: KillMode;
	kills: number;
	seed: number;
}

/**
 * Runs the trigger in n8n's queue mode on Redis and PostgreSQL and kills workers at work, one after the
 * other; at the end compares what the workflow's receiver got with the console's log.
 */
export async function killWorkersWhileRunning(options: WorkerKillOptions): Promise<ReceivedCount> {
	const { mode, kills, seed, say, teardown } = options;
	const folder = await mkdtemp(join(tmpdir(), 'content-scan-queue-'));
	teardown.add(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
	const setting = await startQueueSetting({ ...options, folder }, mode.settings);
	const { n8n, receiver, database } = setting;
	const { session } = n8n.main;
	const credential = setting.credentials.get(mode.trigger.credentialType);
	if (!credential) throw new Error('The credential of the trigger was not made.');
	const workflow = await createWorkflow(
		session,
		deliveringWorkflow(credential, receiver.url, { options: mode.options }),
	);
	await activateWorkflow(session, workflow);
	const ledger = new ExecutionLedger(database, workflow.id, TRIGGER_NAME);
	const following = new AbortController();
	teardown.add(async () => following.abort());
	const followed = ledger.follow(following.signal);

	const interrupted = new Set<number>();
	for (let kill = 0; kill < kills; kill += 1) {
		const delayMs = Math.floor(fraction(seed, kill) * LONGEST_DELAY_MS);
		// What comes again comes first: only every third kill hits it once more.
		const hit = await killAtWork(n8n, ledger, { delayMs, nth: kill % 3 === 0 ? 1 : 2 });
		if (hit) interrupted.add(hit.id);
		say(
			`  kill ${kill + 1} of ${kills}, ${delayMs} ms after the start of an execution: ${hit ? `execution ${hit.id} interrupted` : 'it had ended'}`,
		);
	}
	const produced = await bringToAnEnd(setting, mode, ledger);
	following.abort();
	await followed;
	return receivedCount(produced, await ledger.look(), receiver.deliveries, interrupted);
}

/** Until n8n has done everything that it will ever do. @returns all ids there were to deliver */
async function bringToAnEnd(
	{ sandbox, polls, receiver }: QueueSetting,
	{ trigger }: KillMode,
	ledger: ExecutionLedger,
): Promise<string[]> {
	sandbox.configure(trigger.arrivals(0));
	const produced = trigger.ids(sandbox);
	const allThere = async () => {
		const received = new Set(receiver.deliveries.flatMap(({ ids }) => ids));
		return produced.every((id) => received.has(id));
	};
	// What does not come counts as lost.
	await waitUntil('not all came', allThere, ALL_COMES).catch(() => {});
	await polls.afterPoll(LAST_POLLS, SETTLED_AFTER_MS, LAST_POLLS * POLL_WITHIN_MS);
	const ended = async () =>
		[...(await ledger.look()).values()].every(({ status }) => !['new', 'running'].includes(status));
	await waitUntil('executions did not end', ended, WORK_ENDS);
	return produced;
}
