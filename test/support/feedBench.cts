import { ManualClock } from '../../sandbox/clock.cts';
import { createSandbox } from '../../sandbox/createSandbox.cts';
import { sandboxTokens } from '../../sandbox/fixtures/accounts.cts';
import type { ArrivingScan } from '../../sandbox/scanning/arrivals.cts';
import type { ScanningSettings } from '../../sandbox/settings.cts';
import type { PollHarness, PollHarnessOptions } from './engine/pollHarness.cts';
import { createPollHarness } from './engine/pollHarness.cts';
import { PollBench } from './pollBench.cts';

const MINUTE = 60_000;

/** A sandbox of its own without scans, and the Content Scan Trigger in n8n's engine connected to it. */
export class FeedBench extends PollBench {
	static async open(scanning: Partial<ScanningSettings> = {}): Promise<FeedBench> {
		// Not the real time: a node that looks at its computer's clock instead of the server's shows.
		const clock = new ManualClock(Math.floor(Date.now() / MINUTE) * MINUTE);
		const scans = { emailsPerOrganization: 0, callsPerMinute: 100_000, ...scanning };
		const settings = { scanning: scans };
		const sandbox = createSandbox({ clock, settings });
		await sandbox.listen();
		return new FeedBench(sandbox, clock);
	}

	get credential(): Record<string, unknown> {
		return {
			environment: 'custom',
			baseUrl: this.sandbox.addresses.us,
			apiToken: sandboxTokens.parent,
			// An hour of polls takes a second here, so that the rate is no matter unless told.
			callsPerMinute: 100_000,
		};
	}

	/** The trigger in a workflow that is not active yet, with no option touched unless told. */
	async trigger(
		mode: PollHarnessOptions['mode'],
		parameters: Record<string, unknown> = {},
		{ credential, ...options }: Partial<PollHarnessOptions> & { credential?: object } = {},
	): Promise<PollHarness> {
		const harness = await createPollHarness({
			node: { type: 'contentScanTrigger', parameters },
			credentials: { contentScanApi: { ...this.credential, ...credential } },
			mode,
			clock: this.clock,
			...options,
		});
		this.harnesses.push(harness);
		return harness;
	}

	/** Lets scans come in; created and finished now unless told. Returns their full IDs. */
	arrive(...scans: ArrivingScan[]): string[] {
		const now = this.clock.now();
		return this.sandbox.arrive(
			'us',
			scans.map((scan) => ({ finishAt: scan.at ?? now, ...scan })),
		);
	}

	/** The moment so many minutes from now. */
	inMinutes(minutes: number): number {
		return this.clock.now() + minutes * MINUTE;
	}
}

/** IDs of the scans that the executions of a trigger held, in order. */
export function scanIds(harness: PollHarness): string[] {
	return harness.emittedItems().map(({ scanId }) => String(scanId));
}
