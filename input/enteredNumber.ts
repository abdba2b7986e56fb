import { UserError } from 'n8n-workflow';

/**
 * What a number field holds, be it typed or from an expression.
 * @returns NaN for what is no number: nothing, blank text, a boolean, a list.
 */
export function enteredNumber(value: unknown): number {
	const isNumeric = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
	return isNumeric ? Number(value) : NaN;
}

/**
 * The same where it counts something.
 * @param label The field's display name.
 * @param advice What to do, after what it is.
 * @throws UserError for anything but a whole number of 1 or more.
 */
export function enteredCount(value: unknown, label: string, advice: string): number {
	const number = enteredNumber(value);
	if (Number.isSafeInteger(number) && number >= 1) return number;
	throw new UserError(`'${label}' must be a whole number of 1 or more`, {
		description: `It is ${JSON.stringify(value)}. ${advice}`,
	});
}
