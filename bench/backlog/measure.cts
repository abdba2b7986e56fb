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
/** Of what the smaller log says an entry costs: above it, the cost grows faster than the log. */
const MOST_GROWTH = 1.2;

const QUICK_SCENARIOS: readonly DrainScenario[] = [
	{ title: '100,000 entries, default mode', entries: 100_000, mode: 'default' },
];
const SMALLEST_LIMIT = { maxPageSize: 100 };
const SCENARIOS: readonly DrainScenario[] = [
	...QUICK_SCENARIOS,
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
const LOG_SIZES = [1_000, 10_000, 100_000, 1_000_000];

/** What the trigger takes to deliver a year's backlog: memory, requests, and whether all of it came. */
export async function measureMemory({ quick }: Bench): Promise<Outcome> {
	const findings: Finding[] = [];
	const rows: Array<Array<string | number>> = [];
	for (const scenario of quick ? QUICK_SCENARIOS : SCENARIOS) {
		const figures = await drained(scenario);
		const { memory, polls, requests, refused, largestStateBytes } = figures;
		const peak = { atMost: MOST_MEMORY_MB, stable: true };
		findings.push(valueFinding(`${scenario.title}: peak`, memory.rss / MB, 'MB', peak));
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

/** What an entry costs as the log grows. */
export async function measureGrowingLog({ quick }: Bench): Promise<Outcome> {
	const rows: number[][] = [];
	for (const entries of quick ? LOG_SIZES.slice(0, 3) : LOG_SIZES) {
		const title = `${entries} entries`;
		const { wallMs, missing, twice } = await drained({ title, entries, mode: 'default' });
		if (missing + twice > 0) throw new Error(`${title}: ${missing} missing, ${twice} twice.`);
		rows.push([entries, wallMs, Math.round((wallMs / entries) * 1000)]);
	}
	const [smaller, larger] = rows.slice(-2);
	const growth = larger[1] / larger[0] / (smaller[1] / smaller[0]);
	const [small, large] = [smaller, larger].map(([entries]) => entries.toLocaleString('en-US'));
	const subject = `cost of an entry in a log of ${large}, in that in a log of ${small}`;
	return {
		findings: [valueFinding(subject, growth, '×', { atMost: MOST_GROWTH, stable: true })],
		details: `${HOW_GROWING}\n\n${markdownTable(['Entries', 'Time (ms)', 'Of an entry (µs)'], rows)}`,
	};
}

async function drained(scenario: DrainScenario): Promise<DrainFigures> {
	return await apart(['drain', JSON.stringify(scenario)]);
}

async function apart<T>(args: string[]): Promise<T> {
	const nodeArguments = ['--expose-gc'];
	return await measuredApart<T>(join(__dirname, 'measureOne.cts'), args, { nodeArguments });
}

const HOW_DRAINED = `Default settings, from the oldest entry on, polls driven through n8n-core's poll executor one after the
other in a fresh process; the sandbox runs in another one. Peak: of the resident set above what it was
before the first poll, garbage included, sampled 50 times a second; of it is kept what is left after a
garbage collection. Every delivered entry is compared with the sandbox's generator. Unless told
otherwise the console takes a limit of up to 1,000 and refuses a larger one. Further polls after the end of each
backlog brought nothing.`;

const HOW_GROWING = `Drained with the default settings through n8n-core's poll executor, 10,000 entries a poll, each size in a
fresh process: to the last entry of the log, from an empty position. Reading is what a log's size
could make dearer; in the real n8n there is a minute between the polls. What is loaded and compiled once
makes the entries of a small log dear.`;
