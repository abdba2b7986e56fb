import { join } from 'node:path';
import { measuredApart } from '../measuredApart.cts';
import type { DrainFigures } from './drainBacklog.cts';
import type { StateFigures } from './stateSize.cts';

/** Runs measureOne.cts with these arguments. */
export async function measureApart<T>(args: string[]): Promise<T> {
	const nodeArguments = ['--expose-gc'];
	return await measuredApart<T>(join(__dirname, 'measureOne.cts'), args, { nodeArguments });
}

/** Drains a backlog of that many entries, with the trigger's defaults, in a fresh process. */
export async function drainedApart(entries: number): Promise<DrainFigures> {
	return await measureApart(['drain', JSON.stringify({ title: '', entries, mode: 'default' })]);
}

/** How large the state becomes, on logs of several kinds. */
export async function statesApart(): Promise<StateFigures[]> {
	return await measureApart(['states']);
}
