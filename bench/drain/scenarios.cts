import type { ConsoleSettings } from '../../sandbox/settings.cts';
import type { PersistenceMode } from '../../test/support/engine/pollHarness.cts';

/** A backlog to be drained by the trigger with its default settings. */
export interface DrainScenario {
	title: string;
	entries: number;
	mode: PersistenceMode;
	/** How the console behaves, beyond the sandbox's default. */
	console?: Partial<ConsoleSettings>;
	/** Whether the console makes all page tokens void at random moments. */
	voidsTokens?: boolean;
}

const SMALLEST_LIMIT = { maxPageSize: 100 };

export const drainScenarios: readonly DrainScenario[] = [
	{ title: '100,000 entries, default mode', entries: 100_000, mode: 'default' },
	{ title: '100,000 entries, durable cursors', entries: 100_000, mode: 'durable' },
	{ title: '1,000,000 entries, default mode', entries: 1_000_000, mode: 'default' },
	{ title: '1,000,000 entries, durable cursors', entries: 1_000_000, mode: 'durable' },
	{
		title: 'page tokens refused at random',
		entries: 100_000,
		mode: 'default',
		voidsTokens: true,
	},
	{
		title: 'a limit above 100 refused with 400',
		entries: 100_000,
		mode: 'default',
		console: { ...SMALLEST_LIMIT, overMaxPageSize: 'refuse' },
	},
	{
		title: 'a limit above 100 silently capped',
		entries: 100_000,
		mode: 'default',
		console: { ...SMALLEST_LIMIT, overMaxPageSize: 'cap' },
	},
];
