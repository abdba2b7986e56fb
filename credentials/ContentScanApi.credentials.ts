import type {
	IAuthenticate,
	ICredentialTestRequest,
	ICredentialType,
	Icon,
	INodeProperties,
} from 'n8n-workflow';
import { apiToken } from '../services/scanning/apiToken';
import { deployedOperation, operationSettings } from '../services/scanning/operationPaths';
import { scanOrigin } from '../services/scanning/scanOrigin';
import { authenticatedRequest } from './common/authenticatedRequest';
import { operationPathFields } from './common/operationPathFields';
import { testRules } from './common/testRules';

/** What the test asks for; the credential may say that it is elsewhere. */
const LIST_OF_SCANS = deployedOperation('listScans', {}).path;

/** Access to the scanning service (interface.md, Authentication, Scanning interface). */
export class ContentScanApi implements ICredentialType {
	name = 'contentScanApi';

	displayName = 'Content Scan API';

	documentationUrl = 'https://example.com/n8n-nodes-content-scan/docs/credentials.md';

	icon: Icon = {
		light: 'file:../icons/contentScan.svg',
		dark: 'file:../icons/contentScan.dark.svg',
	};

	properties: INodeProperties[] = [
		{
			displayName: 'Environment',
			name: 'environment',
			type: 'options',
			options: [
				{ name: 'AUS', value: 'aus' },
				{ name: 'Custom', value: 'custom' },
				{ name: 'EU', value: 'eu' },
				{ name: 'US', value: 'us' },
			],
			default: 'us',
			description: 'The region that holds your organization. A token works in its own region only.',
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			displayOptions: { show: { environment: ['custom'] } },
			default: '',
			required: true,
			placeholder: 'e.g. https://api.example.com',
			description:
				'Scheme and host of the scanning service, without a path. https:// is needed except for localhost, the computer that n8n runs on.',
		},
		{
			displayName: 'API Token',
			name: 'apiToken',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'Also called the API key. Sent as "Authorization: Token …".',
		},
		{
			displayName:
				"Which token?<ul><li>An organization token is recommended: it has the rights of an Administrator and depends on no person. That of a parent organization reaches the parent and all its child organizations, that of a child only this child. The support contact of the provider hands it out on request, by a secure channel.</li><li>A user token is the second choice: it has the rights of its admin user, loses what that user's role loses, and works only while the user remains a valid admin user.</li><li>Some deployments offer user tokens only, for users with the Admin role. To depend on no single person, create a dedicated user with the Admin role, and sign in as that user to get its token.</li></ul>",
			name: 'accessNotice',
			type: 'notice',
			default: '',
		},
		{
			displayName:
				'Scanning, verdict change, investigation and release depend on your license: ask the account contact of the provider which of them it includes.',
			name: 'licenseNotice',
			type: 'notice',
			default: '',
		},
		{
			displayName: 'Calls per Minute',
			name: 'callsPerMinute',
			type: 'number',
			typeOptions: { minValue: 1, numberPrecision: 0 },
			default: 100,
			description:
				'Set by your agreement; 100 unless it says otherwise. All nodes of this n8n process that use the token share it, and never send more in any 60 seconds.',
		},
		...operationPathFields,
	];

	authenticate: IAuthenticate = async (credentials, request) =>
		authenticatedRequest(request, () => ({
			origin: scanOrigin(credentials),
			headers: { Authorization: `Token ${apiToken(credentials.apiToken)}` },
			path:
				request.url === LIST_OF_SCANS
					? deployedOperation('listScans', operationSettings(credentials)).path
					: undefined,
		}));

	test: ICredentialTestRequest = {
		request: {
			url: LIST_OF_SCANS,
			qs: { limit: 1 },
			disableFollowRedirect: true,
		},
		rules: testRules({
			serviceName: 'scanning service',
			secretName: 'token',
			addressField: 'Environment',
			alsoCheck: "With Custom, check 'Base URL', and the path 'List Scans' if it is set.",
			answerKey: 'results',
		}),
	};
}
