import { refusedValue } from './refusedValue';

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
