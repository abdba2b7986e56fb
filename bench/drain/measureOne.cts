/**
 * One measurement in a process of its own, started by main.cts: `drain <number of the scenario>` or
 * `states`. Prints the figures as JSON.
 */
import { drainBacklog } from './drainBacklog.cts';
import { drainScenarios } from './scenarios.cts';
import { oneTimestamp, stateVariants, steadyLog, type StateFigures } from './stateSize.cts';

async function measure([what, number]: string[]): Promise<unknown> {
	if (what === 'drain') return await drainBacklog(drainScenarios[Number(number)]);
	const states: StateFigures[] = [];
	for (const variant of stateVariants) states.push(await steadyLog(variant));
	for (const variant of stateVariants) states.push(await oneTimestamp(variant));
	return states;
}

void measure(process.argv.slice(2)).then((figures) => {
	process.stdout.write(`${JSON.stringify(figures)}\n`, () => process.exit(0));
});
