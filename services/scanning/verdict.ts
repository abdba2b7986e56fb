import type { INodePropertyOptions } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { shown } from '../../input/enteredValues';

interface Verdict {
	/** As the service writes it in `verbose_verdict`. */
	code: string;
	/** As the node shows and takes it. */
	word: string;
	description: string;
}

const CLEAN = 'clean';

/** The documented verdicts, the most severe first. */
const VERDICTS: Verdict[] = [
	{ code: 'MAL', word: 'malicious', description: 'Malware, phishing or another attack' },
	{ code: 'BLK', word: 'restricted', description: 'Not allowed by the policy of the organization' },
	{ code: 'SPM', word: 'spam', description: 'Unwanted bulk mail' },
	{
		code: 'SUS',
		word: 'suspicious',
		description: 'Not proven to be harmful, but to be handled with care',
	},
	{ code: 'CLN', word: CLEAN, description: 'Nothing harmful was found' },
];

export const VERDICT_CODES: readonly string[] = VERDICTS.map(({ code }) => code);

/** No word is longer: to look at megabytes of text takes a while. */
const LONGEST_WORD = 50;

function plain(value: string): string {
	return value.length > LONGEST_WORD ? '' : value.trim().toLowerCase();
}

function find(value: string): Verdict | undefined {
	const wanted = plain(value);
	return VERDICTS.find(({ code, word }) => code.toLowerCase() === wanted || word === wanted);
}

/** What a code of the service means. What only resembles the code for clean is another code. */
function documented(code: string): Verdict | undefined {
	const verdict = find(code);
	return verdict?.word === CLEAN && verdict.code !== code ? undefined : verdict;
}

/**
 * The word for a verdict code. A code that is not documented passes through unchanged, but for one
 * that would read as the word for clean.
 */
export function verdictWord(code: string): string {
	const verdict = documented(code);
	if (verdict) return verdict.word;
	return plain(code) === CLEAN ? `other (${code})` : code;
}

/** Whether a code is documented, and not the one for clean. */
export function isKnownHarmful(code: string | undefined): boolean {
	const verdict = code === undefined ? undefined : documented(code);
	return verdict !== undefined && verdict.word !== CLEAN;
}

/** The code for a verdict word or code in any case. What is not known passes through unchanged. */
export function verdictCode(word: string): string {
	return find(word)?.code ?? word;
}

/**
 * The verdict a user chose, by word or code.
 * @throws UserError for anything that is not one of the documented verdicts: what is sent changes
 * what happens to an email, so nothing is guessed.
 */
export function chosenVerdict(value: unknown, field: string): { code: string; word: string } {
	const verdict = typeof value === 'string' ? find(value) : undefined;
	if (verdict) return { code: verdict.code, word: verdict.word };
	throw new UserError(`The '${field}' ${shown(value)} is not known`, {
		description: `Use one of: ${VERDICTS.map(({ word, code }) => `${word} (${code})`).join(', ')}.`,
	});
}

/**
 * Rank of a verdict code: the lower, the more severe. A code that is not documented, and none at
 * all, may mean anything, so they must not pass for clean.
 */
export function severityRank(code = ''): number {
	const verdict = documented(code);
	const cleanRank = VERDICTS.length;
	if (!verdict) return cleanRank - 1;
	return verdict.word === CLEAN ? cleanRank : VERDICTS.indexOf(verdict);
}

/**
 * The choices of a verdict field, in alphabetical order as n8n's rules have it. Without
 * `localeCompare`, whose first use would take a third of the time in which n8n loads the package.
 */
export const verdictOptions: INodePropertyOptions[] = VERDICTS.map(({ word, description }) => ({
	name: word.charAt(0).toUpperCase() + word.slice(1),
	value: word,
	description,
})).sort((a, b) => (a.name < b.name ? -1 : 1));
