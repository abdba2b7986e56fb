import type { ICredentialType, IExecuteFunctions, INodeProperties, INodeType } from 'n8n-workflow';
import { BASE_NODES } from './baseNodes.cts';

/**
 * Types of n8n-nodes-base that a workflow or a credential needs. That package is not among the
 * development dependencies (over 100 MB), so these few stand in for it; each does less than the real one.
 */

type Pass = (this: IExecuteFunctions) => ReturnType<NonNullable<INodeType['execute']>>;

const passOn: Pass = async function () {
	return [this.getInputData()];
};

function standInNode(
	name: string,
	displayName: string,
	inputs: 'main' | 'none',
	execute?: Pass,
): INodeType {
	return {
		description: {
			name,
			displayName: `${displayName} (stand-in)`,
			group: inputs === 'none' ? ['trigger'] : ['transform'],
			version: 1,
			description: 'Stands in for the node of n8n-nodes-base',
			defaults: { name: displayName },
			inputs: inputs === 'none' ? [] : ['main'],
			outputs: ['main'],
			properties: [],
		},
		...(execute ? { execute } : {}),
	};
}

/** Stand-ins for nodes, by the full name that a workflow uses. */
export const STAND_IN_NODES: Record<string, INodeType> = {
	...BASE_NODES,
	'n8n-nodes-base.manualTrigger': standInNode('manualTrigger', 'Manual Trigger', 'none', passOn),
	'n8n-nodes-base.noOp': standInNode('noOp', 'No Operation', 'main', passOn),
	'n8n-nodes-base.stickyNote': standInNode('stickyNote', 'Sticky Note', 'none'),
};

const manualRegistration = { show: { useDynamicClientRegistration: [false] } };

function oAuth2Field(
	displayName: string,
	name: string,
	shown: NodeShown = manualRegistration,
	defaultValue = '',
): INodeProperties {
	return { displayName, name, type: 'string', displayOptions: shown, default: defaultValue };
}
type NodeShown = INodeProperties['displayOptions'];

const withLogin = {
	show: { grantType: ['authorizationCode', 'pkce'], useDynamicClientRegistration: [false] },
};

/** The fields of n8n's `oAuth2Api` that n8n-core reads, with n8n's conditions and defaults. */
const oAuth2Api: ICredentialType = {
	name: 'oAuth2Api',
	displayName: 'OAuth2 API (stand-in)',
	properties: [
		{
			displayName: 'Use Dynamic Client Registration',
			name: 'useDynamicClientRegistration',
			type: 'boolean',
			default: false,
		},
		oAuth2Field('Grant Type', 'grantType', manualRegistration, 'authorizationCode'),
		oAuth2Field('Authorization URL', 'authUrl', withLogin),
		oAuth2Field('Access Token URL', 'accessTokenUrl'),
		oAuth2Field('Client ID', 'clientId'),
		oAuth2Field('Client Secret', 'clientSecret'),
		oAuth2Field('Scope', 'scope'),
		oAuth2Field('Auth URI Query Parameters', 'authQueryParameters', withLogin),
		oAuth2Field('Authentication', 'authentication', manualRegistration, 'header'),
		{
			displayName: 'Ignore SSL Issues',
			name: 'ignoreSSLIssues',
			type: 'boolean',
			default: false,
			doNotInherit: true,
		},
		{
			displayName: 'Token Expired Status Code',
			name: 'tokenExpiredStatusCode',
			type: 'number',
			default: 401,
			doNotInherit: true,
		},
	],
};

const httpHeaderAuth: ICredentialType = {
	name: 'httpHeaderAuth',
	displayName: 'Header Auth (stand-in)',
	properties: [
		{ displayName: 'Name', name: 'name', type: 'string', default: '' },
		{ displayName: 'Value', name: 'value', type: 'string', default: '' },
	],
};

/** Stand-ins for credential types, by name. */
export const STAND_IN_CREDENTIALS: Record<string, ICredentialType> = { oAuth2Api, httpHeaderAuth };
