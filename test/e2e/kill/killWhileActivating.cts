import { setTimeout as sleep } from 'node:timers/promises';
import { fraction } from '../../../sandbox/deterministic.cts';
import { activateWorkflow } from '../../../scripts/n8n/workflows.cts';
import { waitUntil } from '../../../scripts/waitUntil.cts';
import { TRIGGER_NAME } from '../triggerInN8n/triggerWorkflow.cts';
import { readExecutionRows, type ExecutionTable } from '../triggerInN8n/executionRows.cts';
import type { KillRunOptions } from './killWhileRunning.cts';
import { startQuickly } from './n8nLife.cts';
import { startPollingN8n, type PollingN8n } from '../triggerInN8n/pollingN8n.cts';

/** Time between the activation's poll and the kill, in milliseconds; shorter than to the first tick. */
const LONGEST_DELAY_MS = 8_000;
const TICK_AFTER_S = 25;
const FIRST_DELIVERY = { everyMs: 1_000, withinMs: 150_000 };
const POLL_WITHIN_MS = 60_000;

/** What "start from now" loses when n8n is killed before its first tick. */
export interface ActivationLoss {
	/** Kills after which entries were missing. */
	killsWithLoss: number;
	/** Entries that appeared after the activation and were never delivered, over all kills. */
	lost: number;
	/** The longest stretch of the log that was missing, in milliseconds. */
	longestGapMs: number;
}

/**
 * Activates a workflow that starts from now, kills n8n between the activation's poll and the first
 * tick, starts it again and looks which entries since the activation were delivered; once per kill,
 * with a new workflow each.
 */
export async function killWhileActivating(options: KillRunOptions): Promise<ActivationLoss> {
	const { mode, kills, seed, say } = options;
	const polling = await startPollingN8n({ ...options, settings: mode.settings });
	const loss: ActivationLoss = { killsWithLoss: 0, lost: 0, longestGapMs: 0 };
	for (let kill = 0; kill < kills; kill += 1) {
		const delayMs = Math.floor(fraction(seed, kill) * LONGEST_DELAY_MS);
		const missing = await missingAfterKill(polling, options, `Killed early ${kill + 1}`, delayMs);
		if (missing.lost > 0) loss.killsWithLoss += 1;
		loss.lost += missing.lost;
		loss.longestGapMs = Math.max(loss.longestGapMs, missing.gapMs);
		say(
			`  kill ${kill + 1} of ${kills}, ${delayMs} ms after the activation: ${missing.lost} entries lost`,
		);
	}
	return loss;
}

async function missingAfterKill(
	polling: PollingN8n,
	{ host, mode }: KillRunOptions,
	name: string,
	delayMs: number,
): Promise<{ lost: number; gapMs: number }> {
	const { n8n, sandbox, polls } = polling;
	const firstTick = new Date(Date.now() + TICK_AFTER_S * 1000).getUTCSeconds();
	const workflow = await polling.addWorkflow({
		name,
		startFrom: 'now',
		pollSeconds: [firstTick],
		options: mode.options,
	});
	const polled = polls.afterPoll(1, 0, POLL_WITHIN_MS);
	await Promise.all([activateWorkflow(n8n.session, workflow), polled]);
	const activatedAt = polls.lastAnswer;
	await sleep(delayMs);
	await n8n.kill();
	await startQuickly(n8n);
	const table = { host, userFolder: n8n.userFolder, workflowId: workflow.id };
	const firstDelivered = await firstDelivery(table);
	await n8n.session.call('POST', `/workflows/${workflow.id}/deactivate`);
	const missing = sandbox.entryIds(activatedAt + 1, firstDelivered - 1);
	return {
		lost: missing.length,
		gapMs: missing.length > 0 ? firstDelivered - activatedAt : 0,
	};
}

/** When the first entry of the first execution was created, in milliseconds since the epoch. */
async function firstDelivery(table: ExecutionTable): Promise<number> {
	let first: string | undefined;
	const delivered = async (): Promise<boolean> => {
		const rows = await readExecutionRows(table, TRIGGER_NAME);
		first = rows.flatMap(({ entries }) => entries).at(0)?.createdAt as string | undefined;
		return first !== undefined;
	};
	await waitUntil('nothing was delivered', delivered, FIRST_DELIVERY);
	return Date.parse(String(first));
}
