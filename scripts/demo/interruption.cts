/** Thrown into whatever is waited for when the user asks to end. */
export class Interrupted extends Error {
	constructor(reason: string) {
		super(`Ended by ${reason}.`);
		this.name = 'Interrupted';
	}
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const PARENT_WATCH_MS = 500;

export interface Interruption {
	/** Rejects with `Interrupted` at the first signal. */
	race<T>(work: Promise<T>): Promise<T>;
	/** Gives the signals back their usual effect. */
	release(): void;
}

/**
 * Turns Ctrl-C and a request to end into an orderly end: the first signal interrupts what is raced,
 * a second one calls `force`, for a user who does not want to wait for the clean-up. The end of the
 * npm that started this process counts as a signal: npm passes SIGTERM on to a shell only, which
 * does not pass it further.
 */
export function watchForInterruption(force: () => void): Interruption {
	let interrupt: (reason: Interrupted) => void = () => {};
	const interrupted = new Promise<never>((_resolve, reject) => (interrupt = reject));
	// Nobody may be waiting when the signal comes.
	interrupted.catch(() => {});
	let signals = 0;
	const onSignal = (signal: NodeJS.Signals): void => {
		signals += 1;
		if (signals === 1) interrupt(new Interrupted(signal));
		else force();
	};
	for (const signal of SIGNALS) process.on(signal, onSignal);
	const parentWatch = watchNpm(() => interrupt(new Interrupted('the end of npm')));
	return {
		race: (work) => Promise.race([work, interrupted]),
		release: () => {
			clearInterval(parentWatch);
			for (const signal of SIGNALS) process.off(signal, onSignal);
		},
	};
}

/** A process whose parent ends gets another one. */
function watchNpm(onEnd: () => void): NodeJS.Timeout | undefined {
	if (!process.env.npm_lifecycle_event) return undefined;
	const parent = process.ppid;
	return setInterval(() => {
		if (process.ppid !== parent) onEnd();
	}, PARENT_WATCH_MS).unref();
}
