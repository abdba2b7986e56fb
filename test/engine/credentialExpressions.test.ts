import { ConsoleBench } from '../support/consoleBench.cts';
import { ScanBench } from '../support/contentScanRun.cts';
import { runNode } from '../support/engine/runWorkflow.cts';
import type { RawServer } from '../support/transport/rawServer.cts';
import { answer, startRawServer } from '../support/transport/rawServer.cts';

// A busy machine is no reason to fail.
jest.setTimeout(30_000);

/** An expression in a credential, which n8n works out for each item: each tenant has its own key, say. */

let server: RawServer;

beforeAll(async () => (server = await startRawServer()));

beforeEach(() => {
	server.requests.length = 0;
});

afterAll(async () => await server.close());

const items = ['a', 'b', 'a'].map((tenant) => ({ json: { key: `key-of-tenant-${tenant}` } }));
const sent = (header: string) => server.requests.map(({ headers }) => headers[header]).sort();

it('Content Scan sends each item with its own token', async () => {
	server.behave(answer(200, '{"scan_id": 5}'));
	const bench = await ScanBench.open();
	const credential = { baseUrl: server.origin, apiToken: '={{ $json.key }}' };
	const run = await bench.run('scanUrl', { url: 'https://x.example' }, { items, credential });
	await bench.close();
	expect(run.error).toBeUndefined();
	const [a, b] = ['Token key-of-tenant-a', 'Token key-of-tenant-b'];
	expect(sent('authorization')).toStrictEqual([a, a, b]);
});

it('Content Scan has the error of an item whose token is empty, and sends the others', async () => {
	server.behave(answer(200, '{"scan_id": 5}'));
	const bench = await ScanBench.open();
	const credential = { baseUrl: server.origin, apiToken: '={{ $json.key }}' };
	const run = await bench.run(
		'scanUrl',
		{ url: 'https://x.example' },
		{ items: [items[0], { json: { key: '' } }], credential, onError: 'continueErrorOutput' },
	);
	await bench.close();
	expect(run.outputs[0]).toHaveLength(1);
	expect(run.outputs[1]).toHaveLength(1);
	expect(run.outputs[1]?.[0].pairedItem).toStrictEqual({ item: 1 });
	expect(server.requests).toHaveLength(1);
});

it('Console Audit Log reads for each item with its own headers', async () => {
	server.behave(answer(200, '{"items": [{"auditlogId": "1"}]}'));
	const bench = await ConsoleBench.open();
	const headers = { values: [{ name: 'X-Key', value: '={{ $json.key }}' }] };
	const credential = { consoleUrl: server.origin, headers };
	const parameters = { order: 'oldestFirst', limit: 1 };
	const run = await bench.run('getAll', parameters, { items, credential });
	await bench.close();
	expect(run.error).toBeUndefined();
	const [a, b] = ['key-of-tenant-a', 'key-of-tenant-b'];
	expect(sent('x-key')).toStrictEqual([a, a, b]);
});

describe('an OAuth2 credential, in which n8n keeps one token for all items, takes an expression', () => {
	async function sentWith(field: string, expression: string) {
		server.behave((response, request) => {
			const token = '{"access_token": "one-token", "token_type": "bearer"}';
			answer(200, request.url.startsWith('/oauth2/token') ? token : '{"items": []}')(
				response,
				request,
			);
		});
		await runNode({
			node: {
				type: 'consoleAuditLog',
				parameters: { operation: 'getAll', authentication: 'oAuth2' },
				onError: 'continueRegularOutput',
			},
			items: items.map(({ json }) => ({ json: { ...json, origin: server.origin } })),
			credentials: {
				browserConsoleOAuth2Api: {
					consoleUrl: server.origin,
					accessTokenUrl: `${server.origin}/oauth2/token`,
					clientId: 'client-1',
					clientSecret: 'TOP-SECRET-1',
					[field]: expression,
				},
			},
		});
		return server.requests;
	}

	it.each([
		['consoleUrl', '={{ $json.origin }}'],
		['accessTokenUrl', '={{ $json.origin }}/oauth2/token'],
	])('as it is for %s, so that nothing is sent', async (field, expression) => {
		expect(await sentWith(field, expression)).toEqual([]);
	});

	it('as it is for the client ID', async () => {
		const [{ headers }] = await sentWith('clientId', '={{ $json.key }}');
		const sentId = Buffer.from(String(headers.authorization).slice(6), 'base64').toString();
		expect(decodeURIComponent(sentId)).toBe('{{ $json.key }}:TOP-SECRET-1');
	});
});
