import { markdownTable } from '../../scripts/measurements/markdownTable.cts';
import { originOf, type Records } from '../../scripts/measurements/records.cts';
import { duration } from '../../scripts/progress.cts';
import { parts } from './parts.cts';
import type { PartResult } from './runParts.cts';

/** A line for each part, and one for all. */
export function partTable(results: readonly PartResult[]): string {
	const rows = results.map((part) => [
		part.name,
		part.passed,
		part.failed,
		duration(part.milliseconds),
	]);
	const total = (what: 'passed' | 'failed' | 'milliseconds') =>
		results.reduce((sum, part) => sum + part[what], 0);
	return markdownTable(
		['Part', 'Passed', 'Failed', 'Time'],
		[...rows, ['all', total('passed'), total('failed'), duration(total('milliseconds'))]],
	);
}

/** The page of times; it is written by `npm run test:e2e -- --record` and not by hand. */
export function timesPage(records: Records<PartResult>): string {
	const inOrder = parts.flatMap(({ name }) => records[name] ?? []);
	const rows = inOrder.map(({ figures }) => [
		`\`${figures.name}\``,
		figures.title,
		figures.passed,
		duration(figures.milliseconds),
	]);
	const all = inOrder.reduce((sum, { figures }) => sum + figures.milliseconds, 0);
	return `# How long the tests in the real n8n take

Written by the command below, with n8n already in the cache.

${originOf(records)}

${markdownTable(['Part', 'What it shows', 'Checks', 'Time'], rows)}

All parts together: ${duration(all)}. Run one alone: \`npm run test:e2e -- kill\`.
`;
}
