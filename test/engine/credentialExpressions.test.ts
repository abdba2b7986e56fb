import { ConsoleBench } from '../support/consoleBench.cts';
import { ScanBench } from '../support/contentScanRun.cts';
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
