import { ManualClock } from '../../sandbox/clock.cts';
import { createSandbox } from '../../sandbox/createSandbox.cts';
import { defaultConsoleHeaders } from '../../sandbox/fixtures/accounts.cts';
import type { ConsoleSettings } from '../../sandbox/settings.cts';
import type { PollHarness, PollHarnessOptions } from './engine/pollHarness.cts';
import { createPollHarness } from './engine/pollHarness.cts';
import type { RunNodeOptions, SingleNodeRun } from './engine/runWorkflow.cts';
import { runNode } from './engine/runWorkflow.cts';
import { PollBench } from './pollBench.cts';

const MINUTE = 60_000;

/** What a test says about a run of the Console Audit Log node; the rest is set up for it. */
export interface ConsoleRunOptions extends Omit<RunNodeOptions, 'node' | 'credentials'> {
	onError?: RunNodeOptions['node']['onError'];
	credential?: Record<string, unknown>;
}

/** A sandbox of its own, and the console's two nodes in n8n's engine connected to it. */
export class ConsoleBench extends PollBench {
	/** The log is empty unless told otherwise. */
	static async open(settings: Partial<ConsoleSettings> = {}): Promise<ConsoleBench> {
		// Not the real time: a node that looks at its computer's clock instead of the server's shows.
		const clock = new ManualClock(Math.floor(Date.now() / MINUTE) * MINUTE);
		const sandbox = createSandbox({
			clock,
			settings: { console: { historyEntries: 0, ...settings } },
		});
		await sandbox.listen();
		return new ConsoleBench(sandbox, clock);
	}

	get credential(): Record<string, unknown> {
		const values = Object.entries(defaultConsoleHeaders).map(([name, value]) => ({ name, value }));
		return { consoleUrl: this.sandbox.addresses.console, headers: { values } };
	}

	/** Runs one operation of the Console Audit Log node. */
	async run(
		operation: string,
		parameters: Record<string, unknown> = {},
		{ onError, credential, ...more }: ConsoleRunOptions = {},
	): Promise<SingleNodeRun> {
		return await runNode({
			node: { type: 'consoleAuditLog', parameters: { operation, ...parameters }, onError },
			credentials: { browserConsoleHeadersApi: { ...this.credential, ...credential } },
			...more,
		});
	}

	/** The trigger in a workflow that is not active yet. */
	async trigger(
		mode: PollHarnessOptions['mode'],
		parameters: Record<string, unknown> = {},
		options: Partial<PollHarnessOptions> = {},
	): Promise<PollHarness> {
		const harness = await createPollHarness({
			node: { type: 'consoleAuditLogTrigger', parameters },
			credentials: { browserConsoleHeadersApi: this.credential },
			mode,
			clock: this.clock,
			...options,
		});
		this.harnesses.push(harness);
		return harness;
	}

	/** Puts entries into the log, a second apart, the last one now; returns their ids. */
	append(count: number): string[] {
		const now = this.clock.now();
		const ids = Array.from({ length: count }, (_, index) =>
			this.sandbox.append([{ at: now - (count - 1 - index) * 1000 }]),
		);
		return ids.flat().map(String);
	}
}

/** The ids of what the executions of a trigger held, in order. */
export function idsOf(harness: PollHarness): string[] {
	return harness.emittedItems().map(({ auditlogId }) => String(auditlogId));
}
