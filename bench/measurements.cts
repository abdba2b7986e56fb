import { measureEntriesPerSecond, measureGrowingPages } from './entriesPerSecond/measure.cts';
import type { Measurement } from './measurement.cts';

/** Everything that `npm run bench` measures, in the order in which it is measured and shown. */
export const measurements: readonly Measurement[] = [
	{
		name: 'entries-per-second',
		what: 'Entries a second, 100,000 entries',
		against: 'plain axios over the same pages; what a user would build of n8n’s own nodes',
		goal: '0.9 of axios without keep-alive, 25 times HTTP Request with Split Out and Remove Duplicates, twice the same without Remove Duplicates',
		quick: true,
		measure: measureEntriesPerSecond,
	},
	{
		name: 'growing-pages',
		what: 'Entries a second at default settings',
		against: 'plain axios with keep-alive at pages of 100',
		goal: '1.3 times as fast',
		quick: true,
		measure: measureGrowingPages,
	},
];
