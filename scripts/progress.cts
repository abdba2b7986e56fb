const REPEAT_AFTER_MS = 15_000;

/** Prints what is going on. Everything a script says goes through `say`, so that a caller can silence it. */
export type Say = (line: string) => void;

/** A duration as people read it: `8 s`, `4 min 05 s`. */
export function duration(milliseconds: number): string {
	const seconds = Math.round(milliseconds / 1000);
	if (seconds < 60) return `${seconds} s`;
	return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}

/** Runs a long task, saying at its start, every 15 seconds and at its end how long it has taken. */
export async function withProgress<T>(say: Say, what: string, task: () => Promise<T>): Promise<T> {
	const started = Date.now();
	say(`${what} …`);
	const ticker = setInterval(() => say(`  … ${duration(Date.now() - started)}`), REPEAT_AFTER_MS);
	try {
		const result = await task();
		say(`  done in ${duration(Date.now() - started)}`);
		return result;
	} finally {
		clearInterval(ticker);
	}
}
