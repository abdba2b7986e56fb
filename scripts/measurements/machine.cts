import { availableParallelism, cpus, totalmem } from 'node:os';

const GIB = 2 ** 30;

/** What measured, without anything that names this very computer. */
export function describeMachine(): string {
	const model = cpus()[0]?.model.trim() ?? 'unknown processor';
	const memory = Math.round(totalmem() / GIB);
	return `${availableParallelism()} × ${model}, ${memory} GB, ${process.platform}, Node ${process.versions.node}`;
}
