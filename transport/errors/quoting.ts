import type { Clock } from '../clock';
import { systemClock } from '../clock';
import { redactorMaker } from './redaction';
import { quotation } from './serverMessage';

/** Longest time, in milliseconds, for which errors that come together keep n8n from all other work. */
const LONGEST_STRETCH_MS = 50;

/** An error that has waited so long behind others, in milliseconds, is told without a quotation. */
const LONGEST_WAIT_MS = 5000;

const NOT_QUOTED = '…';

/** Looks for secrets, and leaves time for other work: many errors may come together, of many workflows. */
class Search {
	private searchedMs = 0;
	private rest?: Promise<void>;

	constructor(private readonly clock: Clock) {}

	/** @param latest Until when it may wait, by the monotonic clock. */
	async run(search: () => string, latest: number): Promise<string> {
		while (this.searchedMs >= LONGEST_STRETCH_MS) await (this.rest ??= this.timeForOthers());
		if (this.clock.monotonic() > latest) return NOT_QUOTED;
		const begun = this.clock.monotonic();
		try {
			return search();
		} finally {
			this.searchedMs += this.clock.monotonic() - begun;
		}
	}

	private async timeForOthers(): Promise<void> {
		await this.clock.sleep(1);
		this.searchedMs = 0;
		this.rest = undefined;
	}
}

/** The IDs of what was submitted go past all other errors, not past each other. */
interface Searches {
	usual: Search;
	vital: Search;
}

const searches = new WeakMap<Clock, Searches>();

function searchesBy(clock: Clock): Searches {
	const known = searches.get(clock) ?? { usual: new Search(clock), vital: new Search(clock) };
	searches.set(clock, known);
	return known;
}

export interface QuoteOptions {
	/** Whether it must not become "…", nor wait for what may. */
	isVital?: boolean;
}

/** What others wrote, as an error may quote it: one line, not too long, without the secrets. */
export type Quote = (text: string, secrets: string[], options?: QuoteOptions) => Promise<string>;

/**
 * @returns A function that quotes for one credential or execution. It does one after the other, so that the errors of
 * others need not wait for hundreds of its own.
 */
export function quoting(clock: Clock = systemClock): Quote {
	const redactorOf = redactorMaker();
	const { usual, vital } = searchesBy(clock);
	let line: Promise<unknown> = Promise.resolve();
	return async (text, secrets, { isVital = false } = {}) => {
		const quote = () => quotation(text, redactorOf(secrets));
		if (isVital) return await vital.run(quote, Infinity);
		const latest = clock.monotonic() + LONGEST_WAIT_MS;
		const turn = line.then(async () => await usual.run(quote, latest));
		line = turn.catch(() => undefined);
		return await turn;
	};
}
