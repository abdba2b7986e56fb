import type { Sandbox } from '../../sandbox/createSandbox.cts';
import { createSandbox } from '../../sandbox/createSandbox.cts';
import { sandboxSecretMarker } from '../../sandbox/fixtures/accounts.cts';
import type { RawServer } from '../support/transport/rawServer.cts';
import { answer, startRawServer } from '../support/transport/rawServer.cts';
import { httpRequestNode } from '../support/transport/transportBench.cts';
import { credentialKinds } from '../support/credentialKinds.cts';
import type { Data } from '../support/credentialKinds.cts';

/** What the HTTP Request node may do with a credential of this package. */

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

const { scan, headers } = credentialKinds(() => sandbox);

describe.each([scan, headers])('the HTTP Request node with $type', (kind) => {
	const credential = (): [string, Data] => [kind.type, kind.data(server.origin)];

	it('reaches any path of the service', async () => {
		const sent = await httpRequestNode(credential(), `${server.origin}/api/x?y=%2F`);
		expect(sent).toStrictEqual({ status: 200 });
		expect(server.requests[0]).toMatchObject({ url: '/api/x?y=%2F' });
		expect(JSON.stringify(server.requests[0].headers)).toContain(sandboxSecretMarker);
	});

	it.each(['/stolen', '//'])('is refused at another origin (%s)', async (path) => {
		const target = path === '//' ? other.origin.replace('http:', '') : `${other.origin}${path}`;
		const { error } = await httpRequestNode(credential(), target);
		expect(error?.everything()).toContain(`This credential is for ${server.origin} only`);
		expect(other.requests).toHaveLength(0);
	});

	it.each([
		['a proxy', () => ({ proxy: other.origin })],
		['certificates that nobody checks', () => ({ rejectUnauthorized: false })],
		['another host', () => ({ headers: { Host: new URL(other.origin).host } })],
	])('sends nothing through %s', async (_, options) => {
		server.requests.length = 0;
		const { error } = await httpRequestNode(credential(), `${server.origin}/api/x`, options());
		expect(error?.everything()).toMatch(/This credential is .* Nothing was sent/);
		expect([...other.requests, ...server.requests]).toHaveLength(0);
	});

	it('takes no secret along a redirect', async () => {
		server.behave(answer(302, '', { location: `${other.origin}/stolen` }));
		const sent = await httpRequestNode(credential(), `${server.origin}/api/x`);
		expect(sent.status).not.toBe(200);
		expect(other.requests).toHaveLength(0);
	});
});
