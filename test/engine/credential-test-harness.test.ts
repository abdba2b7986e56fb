import {
	FIXTURE_PACKAGE as packageFolder,
	startFixtureServer,
} from '../support/engine/fixturePackage.cts';
import type { FixtureServer } from '../support/engine/fixturePackage.cts';
import { testCredential } from '../support/engine/testCredential.cts';

/** The harness's own tests: what n8n makes of a declarative credential test. */
let server: FixtureServer;

beforeAll(async () => {
	server = await startFixtureServer();
});

beforeEach(() => server.reset());

afterAll(async () => await server.close());

const TRUE_ANSWER = { body: { state: { ok: true } } };

async function verdict(data: Record<string, unknown> = {}, type = 'fixtureApi') {
	const { status, message } = await testCredential({
		type,
		packageFolder,
		data: { token: 'secret-1', environment: 'custom', baseUrl: server.origin, ...data },
	});
	return `${status}: ${message}`;
}

describe('what the user sees', () => {
	it.each([
		[{ ...TRUE_ANSWER, status: 200 }, 'OK: Connection successful!'],
		[{ status: 403 }, 'Error: Forbidden'],
		[{ status: 404 }, 'Error: Not Found'],
		[{ status: 429 }, 'Error: Too Many Requests'],
		[{ status: 500 }, 'Error: Internal Server Error'],
	])('is the reason phrase of the status, without a rule for it (%j)', async (answer, seen) => {
		server.respond(() => ({ body: { message: 'words of the service' }, ...answer }));

		expect(await verdict()).toBe(seen);
	});

	it('is the message of the rule for the status, and the request was sent twice on 401', async () => {
		server.respond(() => ({ status: 401, body: {} }));

		expect(await verdict()).toBe('Error: The token is wrong');
		expect(server.requests).toHaveLength(2);
	});

	it('is the message of the rule for a value of the answer', async () => {
		server.respond(() => ({ body: { state: { ok: false } } }));
		const object = await verdict();
		server.respond(() => ({ body: [{ state: { ok: false } }] }));
		const firstOfList = await verdict();

		expect(object).toBe('Error: The service is not ready');
		expect(firstOfList).toBe(object);
	});

	it('is that of a rule for the value `undefined` when the field is missing, as in a login page', async () => {
		server.respond(() => ({ body: '<html>Please sign in</html>' }));

		expect(await verdict()).toBe('Error: This is another service');
	});

	it('fails inside n8n when such rules meet an empty list', async () => {
		server.respond(() => ({ body: [] }));

		await expect(verdict()).rejects.toThrow('Cannot read properties of undefined');
	});

	it.each([
		// EAI_AGAIN: a computer without a name server.
		['http://no-such-host.invalid', /^Error: (ENOTFOUND|EAI_AGAIN)$/],
		['http://127.0.0.1:1', /^Error: ECONNREFUSED$/],
		['host.without.scheme', /^Error: ERR_INVALID_URL$/],
	])('is a bare code for the address %s', async (baseUrl, seen) => {
		expect(await verdict({ baseUrl })).toMatch(seen);
	});

	it('is the message of an error thrown by `authenticate`', async () => {
		expect(await verdict({ refuseWith: 'The header name "a b" contains a space' })).toBe(
			'Error: The header name "a b" contains a space',
		);
		expect(server.requests).toHaveLength(0);
	});
});

describe('the request', () => {
	it('follows no redirect when the test says so', async () => {
		server.respond(() => ({ status: 302, headers: { location: `${server.origin}/other` } }));

		expect(await verdict()).toBe('Error: The address leads elsewhere');
		expect(server.requests.map(({ url }) => url)).toStrictEqual(['/me']);
	});

	it('passes `authenticate` with base URL and URL apart, both of which it may change', async () => {
		server.respond(() => TRUE_ANSWER);
		const seen = await verdict({ baseUrl: 'http://wrong.invalid', movedTo: server.origin });

		expect(seen).toBe('OK: Connection successful!');
		expect(server.requests[0]?.headers).toMatchObject({
			'x-token': 'secret-1',
			'x-seen-base-url': server.origin,
			'x-seen-url': '/me',
		});
	});

	it('has defaults for visible fields, while hidden ones vanish, stored or not', async () => {
		server.respond(() => TRUE_ANSWER);
		await verdict({ baseUrl: undefined, movedTo: server.origin });
		await verdict({
			environment: 'us',
			baseUrl: 'http://stored.localhost',
			movedTo: server.origin,
		});

		expect(server.requests.map(({ headers }) => headers['x-seen-fields'])).toStrictEqual([
			'baseUrl,environment,movedTo,refuseWith,testPath,token',
			'environment,movedTo,refuseWith,testPath,token',
		]);
	});

	it('resolves expressions inside the credential first', async () => {
		server.respond(() => TRUE_ANSWER);
		await verdict({ token: '={{ "secret-" + 2 }}' });

		expect(server.requests[0]?.headers['x-token']).toBe('secret-2');
	});

	it('gets an OAuth2 token by client credentials', async () => {
		server.respond((request) =>
			request.url === '/token'
				? { body: { access_token: 'fresh', token_type: 'bearer' } }
				: { status: request.headers.authorization === 'Bearer fresh' ? 200 : 401, body: {} },
		);
		const data = {
			accessTokenUrl: `${server.origin}/token`,
			clientId: 'id',
			clientSecret: 'secret',
		};

		expect(await verdict(data, 'fixtureOAuth2Api')).toBe('OK: Connection successful!');
		server.respond(() => ({ status: 401, body: { error: 'invalid_client' } }));
		expect(await verdict(data, 'fixtureOAuth2Api')).toMatch(
			/^Error: Failed to acquire OAuth2 access token: Client authentication failed/,
		);
	});
});
