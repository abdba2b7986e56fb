import type * as V8 from 'node:v8';
import type * as VM from 'node:vm';
import { nodeProcess, nodeRequire } from '../engine/outsideJest.cts';

const SAMPLE_EVERY_MS = 5;
const COLLECT_EVERY_MS = 50;

/**
 * How far a piece of work raises the memory of this process, in bytes, sampled every 5 ms. Garbage is
 * collected meanwhile: how much of it waits is a matter of the machine's load, not of the work.
 */
export async function memoryDuring<T>(
	work: () => Promise<T>,
): Promise<{ result: T; peak: number }> {
	const collectGarbage = garbageCollector();
	collectGarbage();
	const before = nodeProcess.memoryUsage.rss();
	let highest = before;
	const sampling = setInterval(() => {
		highest = Math.max(highest, nodeProcess.memoryUsage.rss());
	}, SAMPLE_EVERY_MS);
	const collecting = setInterval(collectGarbage, COLLECT_EVERY_MS);
	try {
		const result = await work();
		return { result, peak: highest - before };
	} finally {
		clearInterval(sampling);
		clearInterval(collecting);
	}
}

function garbageCollector(): () => void {
	(nodeRequire('node:v8') as typeof V8).setFlagsFromString('--expose-gc');
	return (nodeRequire('node:vm') as typeof VM).runInNewContext('gc') as () => void;
}
