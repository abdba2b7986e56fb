import type { Sandbox } from '../../sandbox/createSandbox.cts';
import { createSandbox } from '../../sandbox/createSandbox.cts';
import { sandboxSecretMarker, sandboxTokens } from '../../sandbox/fixtures/accounts.cts';
import { expectCost } from '../support/expectCost.cts';
import { testCredential } from '../support/engine/testCredential.cts';
import type { RawServer } from '../support/transport/rawServer.cts';
import { answer, deadOrigin, startRawServer } from '../support/transport/rawServer.cts';
import { credentialKinds, headerRows } from '../support/credentialKinds.cts';
import type { Data } from '../support/credentialKinds.cts';

/** What a user reads when a credential is saved: a wrong token and a wrong address look different. */

let sandbox: Sandbox;
let server: RawServer;
let other: RawServer;

beforeAll(async () => {
	sandbox = createSandbox();
	await sandbox.listen();
	server = await startRawServer();
	other = await startRawServer();
});

beforeEach(() => {
	server.requests.length = 0;
	server.behave(answer(200, '{}'));
});

afterAll(async () => {
	await sandbox.close();
	await server.close();
	await other.close();
});

const { scan, headers, oAuth2 } = credentialKinds(() => sandbox);

async function verdict(type: string, data: Data): Promise<string> {
	const { status, message, log } = await testCredential({ type, data });
	expect(`${message} ${JSON.stringify(log)}`).not.toContain(sandboxSecretMarker);
	return status === 'OK' ? 'OK' : message;
}

describe.each([scan, headers, oAuth2])('$type', (kind) => {
	const at = async (address: string) => await verdict(kind.type, kind.data(address));

	it('is accepted when everything is right', async () => {
		expect(await verdict(kind.type, kind.data())).toBe('OK');
	});

	it('with something wrong in it points to that, not to the address', async () => {
		const message = await verdict(kind.type, kind.wrong());
		expect(message).toMatch(kind.refused);
		expect(message).not.toContain(kind.addressField);
	});

	it.each(['/', '/api/', '  '])('takes the address with %j behind it', async (tail) => {
		const { [kind === scan ? 'baseUrl' : 'consoleUrl']: address } = kind.data();
		expect(await at(`${String(address)}${tail}`)).toBe('OK');
	});

	it.each([
		[
			'a service that knows no such path',
			answer(404, '{}'),
			/does not know the test request at this address \(404\)/,
		],
		[
			'a page',
			answer(200, '<html>Sign in</html>', { 'content-type': 'text/html' }),
			/but it is not the/,
		],
		['another service', answer(200, '{"ok": true}'), /but it is not the/],
		['nothing at all', answer(204), /but it is not the/],
		[
			'a redirect',
			answer(302, '', { location: 'http://127.0.0.1:9/' }),
			/redirects elsewhere \(302\)/,
		],
		[
			'a service that refuses the request',
			answer(400, '{}'),
			/does not know the test request at this address \(400\)/,
		],
	])('at the address of %s points to the address', async (_, behaviour, message) => {
		server.behave(behaviour);
		const seen = await at(server.origin);
		expect(seen).toMatch(message);
		expect(seen).toContain(`Check '${kind.addressField}'.`);
	});

	it.each([
		[403, /does not allow the test request \(403\).*role.*license/],
		[429, /used up \(429\), so nothing was tested/],
		[500, /reports a server error \(500\)\. Test again later/],
		[503, /reports a server error \(503\)/],
		// Of others n8n shows its own words.
		[418, /teapot/i],
	])('says of %d what it means', async (status, message) => {
		server.behave(answer(status, '{"detail": "x"}'));
		expect(await at(server.origin)).toMatch(message);
	});

	it('with a very long address keeps n8n from nothing else', async () => {
		const address = `${server.origin}${'/'.repeat(50_000)}x`;
		await expectCost(1, async () => expect(await at(address)).not.toBe('OK'));
	});

	it.each([301, 302, 303, 307, 308])(
		'follows no redirect with %d to another host',
		async (status) => {
			server.behave(answer(status, '', { location: `${other.origin}/stolen` }));
			expect(await at(server.origin)).toContain(`redirects elsewhere (${status})`);
			expect(other.requests).toHaveLength(0);
		},
	);

	it('asks for one entry of what every role may read', async () => {
		server.behave(answer(200, JSON.stringify({ [kind.key]: [] })));
		expect(await at(server.origin)).toBe('OK');
		expect(server.requests).toHaveLength(1);
		expect(server.requests[0]).toMatchObject({
			method: 'GET',
			url: expect.stringMatching(
				kind === scan
					? /^\/api\/v1\/scans\/list\/\?limit=1&start=\d+$/
					: /^\/api\/admin-audit-log-entries\?limit=1$/,
			),
		});
	});

	if (kind === scan) {
		it.each([
			['my/scans', '/api/v1/my/scans/'],
			['/api/v1/my/scans/', '/api/v1/my/scans/'],
			['', '/api/v1/scans/list/'],
		])('where the list of scans is at %j', async (listScans, path) => {
			server.behave(answer(200, '{"results": []}'));
			const data = scan.data(server.origin, { operationPaths: { values: { listScans } } });
			expect(await verdict(scan.type, data)).toBe('OK');
			expect(server.requests.at(-1)?.url.split('?')[0]).toBe(path);
		});

		it('asks for the last ten minutes, since a service may refuse a long list', async () => {
			server.behave(answer(200, '{"results": []}'));
			const before = Math.floor(Date.now() / 1000) - 600;
			await at(server.origin);
			const start = Number(/[?&]start=(\d+)/.exec(server.requests[0].url)?.[1]);
			expect(start).toBeGreaterThanOrEqual(before);
			expect(start).toBeLessThan(before + 60);
		});
	}

	// n8n shows the bare code of a connection that did not come about; a credential cannot change that.
	it('at an address where nothing listens is told so by n8n', async () => {
		expect(await at(await deadOrigin())).toBe('ECONNREFUSED');
	});

	it('at a host that does not exist is told so by n8n', async () => {
		expect(await at('https://no-such-host.invalid')).toMatch(/^(ENOTFOUND|EAI_AGAIN)$/);
	});
});

