/**
 * `npm run test:e2e`: the package in the real n8n, part by part. Ends with `N passed, N failed`, and
 * with 1 when something failed.
 */
import type { Teardown } from '../../scripts/demo/teardown.cts';
import { measuredNow, record } from '../../scripts/measurements/records.cts';
import { e2eOptions, USAGE, type E2eOptions } from './options.cts';
import { partTable, timesPage } from './partTable.cts';
import { parts } from './parts.cts';
import { runParts } from './runParts.cts';
import { interruptible } from '../../scripts/interruptible.cts';

/** Never returns: the process ends with the command's code. */
export async function run(args: string[]): Promise<never> {
	return await interruptible((teardown) => main(args, teardown));
}

async function main(args: string[], teardown: Teardown): Promise<number> {
	let options: E2eOptions;
	try {
		options = e2eOptions(args, parts);
	} catch (error) {
		console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
		return 1;
	}
	if (options.help || options.list) {
		console.log(
			options.help ? USAGE : parts.map(({ name, title }) => `${name}: ${title}`).join('\n'),
		);
		return 0;
	}
	const results = await runParts(options.parts, teardown);
	console.log(`\n${partTable(results)}`);
	if (options.record) {
		const measured = results.map((result) => [result.name, measuredNow(options.command, result)]);
		await record('e2e', Object.fromEntries(measured), timesPage);
	}
	const sum = (what: 'passed' | 'failed') => results.reduce((all, one) => all + one[what], 0);
	console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
	return sum('failed') === 0 ? 0 : 1;
}
