/**
 * One measurement in a process of its own, started by measure.cts: `drain <the scenario as JSON>` or
 * `states`. Prints the figures as JSON.
 */
import { printFigures } from '../measuredApart.cts';
import { drainBacklog, type DrainScenario } from './drainBacklog.cts';
import { oneTimestamp, stateVariants, steadyLog, type StateFigures } from './stateSize.cts';

async function measure([what, scenario]: string[]): Promise<unknown> {
	if (what === 'drain') return await drainBacklog(JSON.parse(scenario) as DrainScenario);
	const states: StateFigures[] = [];
	for (const variant of stateVariants) states.push(await steadyLog(variant));
	for (const variant of stateVariants) states.push(await oneTimestamp(variant));
	return states;
}

printFigures(measure(process.argv.slice(2)));
