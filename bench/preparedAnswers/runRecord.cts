/** What the server saw between `begin` and `done`: every contender is timed by this one clock. */
export interface RunRecord {
	/** From the arrival of the first request to that of the word that all is there. */
	milliseconds: number;
	requests: number;
	/** Id of the last item that the contender has, in its own words; empty when it has none to tell. */
	last: string;
	/** Different URLs that were submitted to be scanned. */
	submitted: number;
}

/** The run that is under way, by the clock of the server. */
export class RunClock {
	private firstMs: number | undefined;
	private requests = 0;
	private readonly submitted = new Set<string>();
	private finish: (record: RunRecord) => void = () => {};
	/** Resolves when the contender says that it has everything. */
	readonly finished = new Promise<RunRecord>((resolve) => (this.finish = resolve));

	/** Forgets a turn that was only to warm up. */
	restart(): void {
		this.firstMs = undefined;
		this.requests = 0;
		this.submitted.clear();
	}

	noteRequest(): void {
		this.firstMs ??= performance.now();
		this.requests += 1;
	}

	noteSubmission(form: string): void {
		this.submitted.add(form);
	}

	done(last: string): void {
		const milliseconds = performance.now() - (this.firstMs ?? NaN);
		const { requests, submitted } = this;
		this.finish({ milliseconds, requests, last, submitted: submitted.size });
	}
}
