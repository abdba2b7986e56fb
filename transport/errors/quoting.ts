import { systemClock } from '../clock';
import { redactorMaker } from './redaction';
import { quotation } from './serverMessage';

/** A text and secrets that are shorter together, in characters, are searched in no time. */
const LONG = 1024;

/** Longest time, in milliseconds, for which errors that come together keep n8n from all other work. */
const LONGEST_STRETCH_MS = 50;

let line: Promise<unknown> = Promise.resolve();
let searchedMs = 0;

/** Looks for secrets at one place after the other: a hundred items may fail at once. */
async function inTurn(search: () => string): Promise<string> {
	const turn = line.then(async () => {
		if (searchedMs >= LONGEST_STRETCH_MS) {
			await systemClock.sleep(1);
			searchedMs = 0;
		}
		const begun = performance.now();
		try {
			return search();
		} finally {
			searchedMs += performance.now() - begun;
		}
	});
	const letGo = () => undefined;
	line = turn.then(letGo, letGo);
	return await turn;
}

/** @returns What others wrote, as an error may quote it: one line, not too long, without the secrets. */
export type Quote = (text: string, secrets: string[]) => Promise<string>;

/** @returns A function that quotes for one credential or execution: most of what it is given has the same secrets. */
export function quoting(): Quote {
	const redactorOf = redactorMaker();
	return async (text, secrets) => {
		const search = () => quotation(text, redactorOf(secrets));
		const length = secrets.reduce((sum, secret) => sum + secret.length, text.length);
		return length < LONG ? search() : await inTurn(search);
	};
}
