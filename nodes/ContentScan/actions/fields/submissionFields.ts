import type { INodeProperties } from 'n8n-workflow';
import { callbackOptions } from './callbackOptions';
import { simplifyField } from './simplifyField';
import { waitField, waitOptions } from './waitFields';

export const includeInputOption = {
	displayName: 'Include Input Fields',
	name: 'includeInput',
	type: 'boolean',
	default: false,
	description:
		'Whether to keep the fields of the input item, also if the scan fails. Fields of the result replace those of the same name, and what an earlier scan left, such as its verdict or error, is dropped. Off by default. Files are always kept.',
} as const;

export function resultFields(show: Record<string, string[]>): INodeProperties[] {
	return [waitField(show), simplifyField(show)];
}

export const submissionOptions: INodeProperties[] = [
	...callbackOptions,
	...waitOptions,
	includeInputOption,
];
