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
with IDs that hold odd characters, and ${SCANS_PER_MINUTE} scanned emails, one of them malicious and
now and then one suspicious.

URLs to scan:     https://phishing.example      malicious
                  https://suspicious.example    suspicious
                  https://undocumented.example  an undocumented verdict
                  https://www.example.com       clean, like any other URL
Audit entries:    "action" is login, logout, user.invite, user.remove, policy.update or report.export,
                  "outcome" is success or failure

New nodes have a credential selected whose name begins with 'Demo:'. For one of your own, choose
'Create new credential' in its place. Enter these values from top to bottom, in place of what a field
holds (click into it, Ctrl+A, paste), leave all other fields as they are, and press Save: if the
connection works, the form closes; otherwise it says why, under 'More details'.

For the Content Scan nodes: Content Scan API
${lines([
	['Environment', 'Custom'],
	['Base URL', scanning],
	['API Token', sandboxTokens.parent],
])}
  That is all for scans and alerts. To try Change Verdict and Request Investigation,
  enter under Operation Paths:
${lines(operationPathRows())}

For the Console Audit Log nodes: Browser Console OAuth2 API, which their form shows first
${lines([
	['Access Token URL', sandbox.tokenUrl],
	['Client ID', sandboxServiceAccount.clientId],
	['Client Secret', sandboxServiceAccount.clientSecret],
	['Console URL (last)', console],
])}

or Browser Console Headers API, if you choose it at the top of the form:
${lines([['Console URL', console], ...headers.flatMap(headerRows)])}

Triggers look for something new once a minute: the first alert comes within about two minutes after
you publish. What your own workflows do appears in n8n under Executions; below appears what the
example 'Console audit log to workflow' finds. Ctrl-C stops everything.
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
