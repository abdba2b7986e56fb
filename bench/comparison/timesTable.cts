import { markdownTable } from '../../scripts/measurements/markdownTable.cts';
import { median, type Times } from './contenders.cts';

/** The times behind the ratios: the middle one of each contender, with its spread. */
export function timesTable(times: Times, unit: string, perSecond: number): string {
	const rows = Object.entries(times).map(([name, milliseconds]) => {
		const middle = median(milliseconds);
		const [least, most] = [Math.min(...milliseconds), Math.max(...milliseconds)].map(Math.round);
		const rate = Math.round((perSecond / middle) * 1000);
		return [name, milliseconds.length, Math.round(middle), least, most, rate];
	});
	const time = ['Median (ms)', 'Shortest (ms)', 'Longest (ms)'];
	return markdownTable(['', 'Runs', ...time, `${unit} a second`], rows);
}
