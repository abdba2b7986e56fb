import type { Range } from './cutOut';
import { cutOut, occurrences, REDACTED } from './cutOut';
import { isRecord } from './isRecord';

/** A shorter one may be part of anything, and is no token. */
const SHORTEST_TOKEN = 8;

/** What JSON may escape in two ways: every character like this, and these by a backslash alone. */
const ANY_ESCAPE = '\\u';
const SIGNS = /["/\\]/;

/**
 * An answer without the tokens that it was asked for with, which a service may echo: they would end
 * up in items. Only exact occurrences are replaced: entries and records are to be passed on as sent.
 * @param bytes What the answer was parsed from.
 * @param kept Field of the answer that stays as it is.
 */
export function withoutTokens(
	answer: unknown,
	tokens: string[],
	bytes: Buffer,
	kept?: string,
): unknown {
	const plain = tokens.filter((token) => token.length >= SHORTEST_TOKEN);
	if (plain.length === 0) return answer;
	// What is nested too deep is passed on as JSON text, in which a token may be escaped.
	const wanted = [...new Set(plain.flatMap((token) => [token, asJson(token)]))];
	// Looking at every value takes as long as all the rest, and few answers hold one.
	const mayHold =
		// A number has many spellings.
		wanted.some((token) => bytes.includes(token) || /^-?\d+$/.test(token)) ||
		// Much faster than to look for each escape.
		((bytes.includes(ANY_ESCAPE) || wanted.some((token) => SIGNS.test(token))) &&
			escapesIn(wanted).test(bytes.toString('latin1')));
	if (!mayHold) return answer;
	const cut = cutter(wanted);
	const clean = (value: unknown): unknown => {
		if (typeof value === 'string') return cut(value);
		if (typeof value === 'number')
			return [value, -value].some((one) => wanted.includes(String(one))) ? REDACTED : value;
		if (Array.isArray(value)) value.forEach((inside, at) => (value[at] = clean(inside)));
		else if (isRecord(value)) Object.keys(value).forEach((key) => cleanField(value, key));
		return value;
	};
	const cleanField = (record: Record<string, unknown>, key: string) => {
		const [name, value] = [cut(key), clean(record[key])];
		if (name !== key) delete record[key];
		// Also where it is called "__proto__", since it is there already.
		record[name] = value;
	};
	if (kept === undefined || !isRecord(answer) || !(kept in answer)) return clean(answer);
	const value = answer[kept];
	return Object.assign(clean(answer) as object, { [kept]: value });
}

/** Finds the escapes with which JSON may spell a character of these tokens. */
function escapesIn(tokens: string[]): RegExp {
	const characters = [...new Set(tokens.join('').split(''))];
	const codes = characters.map((one) => one.charCodeAt(0).toString(16).padStart(4, '0'));
	const signs = characters.filter((one) => '"/\\'.includes(one)).map((one) => `\\${one}`);
	return new RegExp(`\\\\(?:${[`u(?:${codes.join('|')})`, ...signs].join('|')})`, 'i');
}

function asJson(token: string): string {
	return JSON.stringify(token).slice(1, -1);
}

/** Cuts out all that belongs to one of these tokens: one may be a part of another. */
function cutter(tokens: string[]): (text: string) => string {
	const shortest = Math.min(...tokens.map(({ length }) => length));
	return (text) => {
		const held = text.length < shortest ? [] : tokens.filter((token) => text.includes(token));
		if (held.length === 0) return text;
		const ranges = held.flatMap((token) =>
			[...occurrences(text, token)].map((at): Range => [at, at + token.length]),
		);
		return cutOut(text, ranges);
	};
}
