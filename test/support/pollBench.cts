import type { ManualClock } from '../../sandbox/clock.cts';
import type { Sandbox } from '../../sandbox/createSandbox.cts';
import type { PollHarness } from './engine/pollHarness.cts';

const MINUTE = 60_000;

/** A sandbox of its own, and a trigger in n8n's engine connected to it. */
export abstract class PollBench {
	readonly harnesses: PollHarness[] = [];

	protected constructor(
		readonly sandbox: Sandbox,
		/** The service's time, and that of the computer in the polls. */
		readonly clock: ManualClock,
	) {}

	/** Queries of the calls that came in. */
	calls(): URLSearchParams[] {
		return this.sandbox.journal.entries().map(({ query }) => new URLSearchParams(query));
	}

	/** So many polls, a minute before each. */
	async minutes(harness: PollHarness, count = 1): Promise<void> {
		for (let minute = 0; minute < count; minute++) {
			this.clock.advance(MINUTE);
			await harness.tick();
		}
	}

	async close(): Promise<void> {
		for (const harness of this.harnesses.splice(0)) await harness.close();
		await this.sandbox.close();
	}
}
