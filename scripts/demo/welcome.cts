import { defaultConsoleHeaders } from '../../sandbox/fixtures/accounts.cts';
import { demoCredentials } from './demoCredentials.cts';
import { demoSignIn, type Demo } from './startDemo.cts';

/** What the terminal shows once everything runs: where to go, and what to type there. */
export function welcome({ n8n, sandbox }: Demo, entriesPerMinute: number): string {
	const { us: scanning, console } = sandbox.addresses;
	const token = sandbox.tokenUrl;
	const all = demoCredentials({ scanning, console, token }).map(({ data }) => data);
	const [scan, , serviceAccount] = all;
	return `
n8n        ${n8n.url}
sign in    ${demoSignIn.email} / ${demoSignIn.password}
scanning   ${scanning} (sandbox)
console    ${console} (sandbox, ${entriesPerMinute} new audit log entries a minute, some with odd IDs on purpose)

Credentials are in place. For one of your own, the sandbox knows these invented secrets:

Content Scan API             Environment       Custom
                             Base URL          ${scanning}
                             API Token         ${scan.apiToken}
Browser Console Headers API  Console URL       ${console}
${headerLines()}
Browser Console OAuth2 API   Console URL       ${console}
                             Client ID         ${serviceAccount.clientId}
                             Client Secret     ${serviceAccount.clientSecret}
                             Access Token URL  ${token}

The trigger polls once a minute; what the examples bring is listed here, what your own workflows do
under Executions in n8n. Ctrl-C ends everything.
`;
}

function headerLines(): string {
	return Object.entries(defaultConsoleHeaders)
		.map(([name, value]) => `${' '.repeat(29)}Header            ${name}: ${value}`)
		.join('\n');
}
