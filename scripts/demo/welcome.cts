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

The scanning service and the console are simulated. Each minute brings ${ENTRIES_PER_MINUTE} audit log entries, some
with odd IDs on purpose, and ${SCANS_PER_MINUTE} scanned emails, one of them malicious. A URL on a host such as
phishing.example or suspicious.example gets that verdict; any other URL is clean.

To make a credential of your own, enter these values:

Content Scan API
${lines([
	['Environment', 'Custom'],
	['Base URL', scanning],
	['API Token', sandboxTokens.parent],
])}
  for Change Verdict and Request Investigation, under Operation Paths:
${lines(operationPathRows())}

Browser Console Headers API
${lines([['Console URL', console], ...headers.flatMap(headerRows)])}

Browser Console OAuth2 API
${lines([
	['Console URL', console],
	['Access Token URL', sandbox.tokenUrl],
	['Client ID', sandboxServiceAccount.clientId],
	['Client Secret', sandboxServiceAccount.clientSecret],
])}

Triggers look for something new once a minute. Results of the examples appear below; those of your
own workflows in n8n, under Executions. Ctrl-C stops everything.
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
