import type { INodeProperties } from 'n8n-workflow';

export const callbackOptions: INodeProperties[] = [
	{
		displayName: 'Callback Headers',
		name: 'callbackHeaders',
		type: 'json',
		default: '{}',
		placeholder: 'e.g. { "X-Scan-Secret": "…" }',
		description:
			'Headers that the service sends with the callback, as a JSON object. Callbacks are not signed: add a secret header and check it in the receiving workflow. Default: none.',
	},
	{
		displayName: 'Callback Parameters',
		name: 'callbackParams',
		type: 'json',
		default: '{}',
		placeholder: 'e.g. { "ticket": 42 }',
		description:
			'JSON that the service returns in the field "params" of the callback, to tell callbacks apart. Default: none.',
	},
	{
		displayName: 'Callback URL',
		name: 'callbackUrl',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://n8n.example.com/webhook/scan-finished',
		description:
			'Where the service posts the verdict when the scan is finished, e.g. the URL of a Webhook node. Must be reachable from the internet. Default: no callback.',
	},
];
