import type { IDataObject } from 'n8n-workflow';
import { activateWorkflow } from '../../../scripts/n8n/workflows.cts';
import { waitUntil } from '../../../scripts/waitUntil.cts';
import { countDeliveries } from '../kill/deliveryCount.cts';
import { TRIGGER_NAME } from './triggerWorkflow.cts';
import { readExecutionRows, unfinishedExecutions, type ExecutionTable } from './executionRows.cts';
import type { PollingN8n } from './pollingN8n.cts';

/** A poll every ten seconds. */
const POLL_SECONDS = [3, 13, 23, 33, 43, 53];
const POLL_WITHIN_MS = 90_000;
const SETTLED_AFTER_MS = 500;
/** One poll may have been under way; the second is wholly of what came before. */
const POLLS = 2;
const ENDS = { everyMs: 1_000, withinMs: 60_000 };

/** A workflow with the trigger that stays active over what is done to n8n and the package. */
export class ContinuousTrigger {
	private workflowId = '';

	/** @param options Of the trigger. */
	constructor(
		private readonly polling: PollingN8n,
		private readonly options: IDataObject = {},
	) {}

	/** The workflow's. */
	get id(): string {
		return this.workflowId;
	}

	/** @param activate How this n8n activates a workflow. */
	async start(activate = activateWorkflow): Promise<string> {
		const { n8n } = this.polling;
		const workflow = await this.polling.addWorkflow({
			name: ['Active all the time', ...Object.values(this.options)].join(', '),
			options: this.options,
			startFrom: 'oldest',
			pollSeconds: POLL_SECONDS,
		});
		this.workflowId = workflow.id;
		const polled = this.polls();
		await Promise.all([activate(n8n.session, workflow), polled]);
		return `${await this.delivered()} entries so far`;
	}

	/** Waits for further polls. @returns how many entries they brought */
	async delivers(): Promise<number> {
		const before = await this.delivered();
		await this.polls();
		const more = (await this.delivered()) - before;
		if (more > 0) return more;
		throw new Error('Nothing more was delivered.');
	}

	/** Lets everything come to an end and compares n8n's execution rows with the console's log. */
	async compare(): Promise<string> {
		const { sandbox } = this.polling;
		sandbox.configure({ console: { ratePerMinute: 0 } });
		await this.polls();
		const ended = async () => (await unfinishedExecutions(this.table())).length === 0;
		await waitUntil('executions did not end', ended, ENDS);
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
