import { systemClock } from '../clock';
import { redactorMaker } from './redaction';
import { quotation } from './serverMessage';

/** Longest time, in milliseconds, for which errors that come together keep n8n from all other work. */
const LONGEST_STRETCH_MS = 50;

/** An error that has waited so long behind others, in milliseconds, is told without a quotation. */
const LONGEST_WAIT_MS = 5000;

let searchedMs = 0;
let rest: Promise<void> | undefined;

async function timeForOthers(): Promise<void> {
	await systemClock.sleep(1);
	searchedMs = 0;
	rest = undefined;
}

/** Once others had their time: many errors may come together, of many workflows. */
async function inTurn(search: () => string): Promise<string> {
	while (searchedMs >= LONGEST_STRETCH_MS) await (rest ??= timeForOthers());
	const begun = performance.now();
	try {
		return search();
	} finally {
		searchedMs += performance.now() - begun;
	}
}

/** What others wrote, as an error may quote it: one line, not too long, without the secrets. */
export type Quote = (text: string, secrets: string[]) => Promise<string>;

/**
 * @returns A function that quotes for one credential or execution. It does one after the other, so that the errors of
 * others need not wait for hundreds of its own.
 */
export function quoting(): Quote {
	const redactorOf = redactorMaker();
	let line: Promise<unknown> = Promise.resolve();
	return async (text, secrets) => {
		const latest = performance.now() + LONGEST_WAIT_MS;
		const turn = line.then(async () => {
			if (performance.now() > latest) return '…';
			return await inTurn(() => quotation(text, redactorOf(secrets)));
		});
		line = turn.catch(() => undefined);
		return await turn;
	};
}
