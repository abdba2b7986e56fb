import type { ICredentialTestRequest, ICredentialType, Icon, INodeProperties } from 'n8n-workflow';
import { ENTRIES_PATH } from '../services/console/auditLogPage';
import { consoleTest, consoleUrlField } from './common/consoleFields';

/**
 * The console's address as n8n's OAuth2 request needs it: with a scheme, without the interface's own
 * path, and never such that the token would travel in the clear to another computer.
 */
const CONSOLE_ADDRESS = `={{ $credentials.consoleUrl.trim()
	.replace(/^(?![a-z][a-z0-9+.-]*:\\/\\/)/i, "https://")
	.replace(/^http:\\/\\/(?!(localhost|127(\\.\\d{1,3}){3}|\\[::1\\])(:\\d*)?(\\/|$))/i, "https://")
	.replace(/(\\/api|${ENTRIES_PATH.replaceAll('/', '\\/')})?(?<!\\/)\\/*$/, "") }}`;

/**
 * Access to the browser security console with a service account (public material: OAuth2 client
 * credentials; docs/interface.md shows headers only). Its addresses and client ID are no expressions: n8n keeps
 * one token for all that they may give.
 */
export class BrowserConsoleOAuth2Api implements ICredentialType {
	name = 'browserConsoleOAuth2Api';

	displayName = 'Browser Console OAuth2 API';

	extends = ['oAuth2Api'];

	documentationUrl = 'https://example.com/n8n-nodes-content-scan/docs/credentials.md';

	icon: Icon = { light: 'file:../icons/console.svg', dark: 'file:../icons/console.dark.svg' };

	properties: INodeProperties[] = [
		{ ...consoleUrlField, noDataExpression: true },
		{
			displayName:
				'In the console, create a service account with the role Reader, and enter its client ID and secret. Saving tests them. If that fails without a clear reason, use Fetch Test Event in the trigger.',
			name: 'serviceAccountNotice',
			type: 'notice',
			default: '',
		},
		{
			displayName: 'Grant Type',
			name: 'grantType',
			type: 'hidden',
			default: 'clientCredentials',
		},
		{
			displayName: 'Access Token URL',
			name: 'accessTokenUrl',
			type: 'string',
			default: 'https://xray.abs.perception-point.io/oauth2/token',
			required: true,
			placeholder: 'e.g. https://console.example.com/oauth2/token',
			noDataExpression: true,
			description: 'Where n8n gets its access token. Change it only if you were given another URL.',
		},
		{
			displayName: 'Client ID',
			name: 'clientId',
			type: 'string',
			default: '',
			required: true,
			noDataExpression: true,
			description: 'That of the service account',
		},
		{ displayName: 'Scope', name: 'scope', type: 'hidden', default: '' },
		{ displayName: 'Authentication', name: 'authentication', type: 'hidden', default: 'header' },
	];

	test: ICredentialTestRequest = {
		...consoleTest('service account'),
		request: { ...consoleTest('service account').request, baseURL: CONSOLE_ADDRESS },
	};
}
