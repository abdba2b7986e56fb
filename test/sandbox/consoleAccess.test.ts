import type { OpenSandbox } from './calls.cts';
import { askForBearer, basicHeader, call, getConsole, openSandbox } from './calls.cts';
import { defaultConsoleHeaders } from '../../sandbox/fixtures/accounts.cts';

const list = '/api/admin-audit-log-entries';
const withBearer = async (open: OpenSandbox, bearer: string) =>
	(await getConsole(open, {}, list, { Authorization: `Bearer ${bearer}` })).status;

describe('who may read the audit log', () => {
	let open: OpenSandbox;
	beforeAll(async () => {
		open = await openSandbox();
	});
	beforeEach(() => open.sandbox.reset());
	it('needs every header, with its value', async () => {
		const [name] = Object.keys(defaultConsoleHeaders);
		const status = async (headers: Record<string, string>) =>
			(await getConsole(open, {}, list, headers)).status;
		expect(await status(defaultConsoleHeaders)).toBe(200);
		expect(await status({})).toBe(401);
		expect(await status({ ...defaultConsoleHeaders, [name]: 'wrong' })).toBe(401);
		expect(await status({ [name]: defaultConsoleHeaders[name] })).toBe(401);
		open.sandbox.configure({ console: { headers: { 'X-Other': 'value' } } });
		expect(await status({ 'x-other': 'value' })).toBe(200);
	});

	it('hands out bearer tokens for the service account, good until they expire', async () => {
		const { status, data } = await askForBearer(open);
		expect([status, data]).toEqual([
			200,
			{ access_token: expect.any(String), token_type: 'Bearer', expires_in: 3_600 },
		]);
		expect(await withBearer(open, data.access_token)).toBe(200);
		expect(await withBearer(open, 'made-up')).toBe(401);
		open.clock.advance(3_600_000);
		expect(await withBearer(open, data.access_token)).toBe(401);
	});

	it('can shorten the life of bearer tokens, revoke them, and revoke the account', async () => {
		open.sandbox.configure({ console: { bearerLifetimeSeconds: 5 } });
		const { data } = await askForBearer(open);
		expect(data.expires_in).toBe(5);
		open.sandbox.revokeBearers();
		expect(await withBearer(open, data.access_token)).toBe(401);
		open.sandbox.setServiceAccountRevoked(true);
		expect((await askForBearer(open)).status).toBe(401);
	});

	it.each([
		[
			'a wrong secret',
			{ grant_type: 'client_credentials' },
			basicHeader('wrong'),
			401,
			'invalid_client',
		],
		['no account', { grant_type: 'client_credentials' }, {}, 401, 'invalid_client'],
		['another grant', { grant_type: 'password' }, basicHeader(), 400, 'unsupported_grant_type'],
		['no grant', {}, basicHeader(), 400, 'invalid_request'],
	])('refuses a bearer token with %s', async (_name, fields, headers, status, error) => {
		const answer = await askForBearer(open, fields as Record<string, string>, headers);
		expect([answer.status, answer.data]).toEqual([status, { error }]);
	});

	it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'])('is read only: no %s', async (method) => {
		const headers = { ...defaultConsoleHeaders };
		const url = open.sandbox.addresses.console + list;
		expect((await call({ method, url, headers })).status).toBe(405);
		expect((await call({ method, url: `${url}/x`, headers })).status).toBe(405);
	});

	it('knows no other path: no version segment, no trailing slash, no further segment', async () => {
		const paths = ['/api/v1/admin-audit-log-entries', `${list}/`, `${list}/a/b`, '/'];
		for (const path of paths) {
			expect([path, (await getConsole(open, {}, path)).status]).toEqual([path, 404]);
		}
	});
});
