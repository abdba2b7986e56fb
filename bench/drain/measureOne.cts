/**
 * One measurement in a process of its own, started by main.cts: `drain <number of the scenario>` or
 * `states`. Prints the figures as JSON.
 */
import { drainBacklog } from './drainBacklog.cts';
import { drainScenarios } from './scenarios.cts';
import { oneTimestamp, steadyLog } from './stateSize.cts';

async function measure([what, number]: string[]): Promise<unknown> {
	if (what === 'drain') return await drainBacklog(drainScenarios[Number(number)]);
	return [
		await steadyLog('default'),
		await steadyLog('durable'),
		await oneTimestamp('default'),
		await oneTimestamp('durable'),
	];
}

void measure(process.argv.slice(2)).then((figures) => {
	process.stdout.write(`${JSON.stringify(figures)}\n`, () => process.exit(0));
});
