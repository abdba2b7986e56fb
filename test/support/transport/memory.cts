import type * as V8 from 'node:v8';
import type * as VM from 'node:vm';
import { nodeProcess, nodeRequire } from '../engine/outsideJest.cts';

const SAMPLE_EVERY_MS = 100;

/**
 * How much more a piece of work holds at once than before it began, in bytes, looked at about every
 * 100 ms. Garbage is collected before each look: how much of it waits is a matter of the machine's load,
 * not of the work. A look takes at most a third of the time, so that the work goes on.
 */
export async function memoryHeldDuring<T>(
	work: () => Promise<T>,
): Promise<{ result: T; held: number }> {
	const collectGarbage = garbageCollector();
	const look = () => {
		collectGarbage();
		const { heapUsed, external } = nodeProcess.memoryUsage();
		return heapUsed + external;
	};
	const before = look();
	let highest = before;
	let next: NodeJS.Timeout;
	const lookAgain = () => {
		const began = Date.now();
		highest = Math.max(highest, look());
		next = setTimeout(lookAgain, Math.max(SAMPLE_EVERY_MS, 2 * (Date.now() - began)));
	};
	next = setTimeout(lookAgain, SAMPLE_EVERY_MS);
	try {
		const result = await work();
		return { result, held: Math.max(highest, look()) - before };
	} finally {
		clearTimeout(next);
	}
}

export function garbageCollector(): () => void {
	(nodeRequire('node:v8') as typeof V8).setFlagsFromString('--expose-gc');
	return (nodeRequire('node:vm') as typeof VM).runInNewContext('gc') as () => void;
}
