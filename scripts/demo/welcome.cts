import { ContentScanApi } from '../../credentials/ContentScanApi.credentials';
import {
	defaultConsoleHeaders,
	sandboxServiceAccount,
	sandboxTokens,
} from '../../sandbox/fixtures/accounts.cts';
import { sandboxOperationPaths } from '../../sandbox/fixtures/operationPaths.cts';
import { demoSignIn, ENTRIES_PER_MINUTE, SCANS_PER_MINUTE, type Demo } from './startDemo.cts';

type Row = [label: string, value: string];

/** What the terminal shows once everything runs: where to go, and what to type there. */
export function welcome({ n8n, sandbox }: Demo): string {
	const { us: scanning, console } = sandbox.addresses;
	const headers = Object.entries(defaultConsoleHeaders);
	return `
Ready. Open n8n and sign in; the examples are there with their credentials.

${lines([
	['n8n', n8n.url],
	['Email', demoSignIn.email],
	['Password', demoSignIn.password],
])}

To create a credential of your own, enter these values, and leave other fields as they are. (Until
you do, a new node uses the demo's, named 'Demo: …'.) Save closes the form if the connection works;
otherwise, the form says why under 'More details'.

For Content Scan nodes: Content Scan API
${lines([
	['Environment', 'Custom'],
	['Base URL', scanning],
	['API Token', sandboxTokens.parent],
])}

For Console Audit Log nodes: Browser Console OAuth2 API
${lines([
	['Access Token URL (replace the default)', sandbox.tokenUrl],
	['Client ID', sandboxServiceAccount.clientId],
	['Client Secret', sandboxServiceAccount.clientSecret],
	['Console URL (last field; replace)', console],
])}

URLs to scan
${lines([
	['https://phishing.example', 'malicious'],
	['https://suspicious.example', 'suspicious'],
	['https://undocumented.example', 'an undocumented verdict'],
	['https://www.example.com', 'clean, like any other URL'],
])}

Each minute brings
${lines([
	[`about ${SCANS_PER_MINUTE} scanned emails`, 'two of them malicious, one or two suspicious'],
	[
		`about ${ENTRIES_PER_MINUTE} audit log entries`,
		'"action": login, logout, user.invite, user.remove, policy.update, report.export',
	],
	['', '"outcome": success, failure; some IDs hold odd characters'],
])}

To try more: Browser Console Headers API, for the audit log as well
${lines([['Console URL', console], ...headers.flatMap(headerRows)])}

To try more: Operation Paths of Content Scan API, for Change Verdict and Request Investigation
${lines(operationPathRows())}

Below appears what the example 'Console audit log to workflow' finds. Ctrl-C stops everything.
`;
}

function headerRows([name, value]: [string, string]): Row[] {
	return [
		['Header: Name', name],
		['Header: Value', value],
	];
}

function lines(rows: readonly Row[]): string {
	const width = Math.max(...rows.map(([label]) => label.length));
	return rows.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`).join('\n');
}

/** By the labels of the credential's form. */
function operationPathRows(): Row[] {
	const fields = new ContentScanApi().properties.flatMap(({ options }) =>
		(options ?? []).flatMap((option) => ('values' in option ? option.values : [option])),
	);
	return Object.entries(sandboxOperationPaths).map(([key, value]) => {
		const field = fields.find(({ name }) => name === key);
		return [field && 'displayName' in field ? field.displayName : key, value];
	});
}
