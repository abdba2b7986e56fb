import { readFile } from 'node:fs/promises';

const EVERY_MS = 100;

export interface MemorySample {
	/** Milliseconds since the epoch. */
	atMs: number;
	/** Resident set, in bytes. */
	rss: number;
}

/** Samples the resident set of another process on Linux, from outside. */
export class MemoryCurve {
	readonly samples: MemorySample[] = [];
	private readonly timer: NodeJS.Timeout;

	constructor(private readonly pid: number) {
		this.timer = setInterval(() => void this.sample(), EVERY_MS);
	}

	stop(): MemorySample[] {
		clearInterval(this.timer);
		return this.samples;
	}

	private async sample(): Promise<void> {
		// The process may have ended between two samples.
		const status = await readFile(`/proc/${this.pid}/status`, 'utf8').catch(() => '');
		const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
		if (kilobytes) this.samples.push({ atMs: Date.now(), rss: Number(kilobytes) * 1024 });
	}
}
