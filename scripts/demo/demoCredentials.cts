import type { N8nInstance } from '../n8n/n8nInstance.cts';
import { saveCredential, type CredentialDetails } from '../n8n/workflows.cts';
import {
	defaultConsoleHeaders,
	sandboxServiceAccount,
	sandboxTokens,
} from '../../sandbox/fixtures/accounts.cts';
import { sandboxOperationPaths } from '../../sandbox/fixtures/operationPaths.cts';

export interface SandboxAddresses {
	/** Address of the scanning service. */
	scanning: string;
	console: string;
	/** Where the console hands out access tokens. */
	token: string;
}

/** What a user would type into n8n's credential forms to reach the sandbox. */
export function demoCredentials(addresses: SandboxAddresses): CredentialDetails[] {
	const headers = Object.entries(defaultConsoleHeaders);
	return [
		{
			name: 'Demo: Content Scan',
			type: 'contentScanApi',
			data: {
				environment: 'custom',
				baseUrl: addresses.scanning,
				apiToken: sandboxTokens.parent,
				callsPerMinute: 100,
				operationPaths: { values: { ...sandboxOperationPaths } },
			},
		},
		{
			name: 'Demo: Browser Console Headers',
			type: 'browserConsoleHeadersApi',
			data: {
				consoleUrl: addresses.console,
				headers: { values: headers.map(([name, value]) => ({ name, value })) },
			},
		},
		{
			name: 'Demo: Browser Console OAuth2',
			type: 'browserConsoleOAuth2Api',
			data: {
				consoleUrl: addresses.console,
				grantType: 'clientCredentials',
				accessTokenUrl: addresses.token,
				clientId: sandboxServiceAccount.clientId,
				clientSecret: sandboxServiceAccount.clientSecret,
				scope: '',
				authentication: 'header',
			},
		},
	];
}

/** By their types, of which each has one. */
export type SavedCredentials = ReadonlyMap<string, { id: string; name: string }>;

/** Saves them in n8n, or brings them up to date. */
export async function saveCredentials(
	{ session }: N8nInstance,
	credentials: readonly CredentialDetails[],
): Promise<SavedCredentials> {
	const saved = new Map<string, { id: string; name: string }>();
	for (const credential of credentials) {
		const { type, name } = credential;
		saved.set(type, { id: await saveCredential(session, credential), name });
	}
	return saved;
}
