import type { IExecuteFunctions } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';

/** Longest quotation of a refused value in an error, in characters. */
const MOST_SHOWN = 200;

/** Longest text of a field, in characters: to write megabytes as a form takes n8n many seconds. */
const LONGEST_TEXT = 65_536;

/** A text as an error quotes it, which n8n shows as HTML. An expression may give any length. */
export function shortened(text: string): string {
	const short = text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
	return short.replaceAll('<', '‹').replaceAll('>', '›');
}

/** The same of any value. */
export function shown(value: unknown): string {
	if (typeof value === 'bigint') return `${value}n`;
	return shortened(JSON.stringify(value) ?? String(value));
}

/** The error for a value that a field cannot take: what is wrong, what the value is, what to do. */
export function refusedValue(message: string, value: unknown, advice?: string): UserError {
	return new UserError(message, {
		description: `It is ${shown(value)}. ${advice ?? 'Correct the field or its expression.'}`,
	});
}

function textFlaw(value: unknown): string | undefined {
	if (Array.isArray(value)) return 'is a list, not text';
	if (typeof value === 'object') return 'is an object, not text';
	// It would be sent as another character.
	if (typeof value === 'string' && /\p{Surrogate}/u.test(value))
		return 'holds an incomplete character';
	if (typeof value === 'boolean') return `is ${value}, not text`;
	if (typeof value === 'number' && !Number.isFinite(value)) return 'is not a number';
	if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) {
		return 'is a number too large to be exact';
	}
	return undefined;
}

/**
 * The value of a text field; nothing is empty text.
 * @param label The field's display name.
 * @throws UserError for what is no text and would become a wrong one: an object, a list, a boolean,
 * a number that has lost digits; and for a text of over 65,536 characters. It never quotes the
 * value, which may be a password.
 */
export function enteredText(value: unknown, label: string): string {
	if (value === null || value === undefined) return '';
	if (typeof value === 'string' && value.length > LONGEST_TEXT) {
		throw new UserError(`'${label}' is longer than 65,536 characters`, {
			description: 'Correct the field or its expression. Nothing was sent for this item.',
		});
	}
	const flaw = textFlaw(value);
	if (flaw === undefined) return String(value);
	throw new UserError(`'${label}' ${flaw}`, {
		description:
			'Make the expression return text, e.g. {{ $json.url }}. Nothing was sent for this item.',
	});
}

/**
 * Whether a switch is on. Expressions often give text: "true" and "false" mean what they say.
 * @param label The field's display name.
 * @throws UserError for anything else, so that no switch is taken for off (or on) by mistake.
 */
export function enteredBoolean(value: unknown, label: string): boolean {
	const meant = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if (meant === true || meant === 'true') return true;
	if (meant === false || meant === 'false') return false;
	throw refusedValue(`'${label}' must be true or false`, value);
}

/** Which numbers a field takes: those above one, or from one on (`least`), up to `most` and with it. */
type Range = { least: number; most?: number } | { above: number };

/** Decimal digits alone, with an exponent at most: no `0x10`, no `Infinity`. */
const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

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

/**
 * The chosen option of a field.
 * @param label The field's display name.
 * @param choices The values of its options, as an expression has to give them.
 * @throws UserError that names the choices, for anything else.
 */
export function enteredOption<Choice extends string>(
	value: unknown,
	label: string,
	choices: readonly Choice[],
): Choice {
	const chosen = choices.find((choice) => choice === value);
	if (chosen !== undefined) return chosen;
	throw refusedValue(
		`'${label}' is not one of its options`,
		value,
		`Choose one from the list, or make the expression return one of: ${choices.join(', ')}.`,
	);
}

/** n8n's default for the field 'Limit'. */
const DEFAULT_LIMIT = 50;

/**
 * How many results the fields 'Return All' and 'Limit' ask for: `Infinity` for all.
 * @throws UserError for a switch that is neither on nor off, and a limit that is no whole number of 1 or more.
 */
export function resultLimit(context: IExecuteFunctions, itemIndex: number): number {
	const returnAll = context.getNodeParameter('returnAll', itemIndex, false);
	if (enteredBoolean(returnAll, 'Return All')) return Infinity;
	const limit = context.getNodeParameter('limit', itemIndex, DEFAULT_LIMIT);
	return enteredCount(limit, 'Limit', { advice: "Enter 1 or more, or turn on 'Return All'." });
}
