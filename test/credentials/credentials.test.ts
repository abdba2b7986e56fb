import type { ICredentialType, IHttpRequestOptions } from 'n8n-workflow';
import { BrowserConsoleHeadersApi } from '../../credentials/BrowserConsoleHeadersApi.credentials';
import { BrowserConsoleOAuth2Api } from '../../credentials/BrowserConsoleOAuth2Api.credentials';
import { ContentScanApi } from '../../credentials/ContentScanApi.credentials';
import { authenticatedRequest } from '../../credentials/common/authenticatedRequest';

const all: ICredentialType[] = [
	new ContentScanApi(),
	new BrowserConsoleHeadersApi(),
	new BrowserConsoleOAuth2Api(),
];

describe('a request with a credential', () => {
	const origin = 'https://api.example.com';
	const readAccess = () => ({ origin, headers: { Authorization: 'Token x' } });
	const made = (request: Partial<IHttpRequestOptions> & { uri?: string }) =>
		authenticatedRequest(request as IHttpRequestOptions, readAccess);

	it.each([
		[{ url: '/api/v1/x' }, '/api/v1/x'],
		[{ url: '/x', baseURL: '' }, '/x'],
		[{ url: '/x', baseURL: origin }, '/x'],
		[{ url: '/x', baseURL: 'https://evil.example' }, '/x'],
		[{ url: `${origin}/x?y=1` }, '/x?y=1'],
		[{ url: 'https://API.example.com:443/x' }, '/x'],
		[{ uri: `${origin}/x` }, '/x'],
		[{ url: '' }, '/'],
		[{ url: '/a/..%2F/b%252e' }, '/a/..%2F/b%252e'],
	])('goes to the service: %j', (request, path) => {
		expect(made(request)).toMatchObject({
			url: `${origin}${path}`,
			headers: { Authorization: 'Token x' },
		});
		expect(made(request)).not.toHaveProperty('baseURL');
		expect(made(request)).not.toHaveProperty('uri');
	});

	it.each([
		{ url: 'https://evil.example/' },
		{ url: '//evil.example/' },
		{ url: '\\\\evil.example/' },
		{ url: 'http://api.example.com/' },
		{ url: 'https://api.example.com:8443/' },
		{ url: 'https://api.example.com@evil.example/' },
		{ uri: 'https://evil.example/' },
		{ url: 'data:text/plain,x' },
		{ url: 'blob:https://api.example.com/x' },
		{ url: 'https://' },
	])('goes nowhere else: %j', (request) => {
		expect(() => made(request)).toThrow(
			/^This credential is for https:\/\/api\.example\.com only, and the request goes to .*\. Nothing was sent\.$/,
		);
	});

	it.each([
		[{ proxy: { host: 'proxy', port: 1 } }, 'a proxy of the node'],
		[{ proxy: 'http://proxy:1' }, 'a proxy of the node'],
		[{ skipSslCertificateValidation: true }, "turn off 'Ignore SSL Issues'"],
		[{ rejectUnauthorized: false }, "turn off 'Ignore SSL Issues'"],
		[{ agentOptions: { rejectUnauthorized: false } }, "remove the CA of 'SSL Certificates'"],
		[{ agentOptions: { ca: 'x' } }, "remove the CA of 'SSL Certificates'"],
		[{ agentOptions: { host: '127.0.0.1', port: 1 } }, "remove the CA of 'SSL Certificates'"],
		[{ agentOptions: { socketPath: '/run/x' } }, "remove the CA of 'SSL Certificates'"],
		[{ agentOptions: { checkServerIdentity: () => undefined } }, 'whose certificate n8n trusts'],
		[{ headers: { hOST: 'evil.example' } }, "remove the header 'Host'"],
		[{ headers: { ' Host ': 'evil.example' } }, "remove the header 'Host'"],
		[{ headers: { common: { Host: 'evil.example' } } }, "remove the header 'Host'"],
	])('is sent by no detour: %j', (options, message) => {
		const request = { url: '/x', ...options } as unknown as Partial<IHttpRequestOptions>;
		expect(() => made(request)).toThrow(message);
		expect(() => made(request)).toThrow(/^This credential .*\. Nothing was sent\.$/);
	});

	it('takes what leads nowhere else', () => {
		const agentOptions = { ca: undefined, cert: 'x', key: 'y', passphrase: 'z' };
		expect(made({ url: '/x', rejectUnauthorized: true, agentOptions } as never)).toMatchObject({
			agentOptions,
		});
	});

	it('follows no redirect, in either spelling of n8n', () => {
		const request = { url: '/', followRedirect: true, followAllRedirects: true };
		expect(made(request)).toMatchObject({
			disableFollowRedirect: true,
			followRedirect: false,
			followAllRedirects: false,
		});
	});

	it('signs in with its own header, whatever the request says', () => {
		expect(made({ url: '/', headers: { Authorization: 'x' } })).toMatchObject({
			headers: { Authorization: 'Token x' },
		});
	});

	it('keeps the rest of the request', () => {
		expect(
			made({ url: '/', method: 'POST', qs: { a: 1 }, headers: { Accept: 'x' } }),
		).toMatchObject({
			method: 'POST',
			qs: { a: 1 },
			headers: { Accept: 'x', Authorization: 'Token x' },
		});
	});
});

