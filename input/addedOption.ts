import type { IDataObject } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { enteredText } from './enteredValues';

/** The error for an option or filter that the user added and that has no value. */
export function emptyOption(label: string, consequence: string): UserError {
	return new UserError(`'${label}' is empty`, {
		description:
			`Enter a value, correct the expression, or remove the field. ${consequence}`.trim(),
	});
}

/**
 * The value of an option that the user added; `undefined` for one that is not there. With an expression
 * that gives nothing, the node must not do what it does without the option.
 * @param label The option's display name.
 * @param consequence What has not happened, as a sentence.
 * @throws UserError for an added option without a value.
 */
export function addedOption(
	options: IDataObject,
	name: string,
	label: string,
	consequence = '',
): unknown {
	if (!Object.hasOwn(options, name)) return undefined;
	const value = options[name];
	const isBlank = typeof value === 'string' && value.trim() === '';
	if (value !== undefined && value !== null && !isBlank) return value;
	throw emptyOption(label, consequence);
}

/** The same of a text, without surrounding spaces. @throws UserError also for what is no text. */
export function addedText(
	options: IDataObject,
	name: string,
	label: string,
	consequence?: string,
): string | undefined {
	const value = addedOption(options, name, label, consequence);
	return value === undefined ? undefined : enteredText(value, label).trim();
}
