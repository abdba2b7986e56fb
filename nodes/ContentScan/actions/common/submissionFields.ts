import type { INodeProperties } from 'n8n-workflow';
import { waitField, waitOptions } from '../../verdict/waitFields';
import { callbackOptions } from './callbackFields';
import { INCLUDE_INPUT_LABEL } from './inputFields';
import { simplifyField } from './scanOutput';

/** What both submissions return. */
export function resultFields(show: Record<string, string[]>): INodeProperties[] {
	return [waitField(show), simplifyField(show)];
}

/** The options that both submissions have. */
export const submissionOptions: INodeProperties[] = [
	...callbackOptions,
	...waitOptions,
	{
		displayName: INCLUDE_INPUT_LABEL,
		name: 'includeInput',
		type: 'boolean',
		default: false,
		description:
			'Whether to keep the fields of the input item. Fields of the result take their place where both have one of the same name. Off by default; files are kept either way.',
	},
];
