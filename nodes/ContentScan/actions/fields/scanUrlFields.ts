import type { INodeProperties } from 'n8n-workflow';
import { optionsField } from './optionsField';
import { resultFields, submissionOptions } from './submissionFields';

const show = { resource: ['scan'], operation: ['scanUrl'] };

export const scanUrlFields: INodeProperties[] = [
	{
		displayName: 'URL',
		name: 'url',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. https://www.example.com/sign-in',
		description: 'The whole address to scan, with http:// or https://',
		displayOptions: { show },
	},
	...resultFields(show),
	optionsField(show, [
		...submissionOptions,
		{
			displayName: 'User Agent String',
			name: 'userAgentString',
			type: 'string',
			default: '',
			placeholder: 'e.g. Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)',
			description:
				'User agent with which the service opens the URL. Some pages attack only some browsers. Default: chosen by the service.',
		},
		{
			displayName: 'User Location',
			name: 'userLocation',
			type: 'string',
			default: '',
			description:
				'Location from which the service opens the URL. Ask your provider for the values. Default: chosen by the service.',
		},
	]),
];
