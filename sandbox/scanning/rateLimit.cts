const windowMs = 60_000;

/**
 * Counts the calls of each token in a sliding window of 60 s (docs/interface.md, Limits). A refused call
 * does not count. That the counter belongs to the token is the sandbox's choice: the scope is not shown.
 */
export class RateLimit {
	private readonly calls = new Map<string, number[]>();

	/** @returns null when the call may pass (it is counted), else the milliseconds until one may. */
	admit(token: string, nowMs: number, callsPerMinute: number): number | null {
		const times = this.calls.get(token) ?? [];
		while (times.length > 0 && times[0] <= nowMs - windowMs) times.shift();
		this.calls.set(token, times);
		if (times.length < callsPerMinute) {
			times.push(nowMs);
			return null;
		}
		const freeing = times[times.length - Math.max(callsPerMinute, 1)] ?? nowMs;
		return freeing + windowMs - nowMs;
	}

	clear(): void {
		this.calls.clear();
	}
}
