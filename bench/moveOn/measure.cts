import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { idOf } from '../../sandbox/console/generatedEntries.cts';
import { alternate, type Contender } from '../comparison/contenders.cts';
import { timesTable } from '../comparison/timesTable.cts';
import { triggerWorkflow } from '../entriesPerSecond/logWorkflows.cts';
import type { Bench, Outcome } from '../measurement.cts';
import { PREPARED_SEED } from '../preparedAnswers/preparedPages.cts';
import { startPreparedServer } from '../preparedAnswers/preparedServer.cts';
import { digits, ratioFinding, valueFinding, type Finding } from '../results/finding.cts';

const BATCH = 10_000;
/** With 'finished' one at the activation, which waits for nothing, and ten in the poll after it. */
const BACKLOG_BATCHES = 11;
const ROUNDS = { full: 25, quick: 3 };
/** Ample for what n8n does after a batch: the execution by which it stores that it is delivered. */
const SETTLED_AFTER_MS = 3_000;
/** Until the only poll time: ample for an activation. */
const POLL_AFTER_MS = 30_000;
/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;

/** What it costs to wait for the workflow. */
export async function measureMoveOn(bench: Bench): Promise<Outcome> {
	const batch = await costOfBatch(bench);
	const backlog = await drainedInOnePoll(bench);
	return {
		findings: [...batch.findings, ...backlog],
		details: `${HOW}\n\n${batch.table}`,
	};
}

async function costOfBatch(bench: Bench): Promise<{ findings: Finding[]; table: string }> {
	const server = await startPreparedServer(BATCH);
	bench.teardown.add(() => server.end());
	const n8n = await bench.n8n();
	const credential = await n8n.consoleCredential(server.url);
	const processor: Record<string, number[]> = {};
	const contender = (moveOn: string): Contender => ({
		name: moveOn,
		run: async () => {
			const options = { moveOn, maxEntriesPerPoll: BATCH };
			const workflow = await n8n.add(triggerWorkflow(server.url, credential, options));
			const before = await processorTime(n8n.n8n.pid);
			const { milliseconds } = await server.record(async (done) => {
				await n8n.activate(workflow);
				await n8n.watch(workflow, done);
			});
			await sleep(SETTLED_AFTER_MS);
			(processor[moveOn] ??= []).push((await processorTime(n8n.n8n.pid)) - before);
			await n8n.deactivate(workflow);
			return { milliseconds };
		},
	});
	const all = ['handedOver', 'finished'].map(contender);
	// Once unmeasured, so that n8n has loaded and compiled what it runs.
	for (const { name, run } of all) {
		await run();
		processor[name] = [];
	}
	const { whole } = await alternate(all, bench.quick ? ROUNDS.quick : ROUNDS.full, bench.say);
	const ratios = (times: Record<string, number[]>) =>
		times.finished.map((spent, round) => spent / times.handedOver[round]);
	const subject = `${BATCH.toLocaleString('en-US')} entries, 'finished' compared with 'handed over'`;
	return {
		findings: [
			ratioFinding(`${subject}: time to the end of the workflow`, ratios(whole), { atMost: 1.1 }),
			ratioFinding(`${subject}: processor time of n8n, until all is stored`, ratios(processor), {
				atMost: 1.1,
			}),
		],
		table: timesTable(whole, 'Entries', BATCH),
	};
}

async function drainedInOnePoll(bench: Bench): Promise<Finding[]> {
	const entries = BACKLOG_BATCHES * BATCH;
	const server = await startPreparedServer(entries);
	bench.teardown.add(() => server.end());
	const n8n = await bench.n8n();
	const credential = await n8n.consoleCredential(server.url);
	const at = new Date(Date.now() + POLL_AFTER_MS);
	// Once an hour, so that one poll follows the activation.
	const pollTime = `${at.getSeconds()} ${at.getMinutes()} * * * *`;
	const options = { moveOn: 'finished', maxEntriesPerPoll: BATCH };
	const last = idOf(PREPARED_SEED, entries - 1);
	const workflow = await n8n.add(
		triggerWorkflow(server.url, credential, options, { pollTime, last }),
	);
	const { batches, sinceStart } = await server.record(async (done) => {
		await n8n.activate(workflow);
		await n8n.watch(workflow, done);
	});
	await n8n.deactivate(workflow);
	const seconds = (sinceStart - POLL_AFTER_MS) / 1000;
	bench.say(` ${entries} entries: ${batches} batches before the last, ${digits(seconds)} s`);
	return [
		valueFinding('100,000 entries behind the activation: batches in one poll', batches, '', {
			atLeast: BACKLOG_BATCHES - 1,
			stable: true,
		}),
		valueFinding('100,000 entries behind the activation: the poll takes', seconds, 's'),
	];
}

/** Milliseconds that a process has used so far. */
async function processorTime(pid: number | undefined): Promise<number> {
	const [, fields] = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ');
	const [user, system] = fields.split(' ').slice(11, 13).map(Number);
	return TICK_MS * (user + system);
}

const HOW = `In the real n8n on SQLite, default mode, with a workflow that only tells the server that it has ended;
*finished* and *handed over* in turns. The processor time includes the execution without items by which
n8n stores that a batch is delivered. The backlog: 100,000 entries wait behind the batch of the activation, and
the trigger has one poll time; a batch follows as soon as the workflow has ended with the one before.`;
