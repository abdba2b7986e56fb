/** Thrown into whatever is waited for when the user asks to end. */
export class Interrupted extends Error {
	constructor(readonly signal: NodeJS.Signals) {
		super(`Ended by ${signal}.`);
		this.name = 'Interrupted';
	}
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface Interruption {
	/** Rejects with `Interrupted` at the first signal. */
	race<T>(work: Promise<T>): Promise<T>;
	/** Gives the signals back their usual effect. */
	release(): void;
}

/**
 * Turns Ctrl-C and a request to end into an orderly end: the first signal interrupts what is raced,
 * a second one calls `force`, for a user who does not want to wait for the clean-up.
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
	return {
		race: (work) => Promise.race([work, interrupted]),
		release: () => {
			for (const signal of SIGNALS) process.off(signal, onSignal);
		},
	};
}
