import { join } from 'node:path';
import { markdownTable } from '../../scripts/measurements/markdownTable.cts';
import type { Bench, Outcome } from '../measurement.cts';
import { measuredApart } from '../measuredApart.cts';
import { valueFinding, type Finding } from '../results/finding.cts';
import type { DrainFigures, DrainScenario } from './drainBacklog.cts';
import type { StateFigures } from './stateSize.cts';

const MB = 1_000_000;
const KB = 1024;
const MOST_MEMORY_MB = 150;

const QUICK_SCENARIO: DrainScenario = { title: '100,000 entries', entries: 100_000 };
const SCENARIOS: readonly DrainScenario[] = [
	{ title: '1,000,000 entries', entries: 1_000_000 },
	{ title: '100,000, page tokens refused at random', entries: 100_000, voidsTokens: true },
];

/** What the trigger takes to deliver a year's backlog: memory, requests, and whether all of it came. */
export async function measureMemory({ quick }: Bench): Promise<Outcome> {
	const findings: Finding[] = [];
	const rows: Array<Array<string | number>> = [];
	for (const scenario of quick ? [QUICK_SCENARIO] : SCENARIOS) {
		const figures = await drained(scenario);
		const { memory, polls, requests, refused, largestStateBytes } = figures;
		const peak = { atMost: MOST_MEMORY_MB, stable: true };
		findings.push(
			valueFinding(`${scenario.title}: peak`, memory.rss / MB, 'MB', peak),
			valueFinding(`${scenario.title}: time`, figures.wallMs / 1000, 's'),
		);
		for (const what of ['missing', 'twice', 'outOfOrder', 'errors'] as const) {
			const none = { atMost: 0, stable: true };
			findings.push(valueFinding(`${scenario.title}: ${NAMES[what]}`, figures[what], '', none));
		}
		const sizes = Object.entries(requests).map(([limit, count]) => `${count} × ${limit}`);
		const kept = Number((memory.heap / MB).toFixed(1));
		rows.push([scenario.title, polls, sizes.join(', '), refused, kept, largestStateBytes]);
	}
	const head = ['Backlog', 'Polls', 'Requests × limit', 'Refused'];
	const table = markdownTable([...head, 'Memory kept (MB)', 'Largest state (bytes)'], rows);
	return { findings, details: `${HOW_DRAINED}\n\n${table}` };
}

const NAMES = {
	missing: 'entries missing',
	twice: 'entries twice',
	outOfOrder: 'entries out of order',
	errors: 'polls with an error',
};

/** The largest state that the trigger stores. */
export async function measureState(): Promise<Outcome> {
	const states = await apart<StateFigures[]>(['states']);
	return {
		findings: states.map(({ title, entries, delivered, largestStateBytes, boundBytes }) => {
			// More than it remembers on one millisecond may come again.
			if (delivered < entries) throw new Error(`${title}: ${delivered} of ${entries} delivered.`);
			const goal = { atMost: boundBytes / KB, stable: true };
			return valueFinding(title, largestStateBytes / KB, 'KB', goal);
		}),
		details:
			'In both of n8n’s ways of keeping it, as JSON. Polled once a minute, with the default lookback.',
	};
}

async function drained(scenario: DrainScenario): Promise<DrainFigures> {
	return await apart(['drain', JSON.stringify(scenario)]);
}

async function apart<T>(args: string[]): Promise<T> {
	const nodeArguments = ['--expose-gc'];
	return await measuredApart<T>(join(__dirname, 'measureOne.cts'), args, { nodeArguments });
}

const HOW_DRAINED = `*Output: Text*, else default settings, from the oldest entry on, polls driven through n8n-core's poll executor (here on Node ${process.versions.node}) one after the
other in a fresh process; the sandbox runs in another one. Peak: of the resident set above what it was
before the first poll, garbage included, sampled 50 times a second. Memory kept is what remains of it after a
garbage collection. 1 MB is 1,000,000 bytes. Every delivered line is compared with the sandbox's generator. The console takes a limit of up to 1,000 and refuses a larger one. Further polls after the end of each
backlog brought nothing.`;
