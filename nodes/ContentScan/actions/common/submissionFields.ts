import type { INodeProperties } from 'n8n-workflow';
import { waitField, waitOptions } from '../../verdict/waitFields';
import { callbackOptions } from './callbackFields';
import { INCLUDE_INPUT_LABEL } from './inputFields';
import { simplifyField } from './scanOutput';

export function resultFields(show: Record<string, string[]>): INodeProperties[] {
	return [waitField(show), simplifyField(show)];
}

export const submissionOptions: INodeProperties[] = [
	...callbackOptions,
	...waitOptions,
	{
		displayName: INCLUDE_INPUT_LABEL,
		name: 'includeInput',
		type: 'boolean',
		default: false,
		description:
			'Whether to keep the fields of the input item. If a result field has the same name, it replaces the input field. Off by default. Files are always kept.',
	},
];
