/**
 * How deep an answer is opened. What is nested deeper is passed on as the text it came as: n8n and
 * much else walk values by recursion, and one such entry would stop a whole page.
 */
export const DEEPEST_LEVEL = 100;

/**
 * How much an answer may hold: each value counts one, each object one more. A real page of 5,000
 * audit log entries has about 150,000. The worst that stays within it takes 25 MB and a quarter of
 * a second.
 */
export const MOST_VALUES = 300_000;

/** A number as JSON writes it. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** As many significant digits are exact in a number. */
const EXACT_DIGITS = 15;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const ZERO = 0x30;
const NINE = 0x39;
const MINUS = 0x2d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const SMALL_E = 0x65;
const LARGE_E = 0x45;
const IN_NUMBERS: ReadonlySet<number> = new Set([...'-+.eE'].map((sign) => sign.charCodeAt(0)));
const SPACES: ReadonlySet<number> = new Set([...' \t\r\n'].map((space) => space.charCodeAt(0)));

/** From where to where a value stands in the text. */
type Span = [start: number, end: number];

/**
 * What a JSON text says; `tooManyValues` for one with more than `MOST_VALUES`, which is not parsed. Kept
 * as text: numbers that JavaScript would round to another, digit for digit, and what is nested
 * deeper than `DEEPEST_LEVEL`.
 * @throws SyntaxError when it is not JSON.
 */
export function parseExactJson(text: string): { value: unknown } | 'tooManyValues' {
	const kept = partsToKeep(text);
	return kept === 'tooManyValues' ? kept : { value: JSON.parse(withQuoted(text, kept)) as unknown };
}

/** One pass over the text, before anything is built from it. */
function partsToKeep(text: string): Span[] | 'tooManyValues' {
	const kept: Span[] = [];
	let values = 0;
	let level = 0;
	let tooDeepFrom = 0;
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (code === QUOTE) {
			at = endOfString(text, at);
		} else if (code === COMMA) {
			values++;
		} else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
			values += code === OPEN_OBJECT ? 2 : 1;
			if (++level === DEEPEST_LEVEL + 1) tooDeepFrom = at;
		} else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
			if (level-- === DEEPEST_LEVEL + 1) kept.push([tooDeepFrom, at + 1]);
		} else if (code === MINUS || isDigit(code)) {
			const end = endOfNumber(text, at);
			if (level <= DEEPEST_LEVEL && isInexact(text, at, end)) kept.push([at, end]);
			at = end - 1;
		}
		if (values > MOST_VALUES) return 'tooManyValues';
	}
	return kept;
}

function isDigit(code: number): boolean {
	return code >= ZERO && code <= NINE;
}

/** Where the string that begins at `start` has its closing quote. */
function endOfString(text: string, start: number): number {
	let at = start + 1;
	for (; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (code === QUOTE) break;
		if (code === BACKSLASH) at++;
	}
	return at;
}

/** Where what may be a number ends: at the first character that stands in none. */
function endOfNumber(text: string, start: number): number {
	let at = start + 1;
	for (; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (!isDigit(code) && !IN_NUMBERS.has(code)) break;
	}
	return at;
}

/** Whether a number would become another one. As a key it stays as it is, which is no JSON. */
function isInexact(text: string, start: number, end: number): boolean {
	const token = text.slice(start, end);
	const number = Number(token);
	if (Number.isFinite(number)) {
		if (!Number.isInteger(number) || Number.isSafeInteger(number)) return false;
		if (significantDigits(token) <= EXACT_DIGITS) return false;
	}
	return NUMBER.test(token) && !isKey(text, end);
}

function significantDigits(token: string): number {
	let count = 0;
	let upToLast = 0;
	for (let at = 0; at < token.length; at++) {
		const code = token.charCodeAt(at);
		if (code === SMALL_E || code === LARGE_E) break;
		if (!isDigit(code)) continue;
		if (count > 0 || code !== ZERO) count++;
		if (code !== ZERO) upToLast = count;
	}
	return upToLast;
}

function isKey(text: string, end: number): boolean {
	let at = end;
	while (SPACES.has(text.charCodeAt(at))) at++;
	return text.charCodeAt(at) === COLON;
}

function withQuoted(text: string, kept: Span[]): string {
	if (kept.length === 0) return text;
	const pieces: string[] = [];
	let from = 0;
	for (const [start, end] of kept) {
		const part = text.slice(start, end);
		// Not JSON inside is not JSON as a whole, though it stays text.
		if (part.length > 1 && !isDigit(part.charCodeAt(part.length - 1))) JSON.parse(part);
		pieces.push(text.slice(from, start), JSON.stringify(part));
		from = end;
	}
	pieces.push(text.slice(from));
	return pieces.join('');
}
