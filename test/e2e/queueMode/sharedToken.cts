import axios from 'axios';
import {
	failureOf,
	listExecutions,
	outputOf,
	readExecution,
} from '../../../scripts/n8n/executions.cts';
import { activateWorkflow, createWorkflow, runWorkflow } from '../../../scripts/n8n/workflows.cts';
import { duration } from '../../../scripts/progress.cts';
import { waitUntil } from '../../../scripts/waitUntil.cts';
import { mostInWindow } from './mostInWindow.cts';
import { URLS_PER_LIST, type QueueSetting } from './queueSetting.cts';
import { MANUAL_START, SCAN_NAME, scanningWorkflow } from './queueWorkflows.cts';

/** What the service grants; the credential says 100, so only its 429s tell of it. */
const CALLS_PER_MINUTE = 40;
const ON_WORKERS = 4;
const ON_MAIN = 2;
const WEBHOOK = 'scan-a-list';
const WEBHOOK_THERE = { everyMs: 500, withinMs: 30_000 };
const ALL_END = { everyMs: 1_000, withinMs: 240_000 };
/** The share of calls that may be refused while three processes find out what the others leave them. */
const MOST_REFUSED = 0.5;

/** Executions on both workers and on the main process scan at the same time, with one token. */
export async function shareToken(setting: QueueSetting): Promise<string> {
	const { n8n, sandbox, credentials, receiver } = setting;
	const { session, url } = n8n.main;
	const credential = credentials.get('contentScanApi');
	if (!credential) throw new Error('The credential of the service was not made.');
	sandbox.configure({ scanning: { callsPerMinute: CALLS_PER_MINUTE } });
	const workflow = await createWorkflow(
		session,
		scanningWorkflow(credential, receiver.url, WEBHOOK),
	);
	await activateWorkflow(session, workflow);
	const started = Date.now();
	// n8n registers a webhook some time after it has answered the activation.
	const taken = async () => (await callWebhook(url)) === 200;
	await waitUntil('the webhook was not there', taken, WEBHOOK_THERE);
	for (let count = 1; count < ON_WORKERS; count++) {
		if (!(await taken())) throw new Error('The webhook did not take a call.');
	}
	for (let count = 0; count < ON_MAIN; count++) {
		await runWorkflow(session, workflow.id, MANUAL_START);
	}
	const executions = async () => await listExecutions(session, workflow.id);
	const ended = async () => {
		const all = await executions();
		return all.length === ON_WORKERS + ON_MAIN && all.every(({ stoppedAt }) => stoppedAt);
	};
	await waitUntil('not all scans ended', ended, ALL_END);
	const took = Date.now() - started;

	const ids = (await executions()).map(({ id }) => Number(id));
	const faults = [
		...(await placeFaults(setting, ids)),
		...(await scanFaults(setting, ids)),
		...submissionFaults(setting),
	];
	const calls = sandbox.journal.entries().filter(({ service }) => service === 'scan');
	const accepted = calls.filter(({ status }) => status !== 429);
	const most = mostInWindow(accepted);
	const refused = calls.length - accepted.length;
	if (most > CALLS_PER_MINUTE) faults.push(`${most} calls were accepted within 60 s`);
	if (refused === 0) faults.push('no call was refused, so the limit was not felt');
	if (refused > MOST_REFUSED * calls.length) faults.push(`${refused} calls were refused`);
	if (faults.length > 0) throw new Error(faults.join('; '));
	return `${ids.length} executions, ${ids.length * URLS_PER_LIST} scans with their verdicts, none twice, in ${duration(took)}; ${calls.length} calls, ${refused} of them refused, at most ${most} accepted and ${mostInWindow(calls)} sent within 60 s where ${CALLS_PER_MINUTE} are licensed`;
}

/** @returns the status of the answer */
async function callWebhook(url: string): Promise<number> {
	const options = { proxy: false, validateStatus: () => true } as const;
	return (await axios.post(`${url}/webhook/${WEBHOOK}`, {}, options)).status;
}

/** Both workers and the main process must have had their part. */
async function placeFaults({ n8n }: QueueSetting, ids: readonly number[]): Promise<string[]> {
	const onWorkers = [...(await n8n.startedExecutions())].map(([worker, begun]) => ({
		worker,
		count: ids.filter((id) => begun.includes(id)).length,
	}));
	const idle = onWorkers.filter(({ count }) => count === 0);
	const onMain = ids.length - onWorkers.reduce((sum, { count }) => sum + count, 0);
	return [
		...idle.map(({ worker }) => `${worker} had no execution`),
		...(onMain === ON_MAIN ? [] : [`${onMain} executions were on the main process`]),
	];
}

/** Every scan must have come to its verdict. */
async function scanFaults({ n8n }: QueueSetting, ids: readonly number[]): Promise<string[]> {
	const faults: string[] = [];
	for (const id of ids) {
		const execution = await readExecution(n8n.main.session, String(id));
		const finished = outputOf(execution, SCAN_NAME).filter(
			({ json }) => json.status === 'finished' && json.verdict === 'clean',
		);
		if (execution.status === 'success' && finished.length === URLS_PER_LIST) continue;
		const failure = failureOf(execution) ?? '';
		faults.push(`execution ${id}: ${execution.status}, ${finished.length} scans. ${failure}`);
	}
	return faults;
}

/** By what the service has: each URL submitted once. */
function submissionFaults({ sandbox, receiver }: QueueSetting): string[] {
	const submitted = sandbox
		.scans('us')
		.filter(({ record }) => record.type === 'URL')
		.map(({ record }) => String(record.path));
	const wanted = receiver.handedOut.flat();
	const missing = wanted.filter((url) => !submitted.includes(url));
	const twice = submitted.filter((url, place) => submitted.indexOf(url) !== place);
	return [
		...missing.map((url) => `${url} was not submitted`),
		...twice.map((url) => `${url} was submitted twice`),
	];
}
