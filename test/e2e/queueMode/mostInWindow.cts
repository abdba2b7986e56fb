const WINDOW_MS = 60_000;

/** The most calls in any 60 s. They stand in the order of their times, in milliseconds. */
export function mostInWindow(calls: ReadonlyArray<{ atMs: number }>): number {
	let first = 0;
	return calls.reduce((most, { atMs }, index) => {
		while (calls[first].atMs <= atMs - WINDOW_MS) first += 1;
		return Math.max(most, index - first + 1);
	}, 0);
}
