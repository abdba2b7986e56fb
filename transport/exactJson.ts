/**
 * How deep an answer is opened. What is nested deeper is passed on as the text it came as: n8n and
 * much else walk values by recursion, and one such entry would stop a whole page.
 */
export const DEEPEST_LEVEL = 100;

/**
 * How much an answer may hold: each value counts one, each object two more, since it may take as
 * much memory as it likes names. A real page of 5,000 audit log entries has about 150,000.
 */
export const MOST_VALUES = 300_000;

/**
 * Most characters of a key that V8 looks at when it hashes it. Longer ones of one length all collide: a
 * few thousand as keys of a `Map`, or as names of objects, take many seconds.
 */
export const LONGEST_HASHED = 16_383;

/** The same of what may yet become longer: where it repeats a token of eight characters, `[redacted]` has ten. */
const LONGEST_SHORT = Math.floor(LONGEST_HASHED * 0.8);

/** As many values a name counts that V8 does not hash: it collides with those of all other answers, too. */
const COST_OF_LONG_NAME = MOST_VALUES / 10;

/**
 * Integers up to so many characters are written quickly. Of all other numbers, some take V8 many times as
 * long: each counts as so many values more.
 */
const LONGEST_QUICK_INTEGER = 16;
const COST_OF_OTHER_NUMBER = 3;

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
const IN_NUMBERS: ReadonlySet<number> = new Set(Buffer.from('-+.eE'));
const SPACES: ReadonlySet<number> = new Set(Buffer.from(' \t\r\n'));

interface ExactJson {
	value: unknown;
	/** How many values it holds, as `MOST_VALUES` counts them. */
	values: number;
	/** How many texts it holds that V8 may not hash (`LONGEST_SHORT`). */
	longTexts: number;
}

/** What one pass over a text tells, before anything is built from it. */
interface Survey {
	/** Where each part to keep begins and ends, one after the other. */
	kept: number[];
	values: number;
	longTexts: number;
}

/**
 * What a JSON text says; `tooManyValues` for one with more than `MOST_VALUES`, which is not parsed. Kept
 * as text: integers above 2^53 and numbers too large for JavaScript, digit for digit, and what is nested
 * deeper than `DEEPEST_LEVEL`.
 * @param bytes The text in UTF-8. As bytes it takes half the memory, and what refuses it needs no more.
 * @throws SyntaxError when it is not JSON.
 */
export function parseExactJson(bytes: Buffer): ExactJson | 'tooManyValues' {
	const survey = surveyed(bytes);
	if (survey === 'tooManyValues') return survey;
	const { kept, ...counts } = survey;
	return { value: JSON.parse(withQuoted(bytes, kept).toString()) as unknown, ...counts };
}

function surveyed(bytes: Buffer): Survey | 'tooManyValues' {
	const kept: number[] = [];
	let values = 0;
	let longTexts = 0;
	let level = 0;
	let tooDeepFrom = 0;
	for (let at = 0; at < bytes.length; at++) {
		const code = bytes[at];
		if (code === QUOTE) {
			const end = endOfString(bytes, at);
			if (end - at - 1 > LONGEST_SHORT) {
				if (isKey(bytes, end + 1)) values += COST_OF_LONG_NAME;
				else longTexts++;
			}
			at = end;
		} else if (code === COMMA) {
			values++;
		} else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
			values += code === OPEN_OBJECT ? 3 : 1;
			if (++level === DEEPEST_LEVEL + 1) tooDeepFrom = at;
		} else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
			if (level-- === DEEPEST_LEVEL + 1) kept.push(tooDeepFrom, at + 1);
		} else if (code === MINUS || isDigit(code)) {
			const end = endOfNumber(bytes, at);
			if (!isQuickInteger(bytes, at, end)) values += COST_OF_OTHER_NUMBER;
			if (level <= DEEPEST_LEVEL && isInexact(bytes, at, end)) kept.push(at, end);
			at = end - 1;
		}
		if (values > MOST_VALUES) return 'tooManyValues';
	}
	for (let part = 0; part < kept.length; part += 2) {
		if (kept[part + 1] - kept[part] > LONGEST_SHORT) longTexts++;
	}
	return { kept, values, longTexts };
}

function isDigit(code: number): boolean {
	return code >= ZERO && code <= NINE;
}

function endOfString(bytes: Buffer, start: number): number {
	let at = start + 1;
	for (; at < bytes.length; at++) {
		const code = bytes[at];
		if (code === QUOTE) break;
		if (code === BACKSLASH) at++;
	}
	return at;
}

/** Where what may be a number ends: at the first character that stands in none. */
function endOfNumber(bytes: Buffer, start: number): number {
	let at = start + 1;
	for (; at < bytes.length; at++) {
		const code = bytes[at];
		if (!isDigit(code) && !IN_NUMBERS.has(code)) break;
	}
	return at;
}

function isQuickInteger(bytes: Buffer, start: number, end: number): boolean {
	if (end - start > LONGEST_QUICK_INTEGER) return false;
	for (let at = start + 1; at < end; at++) if (!isDigit(bytes[at])) return false;
	return true;
}

/** Whether a number would become another one. As a key it stays as it is, which is no JSON. */
function isInexact(bytes: Buffer, start: number, end: number): boolean {
	const token = bytes.toString('latin1', start, end);
	const number = Number(token);
	if (Number.isFinite(number)) {
		if (!Number.isInteger(number) || Number.isSafeInteger(number)) return false;
		// One of two integers of a kind must not be a text, and the other a number.
		if (!/^-?\d+$/.test(token) && significantDigits(token) <= EXACT_DIGITS) return false;
	}
	return NUMBER.test(token) && !isKey(bytes, end);
}

function significantDigits(token: string): number {
	const [digits] = token.replace(/[-.]/g, '').split(/e/i);
	let end = digits.length;
	while (digits[end - 1] === '0') end--;
	return end - digits.search(/[1-9]/);
}

function isKey(bytes: Buffer, end: number): boolean {
	let at = end;
	while (SPACES.has(bytes[at])) at++;
	return bytes[at] === COLON;
}

function withQuoted(bytes: Buffer, kept: number[]): Buffer {
	if (kept.length === 0) return bytes;
	// A part grows by its quotes, and by what is escaped in it; a byte that is no UTF-8 becomes three.
	const quoted = Buffer.allocUnsafe(3 * bytes.length + kept.length);
	let from = 0;
	let to = 0;
	// Byte by byte: there may be 300,000 parts of a few bytes each.
	const copyUpTo = (end: number) => {
		while (from < end) quoted[to++] = bytes[from++];
	};
	for (let part = 0; part < kept.length; part += 2) {
		const [start, end] = [kept[part], kept[part + 1]];
		copyUpTo(start);
		if (isDigit(bytes[end - 1])) {
			quoted[to++] = QUOTE;
			copyUpTo(end);
			quoted[to++] = QUOTE;
		} else {
			const text = bytes.toString('utf8', start, end);
			// Not JSON inside is not JSON as a whole, though it stays text.
			JSON.parse(text);
			to += quoted.write(JSON.stringify(text), to);
			from = end;
		}
	}
	copyUpTo(bytes.length);
	return quoted.subarray(0, to);
}
