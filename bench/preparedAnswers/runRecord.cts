/** What the server saw of one run: every contender is timed by this one clock. */
export interface RunRecord {
	/** From the start of the run to the word that all is there. */
	sinceStart: number;
	/** From the arrival of the first request to that of the word that all is there. */
	milliseconds: number;
	/** From the arrival of the first request to that of the last one for data. */
	reading: number;
	requests: number;
	/** Executions that ended before the last one. */
	batches: number;
	/** Id of the last item that the contender has, in its own words; empty when it has none to tell. */
	last: string;
	/** Different URLs that were submitted to be scanned. */
	submitted: number;
}

/** The run that is under way, by the clock of the server. */
export class RunClock {
	private startMs = performance.now();
	private firstMs: number | undefined;
	private lastMs = 0;
	private requests = 0;
	private batches = 0;
	private readonly submitted = new Set<string>();
	private finish: (record: RunRecord) => void = () => {};
	/** Resolves when the contender says that it has everything. */
	readonly finished = new Promise<RunRecord>((resolve) => (this.finish = resolve));

	/** Forgets a turn that was only to warm up. */
	restart(): void {
		this.startMs = performance.now();
		this.firstMs = undefined;
		this.requests = 0;
		this.submitted.clear();
	}

	noteRequest(): void {
		this.lastMs = performance.now();
		this.firstMs ??= this.lastMs;
		this.requests += 1;
	}

	noteBatch(): void {
		this.batches += 1;
	}

	noteSubmission(form: string): void {
		this.submitted.add(form);
	}

	done(last: string): void {
		const { startMs, firstMs = NaN, lastMs, requests, batches, submitted } = this;
		const now = performance.now();
		const milliseconds = now - firstMs;
		const reading = lastMs - firstMs;
		this.finish({
			sinceStart: now - startMs,
			milliseconds,
			reading,
			requests,
			batches,
			last,
			submitted: submitted.size,
		});
	}
}
