import type { INodeProperties } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { callbackFields } from '../common/callbackFields';
import { optionsField } from '../common/executionOptions';
import { givenFields } from '../common/givenFields';
import type { Operation } from '../itemRun';
import { resultFields, submissionOptions } from '../common/submissionFields';

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

export const scanUrl: Operation = async (item) => {
	const path = item.text('url', 'URL');
	if (path === '') {
		throw new UserError("The 'URL' is empty", {
			description: 'Enter the address to scan, e.g. https://www.example.com/.',
		});
	}
	const fields = givenFields({
		path,
		user_agent_string: item.option('userAgentString', 'User Agent String'),
		user_location: item.option('userLocation', 'User Location'),
		...callbackFields(item),
	});
	// On first use: nothing of it is needed when n8n starts.
	const { submit } = await import('../common/submission');
	return await submit(item, 'scanUrl', { type: 'form', fields });
};
