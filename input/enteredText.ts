import { UserError } from 'n8n-workflow';

function flaw(value: unknown): string | undefined {
	if (Array.isArray(value)) return 'is a list, not text';
	if (typeof value === 'object') return 'is an object, not text';
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
 * a number that has lost digits. It never quotes the value, which may be a password.
 */
export function enteredText(value: unknown, label: string): string {
	if (value === null || value === undefined) return '';
	const what = flaw(value);
	if (what === undefined) return String(value);
	throw new UserError(`'${label}' ${what}`, {
		description: 'Let the expression give one text, e.g. {{ $json.url }}. Nothing was sent.',
	});
}
