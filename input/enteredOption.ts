import { refusedValue } from './refusedValue';

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
		`Choose one from the list, or let the expression give one of: ${choices.join(', ')}.`,
	);
}
