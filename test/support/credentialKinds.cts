import type { Sandbox } from '../../sandbox/createSandbox.cts';
import {
	defaultConsoleHeaders,
	sandboxSecretMarker,
	sandboxServiceAccount,
	sandboxTokens,
} from '../../sandbox/fixtures/accounts.cts';

/** What a form of a credential holds. */
export type Data = Record<string, unknown>;

interface CredentialKind {
	type: string;
	/** What the form holds; the address is that of the sandbox unless told. */
	data(address?: string, more?: Data): Data;
	/** The form with something the service does not accept. */
	wrong(): Data;
	secret: string;
	addressField: string;
	refused: RegExp;
	/** Key of a right answer. */
	key: string;
}

export const headerRows = (headers: Record<string, string>) => ({
	values: Object.entries(headers).map(([name, value]) => ({ name, value })),
});

/** The three credentials of this package, for a sandbox that need not be open yet. */
export function credentialKinds(sandbox: () => Sandbox) {
	const scan: CredentialKind = {
		type: 'contentScanApi',
		data: (baseUrl = sandbox().addresses.us, more = {}) => ({
			environment: 'custom',
			baseUrl,
			apiToken: sandboxTokens.parent,
			...more,
		}),
		wrong: () => scan.data(undefined, { apiToken: `${sandboxSecretMarker}-unknown` }),
		secret: 'token',
		addressField: 'Environment',
		refused: /^The scanning service did not accept the token \(401\)\. The address answers/,
		key: 'results',
	};

	const headers: CredentialKind = {
		type: 'browserConsoleHeadersApi',
		data: (consoleUrl = sandbox().addresses.console, more = {}) => ({
			consoleUrl,
			headers: headerRows(defaultConsoleHeaders),
			...more,
		}),
		wrong: () => headers.data(undefined, { headers: headerRows({ 'X-Console-Key': 'x' }) }),
		secret: 'headers',
		addressField: 'Console URL',
		refused: /^The console did not accept the headers \(401\)\. The address answers/,
		key: 'items',
	};

	const oAuth2: CredentialKind = {
		type: 'browserConsoleOAuth2Api',
		data: (consoleUrl = sandbox().addresses.console, more = {}) => ({
			consoleUrl,
			accessTokenUrl: sandbox().tokenUrl,
			...sandboxServiceAccount,
			...more,
		}),
		wrong: () => oAuth2.data(undefined, { clientId: 'unknown' }),
		secret: 'service account',
		addressField: 'Console URL',
		refused: /^Failed to acquire OAuth2 access token: Client authentication failed/,
		key: 'items',
	};

	return { scan, headers, oAuth2 };
}
