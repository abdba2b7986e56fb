import { requireAll } from '../backlog/measure.cts';
import { markdownTable } from '../../scripts/measurements/markdownTable.cts';
import type { Bench, Outcome } from '../measurement.cts';
import { valueFinding } from '../results/finding.cts';
import { costChart } from './costChart.cts';
import { straightLine, type LogCost, type StraightLine } from './straightLine.cts';

const SIZES = [1_000, 10_000, 100_000, 1_000_000];
const QUICK_SIZES = SIZES.slice(0, 3);
/** Of what the smaller log says an entry costs: above it, the cost grows faster than the log. */
const MOST_GROWTH = 1.2;

/** What draining a log costs as it grows. */
export async function measureGrowingLog(bench: Bench): Promise<Outcome> {
	const costs: LogCost[] = [];
	for (const entries of bench.quick ? QUICK_SIZES : SIZES) {
		const figures = await bench.drained(entries);
		requireAll(figures);
		costs.push({ entries, milliseconds: figures.wallMs });
	}
	const line = straightLine(costs);
	const [smaller, larger] = costs.slice(-2);
	const growth = perEntry(larger) / perEntry(smaller);
	const sizes = [smaller, larger].map(({ entries }) => entries.toLocaleString('en-US'));
	const subject = `cost of an entry in a log of ${sizes[1]}, in that in a log of ${sizes[0]}`;
	return {
		findings: [valueFinding(subject, growth, '×', { atMost: MOST_GROWTH, stable: true })],
		details: `${HOW}\n\n${costTable(costs, line)}`,
		chart: {
			file: 'growing-log.svg',
			description: 'Time to drain a log, by the number of its entries',
			svg: costChart(costs, line),
		},
	};
}

function perEntry({ entries, milliseconds }: LogCost): number {
	return milliseconds / entries;
}

function costTable(costs: readonly LogCost[], line: StraightLine): string {
	const rows = costs.map((cost) => {
		const onLine = line.fixed + line.perEntry * cost.entries;
		const micros = Math.round(perEntry(cost) * 1000);
		return [cost.entries, Math.round(cost.milliseconds), Math.round(onLine), micros];
	});
	return markdownTable(
		['Entries', 'Time (ms)', 'On the straight line (ms)', 'Of an entry (µs)'],
		rows,
	);
}

const HOW = `Drained with the default settings through n8n-core's poll executor, 10,000 entries a poll, each size in a
fresh process: to the last entry of the log, from an empty position. Reading is what a log's size
could make dearer; in the real n8n there is a minute between the polls. The straight line is fitted
with relative errors; its fixed part is what is loaded and compiled once.`;
