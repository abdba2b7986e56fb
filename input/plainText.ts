import { UserError } from 'n8n-workflow';

/**
 * The value of a text field; nothing is empty text.
 * @param label The field's display name.
 * @throws UserError for an object or a list: as text it would be "[object Object]" or "a,b".
 */
export function plainText(value: unknown, label: string): string {
	if (value === null || value === undefined) return '';
	if (typeof value === 'object') {
		throw new UserError(
			`'${label}' is ${Array.isArray(value) ? 'a list' : 'an object'}, not a text`,
			{
				description:
					'Let the expression give one field of it, e.g. {{ $json.url }}. Nothing was sent.',
			},
		);
	}
	return String(value);
}
