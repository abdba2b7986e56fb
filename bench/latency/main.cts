/**
 * `npm run bench:latency`: how long an entry takes from the console's log into an execution row of the
 * real n8n, polled once a minute as n8n does at most.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Teardown } from '../../scripts/demo/teardown.cts';
import { markdownTable } from '../../scripts/measurements/markdownTable.cts';
import {
	measuredNow,
	originOf,
	record,
	type Records,
} from '../../scripts/measurements/records.cts';
import { activateWorkflow } from '../../scripts/n8n/workflows.cts';
import { TRIGGER_NAME } from '../../test/e2e/triggerInN8n/auditLogWorkflow.cts';
import { readExecutionRows } from '../../test/e2e/triggerInN8n/executionRows.cts';
import { hostAndPackage } from '../../scripts/n8n/hostAndPackage.cts';
import { interruptible } from '../../scripts/interruptible.cts';
import { startPollingN8n } from '../../test/e2e/triggerInN8n/pollingN8n.cts';

const ENTRIES_PER_MINUTE = 60;
const POLL_SECOND = 30;
const SETTLED_AFTER_MS = 5_000;

/** In milliseconds, over all entries. */
interface LatencyFigures {
	entries: number;
	executions: number;
	median: number;
	p95: number;
	longest: number;
	/** From the newest entry of an execution to its row: what is not waiting for the next poll. */
	shortestOfExecutions: number;
}

async function main(args: string[], teardown: Teardown): Promise<number> {
	const { values } = parseArgs({
		args,
		options: {
			minutes: { type: 'string', default: '5' },
			record: { type: 'boolean', default: false },
		},
	});
	const figures = await measure(Number(values.minutes), teardown);
	const command = ['npm run bench:latency --', ...args].join(' ');
	const measured = { 'One poll a minute': measuredNow(command, figures) };
	console.log(latencyTable(measured));
	if (values.record) await record('latency', measured, latencyPage);
	return 0;
}

async function measure(minutes: number, teardown: Teardown): Promise<LatencyFigures> {
	const { host, tarball } = await hostAndPackage((line) => console.log(line), teardown);
	const polling = await startPollingN8n({
		host,
		tarball,
		settings: {},
		entriesPerMinute: ENTRIES_PER_MINUTE,
		seed: 1,
		teardown,
	});
	const workflow = await polling.addWorkflow({
		name: 'Polled once a minute',
		startFrom: 'now',
		pollSeconds: [POLL_SECOND],
	});
	await activateWorkflow(polling.n8n.session, workflow);
	await sleep(minutes * 60_000 + SETTLED_AFTER_MS);
	const { userFolder } = polling.n8n;
	const rows = await readExecutionRows({ host, userFolder, workflowId: workflow.id }, TRIGGER_NAME);
	const perExecution = rows.map(({ createdAt, entries }) =>
		entries.map((entry) => createdAt - Date.parse(String(entry.createdAt))),
	);
	const all = perExecution.flat().sort((a, b) => a - b);
	const at = (share: number): number => all[Math.floor(share * (all.length - 1))];
	return {
		entries: all.length,
		executions: rows.length,
		median: at(0.5),
		p95: at(0.95),
		longest: at(1),
		shortestOfExecutions: Math.min(...perExecution.map((one) => Math.min(...one))),
	};
}

function latencyTable(records: Records<LatencyFigures>): string {
	const rows = Object.entries(records).map(([name, { figures }]) => [
		name,
		figures.entries,
		figures.executions,
		...[figures.median, figures.p95, figures.longest, figures.shortestOfExecutions].map(inSeconds),
	]);
	return markdownTable(
		['', 'Entries', 'Executions', 'Median (s)', '95 % (s)', 'Longest (s)', 'Shortest (s)'],
		rows,
	);
}

const inSeconds = (milliseconds: number): number => Math.round(milliseconds / 10) / 100;

function latencyPage(records: Records<LatencyFigures>): string {
	return `# From the log to the workflow

How long an entry takes from the moment at which the console shows it to the execution row that n8n
writes for it, in the real n8n on SQLite. Nearly all of it is waiting for the next poll, which n8n
starts once a minute at most; the shortest is an entry that appeared just before a poll. Written by
the command below with \`--record\`.

${originOf(records)}

${latencyTable(records)}
`;
}

void interruptible((teardown) => main(process.argv.slice(2), teardown));
