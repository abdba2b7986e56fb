import { refusedValue } from './refusedValue';

/** Which numbers a field takes: those above one, or from one on (`least`), up to `most` and with it. */
type Range = { least: number; most?: number } | { above: number };

/** Decimal digits alone, with an exponent at most: no `0x10`, no `Infinity`. */
const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

function numberIn(value: unknown): number {
	if (typeof value === 'number') return value;
	const text = typeof value === 'string' ? value.trim() : '';
	return DECIMAL.test(text) ? Number(text) : NaN;
}

function inWords(range: Range): string {
	if ('above' in range) return `above ${range.above}`;
	const { least, most } = range;
	return most === undefined ? `of ${least} or more` : `from ${least} to ${most}`;
}

function isWithin(number: number, range: Range): boolean {
	if (!Number.isFinite(number)) return false;
	if ('above' in range) return number > range.above;
	return number >= range.least && number <= (range.most ?? Infinity);
}

/**
 * What a number field holds, typed or from an expression.
 * @param label The field's display name, with its unit.
 * @throws UserError for what is no number, blank text, a boolean and a list included.
 */
export function enteredNumber(value: unknown, label: string, range: Range): number {
	const number = numberIn(value);
	if (isWithin(number, range)) return number;
	throw refusedValue(`'${label}' must be a number ${inWords(range)}`, value);
}

/**
 * The same where it counts something: a whole number of 1 or more.
 * @param advice What to do, where there is more to say than that.
 */
export function enteredCount(
	value: unknown,
	label: string,
	{ most, advice }: { most?: number; advice?: string } = {},
): number {
	const range = { least: 1, most };
	const number = numberIn(value);
	if (Number.isSafeInteger(number) && isWithin(number, range)) return number;
	throw refusedValue(`'${label}' must be a whole number ${inWords(range)}`, value, advice);
}
