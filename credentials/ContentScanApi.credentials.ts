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
import { testRules } from './common/credentialTest';

/** What the test asks for; the credential may say that it is elsewhere. */
const LIST_OF_SCANS = deployedOperation('listScans', {}).path;

/** Access to the scanning service (docs/interface.md, Authentication). */
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
				{ name: 'US (api.perception-point.io)', value: 'us' },
				{ name: 'EU (api.eu.perception-point.io)', value: 'eu' },
				{ name: 'AUS (api.aus.perception-point.io)', value: 'aus' },
				{ name: 'Custom', value: 'custom' },
			],
			default: 'us',
			description:
				'The region that holds your organization: a token works in its own region only. Custom: any other address.',
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
				'Scheme and host of the scanning service, without a path. It must start with https://, except for localhost or 127.0.0.1, the computer that n8n runs on.',
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
				"Use an organization token; your license must include each function you use. A parent organization's token also covers its children; a child's token covers only that child. A user token works only while its user is a valid admin user. If n8n shows only a code such as ENOTFOUND, it cannot connect: check the address, and the network of the n8n server.",
			name: 'accessNotice',
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
				'Set by your agreement; 100 unless it says otherwise. All nodes in this n8n process with the same token share this limit, counted over any 60 seconds.',
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
			// A service may refuse to list a thousand scans or more: the last ten minutes have the fewest.
			qs: { limit: 1, start: '={{ Math.floor(Date.now() / 1000) - 600 }}' },
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
