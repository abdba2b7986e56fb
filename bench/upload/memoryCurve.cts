import { readFile } from 'node:fs/promises';

const EVERY_MS = 100;

/** How much memory something took at a moment. */
export interface MemorySample {
	/** Milliseconds since the epoch. */
	atMs: number;
	bytes: number;
}

/** Samples the resident set of another process on Linux, from outside. */
export class ResidentSetCurve {
	readonly samples: MemorySample[] = [];
	private readonly timer: NodeJS.Timeout;

	constructor(private readonly pid: number) {
		this.timer = setInterval(() => void this.sample(), EVERY_MS);
	}

	stop(): void {
		clearInterval(this.timer);
	}

	private async sample(): Promise<void> {
		// The process may have ended between two samples.
		const status = await readFile(`/proc/${this.pid}/status`, 'utf8').catch(() => '');
		const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
		if (kilobytes) this.samples.push({ atMs: Date.now(), bytes: Number(kilobytes) * 1024 });
	}
}

/** What reportMemory.cjs wrote inside the process. */
export async function reportedBuffers(report: string): Promise<MemorySample[]> {
	const lines = (await readFile(report, 'utf8')).trim().split('\n');
	return lines.map((line) => {
		const { atMs, buffers } = JSON.parse(line) as { atMs: number; buffers: number };
		return { atMs, bytes: buffers };
	});
}
