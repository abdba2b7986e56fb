import type {
	IAuthenticate,
	ICredentialTestRequest,
	ICredentialType,
	Icon,
	INodeProperties,
} from 'n8n-workflow';
import { consoleOrigin } from '../services/console/consoleOrigin';
import { requestHeaders } from '../services/console/requestHeaders';
import { authenticatedRequest } from './common/authenticatedRequest';
import { consoleTest, consoleUrlField } from './common/consoleFields';

/** Access to the browser security console with headers of the user's choice (docs/interface.md, Authentication). */
export class BrowserConsoleHeadersApi implements ICredentialType {
	name = 'browserConsoleHeadersApi';

	displayName = 'Browser Console Headers API';

	documentationUrl = 'https://example.com/n8n-nodes-content-scan/docs/credentials.md';

	icon: Icon = { light: 'file:../icons/console.svg', dark: 'file:../icons/console.dark.svg' };

	properties: INodeProperties[] = [
		consoleUrlField,
		{
			displayName: 'Headers',
			name: 'headers',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			placeholder: 'Add Header',
			default: { values: [{ name: '', value: '' }] },
			description:
				'The headers that the administrator of the console or your provider gave you. If you can create a service account instead, use Browser Console OAuth2 API.',
			options: [
				{
					displayName: 'Header',
					name: 'values',
					values: [
						{
							displayName: 'Name',
							name: 'name',
							type: 'string',
							default: '',
							placeholder: 'e.g. X-Api-Key',
							description: 'Letters, digits and "-". The name alone, without ":".',
						},
						{
							displayName: 'Value',
							name: 'value',
							type: 'string',
							typeOptions: { password: true },
							default: '',
							description: 'One line. Hidden once it is saved.',
						},
					],
				},
			],
		},
		{
			displayName:
				'Use this credential if you were given request headers. If you can create a service account in the console, choose OAuth2 at the top instead. If you add, delete or reorder headers later, retype every value: n8n puts hidden values back by position.',
			name: 'maskedRowsNotice',
			type: 'notice',
			default: '',
		},
	];

	authenticate: IAuthenticate = async (credentials, request) =>
		authenticatedRequest(request, () => ({
			origin: consoleOrigin(credentials),
			headers: requestHeaders(credentials.headers),
		}));

	test: ICredentialTestRequest = consoleTest('headers');
}