it('n8n offers no expression for what an OAuth2 credential is of: it keeps one token', () => {
	const { properties } = new BrowserConsoleOAuth2Api();
	const fields = properties.filter(({ name }) => /Url$|Id$/.test(name));
	expect(fields.map(({ name, noDataExpression }) => [name, noDataExpression])).toEqual([
		['consoleUrl', true],
		['accessTokenUrl', true],
		['clientId', true],
	]);
});

describe.each(all.map((type) => [type.name, type] as const))('the form of %s', (_, type) => {
	const texts = JSON.stringify(type.properties);

	it('describes every field, and gives every address an example', () => {
		for (const field of type.properties) {
			if (field.type === 'notice' || field.type === 'hidden') continue;
			expect([field.name, field.description]).toStrictEqual([field.name, expect.any(String)]);
			if (/url/i.test(field.name)) expect(field.placeholder).toMatch(/^e\.g\. https:\/\//);
		}
	});

	it('masks what is secret', () => {
		expect(texts.match(/"password":true/g)?.length ?? 0).toBe(
			type.name === 'browserConsoleOAuth2Api' ? 0 : 1,
		);
	});

	it('keeps to the words that n8n asks for', () => {
		expect(texts).not.toMatch(/\b(error|problem|failure|mistake)\b/i);
	});

	it('has no markup in its notices that n8n drops', () => {
		for (const { displayName } of type.properties.filter((field) => field.type === 'notice')) {
			expect(displayName).not.toMatch(/<(?!\/?(a|ul|li)\b)/);
		}
	});

	it('is tested without redirects, each status once', () => {
		const { request, rules = [] } = type.test ?? { request: {} };
		expect(request.disableFollowRedirect).toBe(true);
		const statuses = rules
			.filter((rule) => rule.type === 'responseCode')
			.map(({ properties }) => properties.value);
		expect(new Set(statuses).size).toBe(statuses.length);
		for (const status of [
			301, 302, 303, 307, 308, 400, 401, 403, 404, 405, 429, 500, 502, 503, 504,
		]) {
			expect(statuses).toContain(status);
		}
	});
});

it('the scanning credential says in a line which token to use and what it depends on', () => {
	const words = JSON.stringify(new ContentScanApi().properties);
	for (const said of [
		'API key',
		'Use an organization token',
		"A parent organization's token also covers its children",
		"a child's token covers only that child",
		'user token works only while its user is a valid admin user',
		'license',
	]) {
		expect(words).toContain(said);
	}
});

it('the scanning credential asks first for what must be filled in, and folds the rest', () => {
	const { properties } = new ContentScanApi();
	const names = properties.map(({ name }) => name);
	expect(names.slice(0, 3)).toStrictEqual(['environment', 'baseUrl', 'apiToken']);
	expect(properties[0].options).toMatchObject([
		{ name: 'US (api.perception-point.io)' },
		{ name: 'EU (api.eu.perception-point.io)' },
		{ name: 'AUS (api.aus.perception-point.io)' },
		{ name: 'Custom' },
	]);
	const paths = properties.find(({ name }) => name === 'operationPaths');
	expect(paths).toMatchObject({ type: expect.stringMatching(/ollection$/), default: {} });
});

it('the headers credential says when to take OAuth2, and what n8n does with masked rows', () => {
	const words = JSON.stringify(new BrowserConsoleHeadersApi().properties);
	expect(words).toContain('If you can create a service account in the console, choose OAuth2');
	expect(words).toMatch(/by position/);
});

it('a form whose test n8n may fail without a reason says what to do instead', () => {
	expect(JSON.stringify(new BrowserConsoleOAuth2Api().properties)).toContain('Fetch Test Event');
	expect(JSON.stringify(new ContentScanApi().properties)).toContain('ENOTFOUND');
});
