import type { OpenSandbox } from './calls.cts';
import { call, getScans, openSandbox, submit, tokenHeader } from './calls.cts';

const list = '/api/v1/scans/list/';

describe('who may call the scanning service', () => {
	let open: OpenSandbox;
	beforeAll(async () => {
		open = await openSandbox();
	});

	const organizationsSeenBy = async (token: Parameters<typeof getScans>[2]) => {
		const { data } = await getScans(open, `${list}?limit=1000`, token);
		const ids = data.results.map((scan: { organization_id: string }) => scan.organization_id);
		return [...new Set(ids)].sort();
	};

	it('lets a parent organization reach itself and its children', async () => {
		expect(await organizationsSeenBy('parent')).toEqual(['1001', '1002', '1003']);
	});

	it('lets a child organization reach only itself', async () => {
		expect(await organizationsSeenBy('childOne')).toEqual(['1002']);
	});

	it('refuses a scan of an organization out of reach with 403', async () => {
		const { data } = await getScans(open, list, 'stranger');
		const path = `${list}${data.results[0].full_scan_id}/`;
		expect((await getScans(open, path, 'stranger')).status).toBe(200);
		expect((await getScans(open, path, 'parent')).status).toBe(403);
		expect((await getScans(open, `${list}?organization_id=1004`, 'parent')).status).toBe(403);
	});

	it('accepts the header of docs/interface.md to the letter and nothing else', async () => {
		const url = open.sandbox.addresses.us + list;
		const { Authorization } = tokenHeader('parent');
		const wrong = [
			undefined,
			'',
			'Token',
			'Token ',
			'Token nobody',
			Authorization.replace('Token', 'token'),
			Authorization.replace('Token', 'Bearer'),
			`${Authorization} x`,
		];
		for (const header of wrong) {
			const headers = header === undefined ? {} : { Authorization: header };
			const { status, data } = await call({ url, headers });
			expect([header, status]).toEqual([header, 401]);
			expect(data).toEqual({ detail: expect.any(String) });
		}
	});

	it('knows a token only in its own environment', async () => {
		expect((await getScans(open, list, 'eu', 'eu')).status).toBe(200);
		expect((await getScans(open, list, 'eu', 'us')).status).toBe(401);
		expect((await getScans(open, list, 'parent', 'aus')).status).toBe(401);
	});

	it('refuses the token of a user who is no longer a valid admin user', async () => {
		expect((await getScans(open, list, 'userRevoked')).status).toBe(401);
		open.sandbox.changeToken('userAdministrator', { revoked: true });
		expect((await getScans(open, list, 'userAdministrator')).status).toBe(401);
		open.sandbox.changeToken('userAdministrator', { revoked: false });
		expect((await getScans(open, list, 'userAdministrator')).status).toBe(200);
	});

	it('lowers the permissions of a user token with the role', async () => {
		const url = { path: 'https://a.example/' };
		expect((await submit(open, '/api/v1/urls/', url, 'userAdministrator')).status).toBe(200);
		open.sandbox.changeToken('userAdministrator', { role: 'Viewer' });
		expect((await submit(open, '/api/v1/urls/', url, 'userAdministrator')).status).toBe(403);
		expect((await getScans(open, list, 'userAdministrator')).status).toBe(200);
	});

	it('offers tokens only to users with the role Admin where there are only user tokens', async () => {
		expect((await getScans(open, list, 'usersOnlyAdmin', 'aus')).status).toBe(200);
		expect((await getScans(open, list, 'usersOnlyViewer', 'aus')).status).toBe(401);
		expect((await getScans(open, list, 'usersOnlyOrganization', 'aus')).status).toBe(401);
	});

	it('refuses what the license leaves out, until the license has it', async () => {
		const { data } = await getScans(open, list, 'scanOnly');
		const path = `/api/v1/quarantine/release/${data.results[0].id}`;
		expect((await getScans(open, path, 'scanOnly')).status).toBe(403);
		open.sandbox.setLicensed('1005', 'releaseEmail', true);
		expect((await getScans(open, path, 'scanOnly')).status).toBe(200);
	});

	it('answers 405 to a wrong method, and to an unknown caller 401 first', async () => {
		const url = `${open.sandbox.addresses.us}/api/v1/urls/`;
		const refused = await call({ url, headers: tokenHeader('parent') });
		expect([refused.status, refused.headers.allow]).toEqual([405, 'POST']);
		expect((await call({ url })).status).toBe(401);
	});

	it('redirects a GET without the trailing slash and does not know a POST without it', async () => {
		const { us } = open.sandbox.addresses;
		const redirected = await call({ url: `${us}/api/v1/scans/list?limit=1` });
		expect(redirected.status).toBe(301);
		expect(redirected.headers.location).toBe('/api/v1/scans/list/?limit=1');
		const headers = tokenHeader('parent');
		expect((await call({ method: 'POST', url: `${us}/api/v1/urls`, headers })).status).toBe(404);
	});
});
