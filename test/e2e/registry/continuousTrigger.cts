import { readFile } from 'node:fs/promises';
import { activateWorkflow } from '../../../scripts/n8n/workflows.cts';
import { waitUntil } from '../../../scripts/waitUntil.cts';
import { countDeliveries } from '../kill/deliveryCount.cts';
import { TRIGGER_NAME } from '../triggerInN8n/auditLogWorkflow.cts';
import {
	readExecutionRows,
	unfinishedExecutions,
	type ExecutionTable,
} from '../triggerInN8n/executionRows.cts';
import type { PollingN8n } from '../triggerInN8n/pollingN8n.cts';
import { POLLED_BY } from './nextVersion.cts';

/** A poll every ten seconds. */
const POLL_SECONDS = [3, 13, 23, 33, 43, 53];
const POLL_WITHIN_MS = 90_000;
const SETTLED_AFTER_MS = 500;
/** One poll may have been under way; the second is wholly of what came before. */
const POLLS = 2;
const ENDS = { everyMs: 1_000, withinMs: 60_000 };

/** A workflow with the trigger that is active from the installation to the end. */
export class ContinuousTrigger {
	private workflowId = '';

	constructor(private readonly polling: PollingN8n) {}

	async start(): Promise<string> {
		const { n8n } = this.polling;
		const workflow = await this.polling.addWorkflow({
			name: 'Active over the update',
			startFrom: 'oldest',
			pollSeconds: POLL_SECONDS,
		});
		this.workflowId = workflow.id;
		const polled = this.polls();
		await Promise.all([activateWorkflow(n8n.session, workflow), polled]);
		return `${await this.delivered()} entries so far`;
	}

	/** @throws Error when it is another version that polls, by n8n's log */
	async afterUpdate(version: string): Promise<string> {
		const before = await this.delivered();
		await this.polls();
		const after = await this.delivered();
		if (after <= before) throw new Error('Nothing was delivered after the update.');
		const log = await readFile(this.polling.n8n.logFile, 'utf8');
		if (!log.includes(`${POLLED_BY} ${version}`)) {
			throw new Error(`The active workflow does not poll with version ${version}.`);
		}
		return `${after - before} more entries, by version ${version}`;
	}

	async afterRestart(): Promise<void> {
		await this.polls();
	}

	/** Lets everything come to an end and compares n8n's execution rows with the console's log. */
	async compare(): Promise<string> {
		const { n8n, sandbox } = this.polling;
		sandbox.configure({ console: { ratePerMinute: 0 } });
		await this.polls();
		const ended = async () => (await unfinishedExecutions(this.table())).length === 0;
		await waitUntil('executions did not end', ended, ENDS);
		await n8n.session.call('POST', `/workflows/${this.workflowId}/deactivate`);
		const rows = await readExecutionRows(this.table(), TRIGGER_NAME);
		const count = countDeliveries(sandbox.entryIds().map(String), rows, new Set());
		const { produced, lost, twice, invented, failed, executions } = count;
		const faults = { lost: lost.length, twice: twice.length, invented: invented.length, failed };
		const found = Object.entries(faults).filter(([, number]) => number > 0);
		if (found.length > 0) {
			throw new Error(`${found.map(([what, number]) => `${number} ${what}`).join(', ')}.`);
		}
		return `${produced} entries in ${executions} executions`;
	}

	private async polls(): Promise<void> {
		const { polls } = this.polling;
		await polls.afterPoll(POLLS, SETTLED_AFTER_MS, POLLS * POLL_WITHIN_MS);
	}

	private async delivered(): Promise<number> {
		const rows = await readExecutionRows(this.table(), TRIGGER_NAME);
		return rows.reduce((sum, { entries }) => sum + entries.length, 0);
	}

	private table(): ExecutionTable {
		const { host, n8n } = this.polling;
		return { host, userFolder: n8n.userFolder, workflowId: this.workflowId };
	}
}
