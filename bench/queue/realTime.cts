import { setTimeout as sleep } from 'node:timers/promises';
import { sandboxTokens } from '../../sandbox/fixtures/accounts.cts';
import type { Say } from '../../scripts/progress.cts';
import { runNode } from '../../test/support/engine/runWorkflow.cts';
import { startSandboxProcess } from '../sandboxProcess.cts';

const SEED = 1;
const SAY_EVERY_MS = 15_000;

/** What became of URL scans that went over HTTP to a sandbox that is strict about its limit. */
export interface RealTimeFigures {
	scans: number;
	perMinute: number;
	/** The least time the limit allows, in seconds. */
	leastSeconds: number;
	/** From the first call to the last one, as the sandbox saw them. */
	seconds: number;
	/** Of the whole execution. */
	executionSeconds: number;
	/** Calls answered with 429, by the sandbox's journal. */
	refused: number;
	/** Calls with any other answer than 200. */
	failed: number;
	lost: number;
	twice: number;
	/** Results that are not where their item was in the input. */
	outOfOrder: number;
	/** What n8n shows with the result about calls that waited. */
	hint: string;
}

interface ScanOfSandbox {
	submittedId: number;
	record: { path: string; type: string };
}

/** One execution with many items in n8n-core's engine, at the rate the license allows. */
export async function realTime(
	scans: number,
	perMinute: number,
	say: Say,
): Promise<RealTimeFigures> {
	const scanning = { callsPerMinute: perMinute };
	const sandbox = await startSandboxProcess({ scanning }, SEED);
	const urls = Array.from({ length: scans }, (_, item) => `https://site.example.com/${item}`);
	const leastSeconds = 60 * Math.floor((scans - 1) / perMinute);
	say(`${scans} URL scans at ${perMinute} a minute, in real time: about ${leastSeconds} s …`);
	const done = new AbortController();
	try {
		void sayHowFar(sandbox, say, done.signal);
		const start = performance.now();
		const run = await runNode({
			node: {
				type: 'contentScan',
				parameters: {
					resource: 'scan',
					operation: 'scanUrl',
					url: '={{ $json.url }}',
					waitForVerdict: false,
				},
			},
			credentials: {
				contentScanApi: {
					environment: 'custom',
					baseUrl: sandbox.addresses.us,
					apiToken: sandboxTokens.parent,
					callsPerMinute: perMinute,
				},
			},
			items: urls.map((url) => ({ url })),
		});
		const executionSeconds = (performance.now() - start) / 1000;
		if (run.error) throw new Error(`The execution failed: ${run.error.message}`);

		const calls = await sandbox.calls();
		const seconds = (calls[calls.length - 1].atMs - calls[0].atMs) / 1000;
		const { data } = await sandbox.control.get<{ scans: ScanOfSandbox[] }>('/us/scans');
		const pathOf = new Map(
			data.scans
				.filter(({ record }) => record.type === 'URL')
				.map(({ submittedId, record }) => [submittedId, record.path]),
		);
		const results = (run.outputs[0] ?? []).map(({ json }) => pathOf.get(Number(json.submittedId)));
		const submitted = new Set(pathOf.values());
		return {
			scans,
			perMinute,
			leastSeconds,
			seconds,
			executionSeconds,
			refused: calls.filter(({ status }) => status === 429).length,
			failed: calls.filter(({ status }) => status !== 200 && status !== 429).length,
			lost: urls.filter((url) => !submitted.has(url)).length,
			twice: pathOf.size - submitted.size,
			outOfOrder: urls.filter((url, item) => results[item] !== url).length,
			hint: run.hints.map(({ message }) => message).join(' '),
		};
	} finally {
		done.abort();
		await sandbox.end();
	}
}

async function sayHowFar(
	sandbox: Awaited<ReturnType<typeof startSandboxProcess>>,
	say: Say,
	signal: AbortSignal,
): Promise<void> {
	try {
		for (;;) {
			await sleep(SAY_EVERY_MS, undefined, { signal });
			say(`  … ${(await sandbox.calls()).length} calls so far`);
		}
	} catch (error) {
		if (!signal.aborted) throw error;
	}
}
