import type { ICredentialTestRequest, INodeProperties } from 'n8n-workflow';
import { ENTRIES_PATH } from '../../services/console/auditLogPage';
import { testRules } from './credentialTest';

export const consoleUrlField: INodeProperties = {
	displayName: 'Console URL',
	name: 'consoleUrl',
	type: 'string',
	default: 'https://xray.abs.perception-point.io',
	required: true,
	placeholder: 'e.g. https://console.example.com',
	description:
		'The address at which you sign in to the console, without a path. The default is a guess: compare it with yours. If n8n shows only a code such as ENOTFOUND, it cannot connect: check the address, and the network of the n8n server.',
};

/** A cheap call that only an accepted credential can make: one entry of the audit log. */
export function consoleTest(secretName: string): ICredentialTestRequest {
	return {
		request: {
			url: ENTRIES_PATH,
			qs: { limit: 1 },
			disableFollowRedirect: true,
		},
		rules: testRules({
			serviceName: 'console',
			secretName,
			addressField: 'Console URL',
			answerKey: 'items',
		}),
	};
}
