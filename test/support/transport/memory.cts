import { nodeProcess } from '../engine/outsideJest.cts';

/** How far a piece of work raises the memory of this process, in bytes, sampled every 5 ms. */
export async function memoryDuring<T>(
	work: () => Promise<T>,
): Promise<{ result: T; peak: number }> {
	const before = nodeProcess.memoryUsage.rss();
	let highest = before;
	const timer = setInterval(() => {
		highest = Math.max(highest, nodeProcess.memoryUsage.rss());
	}, 5);
	try {
		const result = await work();
		return { result, peak: highest - before };
	} finally {
		clearInterval(timer);
	}
}
