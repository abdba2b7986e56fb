import type { INodeCredentialDescription, INodeProperties } from 'n8n-workflow';

/** The credential that a console node needs, by its parameter `authentication`. */
export const consoleCredentials: INodeCredentialDescription[] = [
	{
		name: 'browserConsoleHeadersApi',
		required: true,
		displayOptions: { show: { authentication: ['headers'] } },
	},
	{
		name: 'browserConsoleOAuth2Api',
		required: true,
		displayOptions: { show: { authentication: ['oAuth2'] } },
	},
];

export const includeEventKeyField: INodeProperties = {
	displayName: 'Include Event Key',
	name: 'includeEventKey',
	type: 'boolean',
	default: false,
	description:
		'Whether to add the field eventKey, which is the same each time an entry is read, so that the receiver can drop duplicates',
};

export const authenticationField: INodeProperties = {
	displayName: 'Authentication',
	name: 'authentication',
	type: 'options',
	options: [
		{
			name: 'Headers',
			value: 'headers',
			description: 'Request headers that the administrator of the console gave you',
		},
		{
			name: 'OAuth2',
			value: 'oAuth2',
			description: 'A service account that you create in the console. Recommended.',
		},
	],
	default: 'headers',
};
