import { markdownTable } from '../../scripts/measurements/markdownTable.cts';
import { originOf, type Records } from '../../scripts/measurements/records.cts';
import type { DrainFigures } from './drainBacklog.cts';
import type { StateFigures } from './stateSize.cts';

const MB = 1_000_000;

export type BacklogFigures =
	| { kind: 'drain'; title: string; figures: DrainFigures }
	| { kind: 'states'; figures: StateFigures[] };

/** Bounds that the trigger keeps, in bytes. */
const BOUNDS = { memory: 150 * MB, state: 256 * 1024 };

export function drainTable(all: readonly BacklogFigures[]): string {
	const rows = all.flatMap((one) => {
		if (one.kind !== 'drain') return [];
		const { polls, wallMs, requests, refused, memory, largestStateBytes } = one.figures;
		const { missing, twice, outOfOrder } = one.figures;
		const sizes = Object.entries(requests).map(([limit, count]) => `${count} × ${limit}`);
		const figures = [polls, Math.round(wallMs / 100) / 10, sizes.join(', '), refused];
		const memoryMb = [memory.rss, memory.heap].map((bytes) => Math.round(bytes / MB));
		return [[one.title, ...figures, ...memoryMb, largestStateBytes, missing, twice, outOfOrder]];
	});
	const counts = ['Polls', 'Wall time (s)', 'Requests × limit', 'Refused'];
	const sizes = ['Memory added, peak (MB)', 'of it kept (MB)', 'Largest state (bytes)'];
	return markdownTable(['Backlog', ...counts, ...sizes, 'Missing', 'Twice', 'Out of order'], rows);
}

export function stateTable(all: readonly BacklogFigures[]): string {
	const rows = all
		.flatMap((one) => (one.kind === 'states' ? one.figures : []))
		.map((figures) => [
			figures.title,
			figures.entries,
			figures.delivered,
			figures.largestStateBytes,
			figures.boundBytes,
		]);
	return markdownTable(['Log', 'Entries', 'Delivered', 'Largest state (bytes)', 'Bound'], rows);
}

/** What is wrong with the figures, in sentences; none is what should be. */
export function faultsOf(one: BacklogFigures): string[] {
	if (one.kind === 'states') return one.figures.flatMap(stateFaults);
	const { missing, twice, outOfOrder, errors, memory, largestStateBytes } = one.figures;
	const wrong = { missing, twice, 'out of order': outOfOrder, 'polls with an error': errors };
	return [
		...Object.entries(wrong)
			.filter(([, count]) => count > 0)
			.map(([what, count]) => `${one.title}: ${count} ${what}.`),
		...(memory.rss > BOUNDS.memory ? [`${one.title}: ${memory.rss} bytes of memory added.`] : []),
		...(largestStateBytes > BOUNDS.state
			? [`${one.title}: a state of ${largestStateBytes} bytes.`]
			: []),
	];
}

function stateFaults(figures: StateFigures): string[] {
	const { title, entries, delivered, largestStateBytes, boundBytes } = figures;
	return [
		...(delivered === entries ? [] : [`${title}: ${delivered} of ${entries} delivered.`]),
		...(largestStateBytes <= boundBytes
			? []
			: [`${title}: a state of ${largestStateBytes} bytes.`]),
	];
}

/** The page of figures; it is written by `npm run bench:drain -- --record` and not by hand. */
export function drainPage(records: Records<BacklogFigures>): string {
	const all = Object.values(records).map(({ figures }) => figures);
	return `# A backlog, drained

What the trigger takes to deliver a year of audit log entries (Start From: Oldest) with its default
settings. Written by the commands below with \`--record\`.

${originOf(records)}

The polls run through n8n-core's poll executor one after the other; in n8n there is a minute between
them. The sandbox runs in a process of its own, the figures of memory are those of the other process,
which holds n8n-core and the trigger: the peak of the resident set above what it was before the first
poll, garbage included, and of it the heap that was left after a garbage collection. Every delivered
entry is compared with the sandbox's generator. Unless told otherwise the console takes a limit of up
to 1,000 and refuses a larger one. Further polls after the end of each backlog brought nothing.

${drainTable(all)}

## Size of the stored state

Polled once a minute, with the default lookback of 5 minutes.

${stateTable(all)}
`;
}
