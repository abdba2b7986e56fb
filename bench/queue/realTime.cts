import { sandboxTokens } from '../../sandbox/fixtures/accounts.cts';
import type { Say } from '../../scripts/progress.cts';
import { runNode } from '../../test/support/engine/runWorkflow.cts';
import { startSandboxProcess } from '../sandboxProcess.cts';

const SEED = 1;

/** What became of URL scans that went over HTTP to a sandbox that is strict about its limit. */
export interface RealTimeFigures {
	/** From the first call to the last one, as the sandbox saw them. */
	seconds: number;
	'429s': number;
	/** Calls with any other answer than 200. */
	failed: number;
	lost: number;
	twice: number;
	/** Results that are not where their item was in the input. */
	'out of order': number;
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
	say(`  ${scans} URL scans at ${perMinute} a minute, in real time …`);
	try {
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
		if (run.error) throw new Error(`The execution failed: ${run.error.message}`);

		const calls = await sandbox.calls();
		const seconds = (calls[calls.length - 1].atMs - calls[0].atMs) / 1000;
		const { data } = await sandbox.control.get<{ scans: ScanOfSandbox[] }>('/us/scans');
		const pathOf = new Map(
			data.scans
				.filter(({ record }) => record.type === 'URL')
				.map(({ submittedId, record }) => [submittedId, record.path]),
		);
		const results = (run.outputs[0] ?? []).map(({ json }) =>
			pathOf.get(Number(json.submittedId ?? json.scan_id)),
		);
		const submitted = new Set(pathOf.values());
		return {
			seconds,
			'429s': calls.filter(({ status }) => status === 429).length,
			failed: calls.filter(({ status }) => status !== 200 && status !== 429).length,
			lost: urls.filter((url) => !submitted.has(url)).length,
			twice: pathOf.size - submitted.size,
			'out of order': urls.filter((url, item) => results[item] !== url).length,
		};
	} finally {
		await sandbox.end();
	}
}
