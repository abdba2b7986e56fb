import type { IDataObject } from 'n8n-workflow';
import { PARALLEL_ITEMS } from '../../nodes/ContentScan/actions/fields/optionsField';
import { alternate, speedAgainst, warmUp, type Contender } from '../comparison/contenders.cts';
import { timesTable } from '../comparison/timesTable.cts';
import type { Bench, Outcome } from '../measurement.cts';
import { startPreparedServer } from '../preparedAnswers/preparedServer.cts';
import type { RunRecord } from '../preparedAnswers/runRecord.cts';
import { ratioFinding } from '../results/finding.cts';
import { contentScanWorkflow, httpRequestWorkflow, type Started } from './scanWorkflows.cts';

const SCANS = 200;
const ROUNDS = { full: 9, quick: 7 };
/** Besides the default. */
const OTHERS = [PARALLEL_ITEMS.few, 50];
/** More than can be sent, so that the licensed rate slows nothing. */
const CALLS_PER_MINUTE = 10_000_000;

/** 200 URL scans that no rate holds back, from the call that starts the workflow to its last node. */
export async function measureScans(bench: Bench): Promise<Outcome> {
	const server = await startPreparedServer(0);
	bench.teardown.add(() => server.end());
	const n8n = await bench.n8n();
	const credential = await n8n.scanCredential(server.url, CALLS_PER_MINUTE);
	const urls = Array.from({ length: SCANS }, (_, item) => `https://site.example.com/${item}`);
	const timed = (name: string, submit: () => Promise<RunRecord>): Contender => ({
		name,
		run: async () => {
			const { sinceStart, submitted, requests } = await submit();
			if (submitted === SCANS && requests === SCANS) return { milliseconds: sinceStart };
			throw new Error(`${name} submitted ${submitted} of ${SCANS} with ${requests} requests.`);
		},
	});
	const inN8n = async (name: string, { workflow, webhook }: Started): Promise<Contender> => {
		const saved = await n8n.add(workflow);
		await n8n.activate(saved);
		return timed(name, async () => {
			return await server.record(async (done) => {
				await n8n.callWebhook(webhook, { urls });
				await n8n.watch(saved, done);
			});
		});
	};
	const scanning = (options: IDataObject) => contentScanWorkflow(server.url, credential, options);
	const contentScan = await inN8n('Content Scan', scanning({}));
	const others: Contender[] = [];
	for (const concurrency of OTHERS) {
		others.push(await inN8n(`Content Scan, ${concurrency} at a time`, scanning({ concurrency })));
	}
	const withCredential = httpRequestWorkflow(server.url, await n8n.headerCredential());
	const httpRequest = await inN8n('HTTP Request', withCredential);
	const plain = await inN8n('HTTP Request, token in the workflow', httpRequestWorkflow(server.url));
	const silent = (): void => {};
	const all = [contentScan, ...others, httpRequest, plain];
	await warmUp(all);
	const rounds = bench.quick ? ROUNDS.quick : ROUNDS.full;
	const { whole } = await alternate(all, rounds, silent);
	const against = ({ name }: Contender, other = httpRequest) =>
		speedAgainst(whole, name, other.name);
	return {
		findings: [
			ratioFinding(`${SCANS} scans, against HTTP Request`, against(contentScan), { atLeast: 1 }),
			...others.map((one, at) =>
				ratioFinding(`the same with ${OTHERS[at]} in 'Parallel Items'`, against(one)),
			),
			ratioFinding(
				`${SCANS} scans, against HTTP Request with the token in the workflow`,
				against(contentScan, plain),
			),
		],
		details: `${HOW}\n\n${timesTable(whole, 'Scans', SCANS)}`,
	};
}

const HOW = `Content Scan without *Wait for Verdict* and without a rate limit, else with its defaults: it works on ${PARALLEL_ITEMS.most} items
at a time (on ${PARALLEL_ITEMS.few} files), HTTP Request sends all at once. Both read their credential for each item, as n8n's
nodes do: that is most of the time. One that has its token in plain text in the workflow reads none.

A run lasts from the call of the webhook that starts the workflow to the word of the last node that all
answers are there, since HTTP Request works out the parameters of all items before it sends the first
request. Every URL is counted by the server.`;
