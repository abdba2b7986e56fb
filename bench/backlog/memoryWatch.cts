const SAMPLE_EVERY_MS = 20;

/** How much memory this process takes beyond what it took at the start, in bytes. */
export interface MemoryAdded {
	/** Peak of the resident set, garbage included. */
	rss: number;
	/** Largest heap after a garbage collection: what is really kept. */
	heap: number;
}

/** Watches the memory of this process, which has to run with `--expose-gc`. */
export class MemoryWatch {
	private readonly atStart: MemoryAdded;
	private readonly timer: NodeJS.Timeout;
	private peakRss: number;
	private peakHeap: number;

	constructor() {
		collectGarbage();
		const { rss, heapUsed } = process.memoryUsage();
		this.atStart = { rss, heap: heapUsed };
		this.peakRss = rss;
		this.peakHeap = heapUsed;
		this.timer = setInterval(() => this.sample(), SAMPLE_EVERY_MS);
		this.timer.unref();
	}

	sample(): void {
		this.peakRss = Math.max(this.peakRss, process.memoryUsage.rss());
	}

	/** Notes what is kept. It collects garbage, so it is not for every poll. */
	noteKept(): void {
		this.sample();
		collectGarbage();
		this.peakHeap = Math.max(this.peakHeap, process.memoryUsage().heapUsed);
	}

	stop(): MemoryAdded {
		clearInterval(this.timer);
		return { rss: this.peakRss - this.atStart.rss, heap: this.peakHeap - this.atStart.heap };
	}
}

function collectGarbage(): void {
	if (!globalThis.gc) throw new Error('Memory is measured in a process with --expose-gc only.');
	globalThis.gc();
}
