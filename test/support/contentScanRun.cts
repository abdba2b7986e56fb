import { Readable } from 'node:stream';
import { ManualClock } from '../../sandbox/clock.cts';
import type { Sandbox } from '../../sandbox/createSandbox.cts';
import { createSandbox } from '../../sandbox/createSandbox.cts';
import { sandboxTokens } from '../../sandbox/fixtures/accounts.cts';
import { sandboxOperationPaths } from '../../sandbox/fixtures/operationPaths.cts';
import type { ScanningSettings } from '../../sandbox/settings.cts';
import type { RunNodeOptions, SingleNodeRun } from './engine/runWorkflow.cts';
import { runNode } from './engine/runWorkflow.cts';

/** A stream of so many zero bytes. */
export function zeros(bytes: number): Readable {
	const piece = Buffer.alloc(1024 * 1024);
	const pieces = function* () {
		for (let left = bytes; left > 0; left -= piece.length) yield piece.subarray(0, left);
	};
	return Readable.from(pieces(), { objectMode: false });
}

/** What a test says about a run of the Content Scan node; the rest is set up for it. */
export interface ScanRunOptions extends Omit<RunNodeOptions, 'node' | 'credentials'> {
	onError?: RunNodeOptions['node']['onError'];
	credential?: Record<string, unknown>;
}

/** A sandbox of its own, and the node in n8n's engine connected to it. */
export class ScanBench {
	private constructor(
		readonly sandbox: Sandbox,
		readonly clock: ManualClock,
	) {}

	/**
	 * Scans finish at once unless told, and the rate is no matter unless told. The clock stands still
	 * within today: the nodes believe no service whose time is more than a day off.
	 */
	static async open(scanning: Partial<ScanningSettings> = {}): Promise<ScanBench> {
		const clock = new ManualClock(Math.floor(Date.now() / 60_000) * 60_000);
		const settings = { scanning: { scanDurationMs: 0, callsPerMinute: 100_000, ...scanning } };
		const sandbox = createSandbox({ clock, settings });
		await sandbox.listen();
		return new ScanBench(sandbox, clock);
	}

	get credential(): Record<string, unknown> {
		return {
			environment: 'custom',
			baseUrl: this.sandbox.addresses.us,
			apiToken: sandboxTokens.parent,
			callsPerMinute: 100_000,
			operationPaths: { values: { ...sandboxOperationPaths } },
		};
	}

	/** Runs one operation on a scan; it does not wait for verdicts unless the parameters say otherwise. */
	async run(
		operation: string,
		parameters: Record<string, unknown> = {},
		{ onError, credential, ...more }: ScanRunOptions = {},
	): Promise<SingleNodeRun> {
		return await runNode({
			node: {
				type: 'contentScan',
				parameters: { resource: 'scan', operation, waitForVerdict: false, ...parameters },
				onError,
			},
			credentials: { contentScanApi: { ...this.credential, ...credential } },
			...more,
		});
	}

	/** Full ids of the emails that are in quarantine. */
	quarantined(): string[] {
		const scans = this.sandbox.scans('us').map(({ record }) => record);
		return scans
			.filter((record) => record.quarantine_state === 'quarantined')
			.map((record) => String(record.full_scan_id));
	}

	/** Method, path and status of every call that came in. */
	calls(): string[] {
		return this.sandbox.journal
			.entries()
			.map(({ method, path, status }) => `${method} ${path} ${status}`);
	}

	/** Resolves when a call has come in, answered or not. */
	async firstCall(): Promise<void> {
		while (this.sandbox.journal.total === 0) {
			await new Promise<void>((turn) => setImmediate(turn));
		}
	}

	async close(): Promise<void> {
		await this.sandbox.close();
	}
}

/** The JSON of the items that a run put out first. */
export function jsonOf({ outputs }: SingleNodeRun) {
	return (outputs[0] ?? []).map(({ json }) => json);
}