describe('an address that cannot be used', () => {
	it.each([
		['http://api.example.com', 'begins with "http://"'],
		['https://user:pass@api.example.com', 'contains a user name or password'],
		['https://api.example.com/path', 'contains the path "/path"'],
		['', 'is empty'],
		['https://exa mple.com', 'contains a space'],
	])('such as %j is named, with what to enter', async (address, what) => {
		for (const [kind, field] of [
			[scan, 'Base URL'],
			[headers, 'Console URL'],
		] as const) {
			const message = await verdict(kind.type, kind.data(address));
			expect(message).toContain(`The '${field}' of the credential ${what}`);
			expect(message).toMatch(/\. [A-Z].*https:\/\//);
		}
	});

	it('sends no OAuth2 token in the clear to another computer', async () => {
		// Leads to this computer, but is not known as its name.
		const address = server.origin.replace('127.0.0.1', '0.0.0.0');
		for (const typed of [address, address.replace('//', '//localhost:x@')]) {
			expect(await verdict(oAuth2.type, oAuth2.data(typed))).not.toBe('OK');
		}
		expect(server.requests).toHaveLength(0);
	});
});

describe('a secret that cannot be used', () => {
	it.each([
		['', 'is empty'],
		['   ', 'is empty'],
		['Token abc', 'begins with "Token"'],
		['a\r\nX-Evil: 1', 'contains a space, a line break'],
	])('such as the token %j is named', async (apiToken, what) => {
		expect(await verdict(scan.type, scan.data(undefined, { apiToken }))).toContain(what);
	});

	it('a token with spaces around it is taken without them', async () => {
		expect(
			await verdict(scan.type, scan.data(undefined, { apiToken: ` ${sandboxTokens.parent}\n` })),
		).toBe('OK');
	});

	it.each([
		[undefined, 'Header 1 of the credential has no name'],
		[null, 'holds no headers'],
		[{}, 'holds no headers'],
		[{ values: 'x' }, 'Header 1 of the credential has no name'],
		[{ values: [] }, 'holds no headers'],
		[{ values: [{ name: 'X', value: '' }] }, 'Header 1 of the credential has no value'],
		[{ values: [{ name: 'Host', value: 'x' }] }, 'n8n sets itself'],
		[{ values: [{ name: 'a b', value: 'x' }] }, 'forbidden character'],
		[{ values: [{ name: 'X', value: 'a\r\nb' }] }, 'has a value with a line break'],
		[headerRows({ 'X-Key': 'a', 'x-key': 'b' }), 'like an earlier one'],
	])('the headers %j are named, without a crash', async (rows, what) => {
		expect(await verdict(headers.type, headers.data(undefined, { headers: rows }))).toContain(what);
	});
});
