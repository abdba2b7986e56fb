import {
	failureOf,
	finishedExecution,
	listExecutions,
	outputOf,
	readExecution,
	type Execution,
} from '../n8n/executions.cts';
import { runWorkflow } from '../n8n/workflows.cts';
import { duration, type Say } from '../progress.cts';
import { waitUntil } from '../waitUntil.cts';
import { readAuditLog } from './auditLogReader.cts';
import { compareEntries } from './entryComparison.cts';
import { checkExampleNodes } from './exampleNodeCheck.cts';
import { exampleNodes } from './exampleWorkflows.cts';
import { activateAuditLog, type Demo } from './startDemo.cts';

const SCANS_WITHIN_MS = 120_000;
/** n8n polls once a minute; two polls and a slow machine fit in. */
const ENTRIES_WITHIN_MS = 240_000;
const LOOK_EVERY_MS = 2_000;
/** How long after the activation n8n may make its first poll, from which "now" counts. */
const FIRST_POLL_WITHIN_MS = 30_000;
/** The second execution shows that the first left nothing out and nothing to repeat. */
const WANTED_EXECUTIONS = 2;

export interface CheckResult {
	passed: number;
	failed: number;
}

/** Runs the examples in the real n8n, says what came out, and compares it with the sandbox. */
export async function checkDemo(demo: Demo, say: Say): Promise<CheckResult> {
	const result = { passed: 0, failed: 0 };
	const check = async (name: string, examine: () => Promise<string>): Promise<void> => {
		try {
			say(`✓ ${name}: ${await examine()}`);
			result.passed += 1;
		} catch (error) {
			say(`✗ ${name}: ${error instanceof Error ? error.message : String(error)}`);
			result.failed += 1;
		}
	};

	const activated = new Date();
	const { scanFile, scanUrl } = exampleNodes;
	let polling = false;
	let scans: Execution | undefined;
	await check('The trigger is activated', async () => {
		await activateAuditLog(demo);
		polling = true;
		return `'now' counts from ${activated.toISOString()}`;
	});
	await check('The examples fit the nodes of this n8n', async () => {
		return await checkExampleNodes(demo.n8n.session);
	});
	await check('The scan workflow runs', async () => {
		scans = await runScans(demo);
		return `execution ${scans.id} succeeded`;
	});
	await check('A file is scanned to its verdict', async () => verdictOf(scans, scanFile));
	await check('A URL is scanned to its verdict', async () => verdictOf(scans, scanUrl));
	await check('New audit log entries start the workflow', async () => {
		if (!polling) throw new Error('the trigger is not active.');
		return await checkEntries(demo, activated, say);
	});
	return result;
}

async function runScans({ n8n, workflows }: Demo): Promise<Execution> {
	const id = await runWorkflow(n8n.session, workflows.scan.id, exampleNodes.run);
	const execution = await finishedExecution(n8n.session, id, SCANS_WITHIN_MS);
	if (execution.status === 'success') return execution;
	throw new Error(`execution ${id} ended as '${execution.status}'. ${failureOf(execution) ?? ''}`);
}

/** The sandbox finds both of the example malicious. */
function verdictOf(execution: Execution | undefined, node: string): string {
	const answer = execution && outputOf(execution, node).at(0)?.json;
	if (!answer) throw new Error(`'${node}' put out nothing.`);
	const { scanId, status, verdict } = answer;
	if (status !== 'finished' || verdict !== 'malicious') {
		throw new Error(`scan ${scanId} has status '${status}' and verdict '${verdict}'.`);
	}
	return `scan ${scanId} is ${status}, verdict ${verdict}`;
}

async function checkEntries(demo: Demo, activated: Date, say: Say): Promise<string> {
	say(`Waiting for n8n to poll; it does so once a minute …`);
	const started = Date.now();
	const executions = await executionsWithEntries(demo);
	const emitted = executions.flatMap(({ entries }) => entries);
	// From earlier than the first that may be emitted, so that one which is too old is recognised.
	const since = new Date(activated.getTime() - FIRST_POLL_WITHIN_MS);
	const log = await readAuditLog(demo.sandbox.addresses.console, since);

	const { lost, twice, altered, inOrder } = compareEntries(emitted, log);
	const faults = [
		lost.length > 0 && `${lost.length} lost, the first ${lost[0].auditlogId}`,
		twice.length > 0 && `${twice.length} twice, the first ${twice[0]}`,
		altered.length > 0 &&
			`${altered.length} not as the console has them: ${JSON.stringify(altered[0])}`,
		!inOrder && 'not in the order of the log',
		...startFaults(String(emitted[0].createdAt), activated),
	].filter(Boolean);
	if (faults.length > 0) throw new Error(`${emitted.length} emitted; ${faults.join('; ')}.`);
	const ids = executions.map(({ id, entries }) => `execution ${id} with ${entries.length}`);
	return `after ${duration(Date.now() - started)} ${ids.join(', ')} entries, all as the console has them, none lost, none twice`;
}

/** 'Start from now' emits nothing older than the activation and begins soon after it. */
function startFaults(createdAt: string, activated: Date): string[] {
	const offset = Date.parse(createdAt) - activated.getTime();
	// The console's `Date` header has whole seconds: what is of the same second counts as after it.
	if (offset < -1000) return [`the first is ${-offset} ms older than the activation`];
	if (offset > FIRST_POLL_WITHIN_MS) return [`the first is ${offset} ms after the activation`];
	return [];
}

async function executionsWithEntries(demo: Demo) {
	const { n8n, workflows } = demo;
	const read = new Map<string, Execution>();
	const withEntries = () =>
		[...read.values()]
			.map((execution) => ({
				id: execution.id,
				entries: outputOf(execution, exampleNodes.trigger).map(({ json }) => json),
			}))
			.filter(({ entries }) => entries.length > 0);
	const enough = async () => {
		for (const { id, stoppedAt } of await listExecutions(n8n.session, workflows.auditLog.id)) {
			if (!stoppedAt || read.has(id)) continue;
			const execution = await readExecution(n8n.session, id);
			const failure = failureOf(execution);
			if (failure) throw new Error(`execution ${id} failed. ${failure}`);
			read.set(id, execution);
		}
		return withEntries().length >= WANTED_EXECUTIONS;
	};
	await waitUntil(`no ${WANTED_EXECUTIONS} executions with entries were found`, enough, {
		everyMs: LOOK_EVERY_MS,
		withinMs: ENTRIES_WITHIN_MS,
	});
	return withEntries();
}
