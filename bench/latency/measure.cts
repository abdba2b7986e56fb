import { setTimeout as sleep } from 'node:timers/promises';
import { activateWorkflow } from '../../scripts/n8n/workflows.cts';
import { TRIGGER_NAME } from '../../test/e2e/triggerInN8n/auditLogWorkflow.cts';
import { readExecutionRows } from '../../test/e2e/triggerInN8n/executionRows.cts';
import { startPollingN8n } from '../../test/e2e/triggerInN8n/pollingN8n.cts';
import type { Bench, Outcome } from '../measurement.cts';
import { valueFinding } from '../results/finding.cts';

const MINUTES = 5;
const ENTRIES_PER_MINUTE = 60;
const POLL_SECOND = 30;
const SETTLED_AFTER_MS = 5_000;

/** How long an entry takes from the console's log into an execution row of the real n8n. */
export async function measureLatency({ host, tarball, teardown }: Bench): Promise<Outcome> {
	const polling = await startPollingN8n({
		...{ host, tarball, settings: {}, seed: 1, teardown },
		entriesPerMinute: ENTRIES_PER_MINUTE,
	});
	const workflow = await polling.addWorkflow({
		name: 'Polled once a minute',
		startFrom: 'now',
		pollSeconds: [POLL_SECOND],
	});
	await activateWorkflow(polling.n8n.session, workflow);
	await sleep(MINUTES * 60_000 + SETTLED_AFTER_MS);
	const { userFolder } = polling.n8n;
	const rows = await readExecutionRows({ host, userFolder, workflowId: workflow.id }, TRIGGER_NAME);
	const seconds = rows
		.flatMap(({ createdAt, entries }) =>
			entries.map((entry) => (createdAt - Date.parse(String(entry.createdAt))) / 1000),
		)
		.sort((a, b) => a - b);
	const at = (share: number): number => seconds[Math.floor(share * (seconds.length - 1))];
	const one = (name: string, share: number) => valueFinding(name, at(share), 's');
	return {
		findings: [one('shortest', 0), one('median', 0.5), one('95 %', 0.95), one('longest', 1)],
		details: `${seconds.length} entries in ${MINUTES} minutes, from the moment at which the console shows one to the execution
row that n8n writes for it, on SQLite. Nearly all of it is waiting for the next poll, which n8n starts
once a minute at most; the shortest is an entry that appeared just before a poll.`,
	};
}
