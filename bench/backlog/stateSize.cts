import { ManualClock } from '../../sandbox/clock.cts';
import { createSandbox, type Sandbox } from '../../sandbox/createSandbox.cts';
import { defaultConsoleHeaders } from '../../sandbox/fixtures/accounts.cts';
import {
	createPollHarness,
	type PersistenceMode,
	type PollHarness,
} from '../../test/support/engine/pollHarness.cts';

const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;
const STEADY_PER_MINUTE = 1_000;
const ON_ONE_TIMESTAMP = 30_000;
/** Polls that drain the entries of one timestamp, 10,000 at a time, and some that find nothing. */
const POLLS_OF_THE_TIE = 6;
/** In bytes: of one position at the default lookback, and of all that is stored, on any log. */
const STEADY_BOUND = 64 * 1024;
const ANY_BOUND = 256 * 1024;

/** How n8n keeps the state, and when the trigger moves on. */
export interface StateVariant {
	title: string;
	mode: PersistenceMode;
	options: Record<string, unknown>;
}

export const stateVariants: readonly StateVariant[] = [
	{ title: 'default mode', mode: 'default', options: {} },
	{ title: 'durable cursors', mode: 'durable', options: {} },
	{ title: 'Workflow Has Finished', mode: 'default', options: { moveOn: 'finished' } },
];

/** The largest state that a log made the trigger store. */
export interface StateFigures {
	title: string;
	entries: number;
	delivered: number;
	largestStateBytes: number;
	/** What it must not exceed. */
	boundBytes: number;
}

interface Setting {
	clock: ManualClock;
	sandbox: Sandbox;
	harness: PollHarness;
}

/** A thousand entries a minute for an hour, polled each minute, with the default lookback. */
export async function steadyLog(variant: StateVariant): Promise<StateFigures> {
	const title = `${STEADY_PER_MINUTE.toLocaleString('en-US')} entries a minute for an hour`;
	const log = { title, ratePerMinute: STEADY_PER_MINUTE, bound: STEADY_BOUND };
	return await measured(log, variant, async ({ clock, harness }) => {
		await harness.activate();
		for (let minute = 0; minute < HOUR_MINUTES; minute += 1) {
			clock.advance(MINUTE_MS);
			await harness.tick();
		}
	});
}

/** More entries on one timestamp than the state remembers. */
export async function oneTimestamp(variant: StateVariant): Promise<StateFigures> {
	const title = `${ON_ONE_TIMESTAMP.toLocaleString('en-US')} entries on one timestamp`;
	const log = { title, ratePerMinute: 0, bound: ANY_BOUND };
	return await measured(log, variant, async ({ clock, sandbox, harness }) => {
		sandbox.append([{ at: clock.now() - MINUTE_MS, times: ON_ONE_TIMESTAMP }]);
		await harness.activate();
		for (let poll = 0; poll < POLLS_OF_THE_TIE; poll += 1) {
			clock.advance(MINUTE_MS);
			await harness.tick();
		}
	});
}

async function measured(
	log: { title: string; ratePerMinute: number; bound: number },
	{ title, mode, options }: StateVariant,
	drive: (setting: Setting) => Promise<void>,
): Promise<StateFigures> {
	const clock = new ManualClock(Date.now());
	const settings = { console: { historyEntries: 0, ratePerMinute: log.ratePerMinute } };
	const sandbox = createSandbox({ clock, settings });
	const { console: consoleUrl } = await sandbox.listen();
	let delivered = 0;
	const values = Object.entries(defaultConsoleHeaders).map(([name, value]) => ({ name, value }));
	const harness = await createPollHarness({
		node: {
			type: 'consoleAuditLogTrigger',
			parameters: { authentication: 'headers', startFrom: 'oldest', options },
		},
		credentials: { browserConsoleHeadersApi: { consoleUrl, headers: { values } } },
		mode,
		clock,
		onExecution: ({ items }) => (delivered += items.length),
	});
	try {
		await drive({ clock, sandbox, harness });
		const { generated, appended } = sandbox.entryCount();
		const { largestStateBytes } = harness;
		return {
			title: `${log.title}, ${title}`,
			entries: generated + appended,
			delivered,
			largestStateBytes,
			boundBytes: log.bound,
		};
	} finally {
		await harness.close();
		await sandbox.close();
	}
}
