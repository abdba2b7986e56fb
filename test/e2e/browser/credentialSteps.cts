import {
	defaultConsoleHeaders,
	sandboxServiceAccount,
	sandboxTokens,
} from '../../../sandbox/fixtures/accounts.cts';
import type { Check, User } from './user.cts';

/** What a wrong secret must be answered with: the status, and what to check. */
const HEADERS_REFUSED = /did not accept the headers \(401\).*the headers may be mistyped/s;
const TOKEN_REFUSED = /did not accept the token \(401\).*the token may be mistyped/s;

const WRONG_HEADER = 'wrong-header-of-a-user';
const WRONG_TOKEN = 'wrong-token-of-a-user';

/** From the open trigger. */
export async function makeHeadersCredential(user: User, check: Check): Promise<void> {
	const { editor, form, screenshots, setting, secrets } = user;
	const [firstName] = Object.keys(defaultConsoleHeaders);
	secrets.add('the wrong header that is typed in', WRONG_HEADER);
	await check('A wrong header is told in the form of the headers credential', async () => {
		await form.openFromNode();
		await form.fill({ consoleUrl: setting.sandbox.addresses.console });
		await form.fillHeaders({ [firstName]: WRONG_HEADER });
		await screenshots.take('headers-form');
		const said = await saveRefused(user, HEADERS_REFUSED);
		await screenshots.take('headers-refused');
		return said;
	});
	await check('The right headers work', async () => {
		await form.fillHeaders(defaultConsoleHeaders);
		return await saveWorks(user);
	});
	await editor.at('node-execute-button').first().waitFor();
}

/** From the open scan node. */
export async function makeTokenCredential(user: User, check: Check): Promise<void> {
	const { editor, form, screenshots, setting, secrets } = user;
	secrets.add('the wrong token that is typed in', WRONG_TOKEN);
	await check('A wrong token is told in the form of the scanning credential', async () => {
		await form.openFromNode();
		await screenshots.take('token-form');
		await editor.choose('environment', 'Custom');
		await form.fill({ baseUrl: setting.sandbox.addresses.us, apiToken: WRONG_TOKEN });
		const said = await saveRefused(user, TOKEN_REFUSED);
		await screenshots.take('token-refused', { name: 'wrong-token', clip: form.window });
		await editor.input('callsPerMinute').scrollIntoViewIfNeeded();
		await screenshots.take('token-form-below');
		return said;
	});
	await check('The right token works, with operation paths', async () => {
		await form.dialog.getByRole('button', { name: 'Set Operation Paths' }).click();
		await editor.input('scanUrl').fill('urls/');
		await screenshots.take('operation-paths');
		await form.fill({ apiToken: sandboxTokens.parent });
		return await saveWorks(user);
	});
}

/** From the list of credentials. */
export async function makeServiceAccount(user: User, check: Check): Promise<void> {
	const { form, screenshots, setting } = user;
	const { clientId, clientSecret } = sandboxServiceAccount;
	await check('A service account works in the form of the OAuth2 credential', async () => {
		await form.openFromList('Browser Console OAuth2 API');
		await form.fill({
			consoleUrl: setting.sandbox.addresses.console,
			accessTokenUrl: setting.sandbox.tokenUrl,
			clientId,
			clientSecret,
		});
		const said = await saveWorks(user);
		await screenshots.take('service-account-works');
		return said;
	});
}

async function saveRefused({ form }: User, wanted: RegExp): Promise<string> {
	const said = await form.save();
	if (said && wanted.test(said)) return said.replaceAll(/\s*\n\s*/g, ' ');
	throw new Error(`n8n shows: ${said ?? 'nothing, the form has closed'}`);
}

async function saveWorks({ form }: User): Promise<string> {
	const said = await form.save();
	if (said === undefined) return 'tested by n8n';
	throw new Error(`n8n shows: ${said}`);
}
