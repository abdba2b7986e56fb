import type { FaultRule } from '../../sandbox/wire/faults.cts';
import { ScanBench } from '../support/contentScanRun.cts';
import { expectNoSecret } from '../support/expectNoSecret.cts';

/** What a fault does to a read, which is repeated where that may help. */

// A busy machine is no reason to fail.
jest.setTimeout(30_000);

let bench: ScanBench;

// A sandbox for each test: the call queue remembers what it learned of an address.
beforeEach(async () => (bench = await ScanBench.open()));

afterEach(async () => await bench.close());

const json = (value: object) => ({ json: value }) as FaultRule['body'];

const read = async () => await bench.run('getAll', { limit: 1 });

describe('a read that meets', () => {
	const passing: Array<[string, Omit<FaultRule, 'nth'>]> = [
		['502', { status: 502 }],
		['503', { status: 503 }],
		['504', { status: 504 }],
		['a cut before the answer', { cut: 'beforeAnswer' }],
		['a cut during the body', { cut: 'duringBody' }],
	];

	it('something that passes is sent again', async () => {
		const runs = await Promise.all(
			passing.map(async ([, rule]) => {
				const own = await ScanBench.open();
				own.sandbox.faults.add(rule);
				const run = await own.run('getAll', { limit: 1 });
				await own.close();
				return [run.error?.message, run.outputs[0]?.length];
			}),
		);
		expect(runs).toStrictEqual(passing.map(() => [undefined, 1]));
	});

	it.each([
		['401', { status: 401 }, 'did not accept the credential'],
		['403', { status: 403 }, 'does not allow this call (403)'],
		['404', { status: 404 }, 'nothing at this address (404)'],
		['500', { status: 500 }, 'status 500'],
		['no JSON', { body: 'notJson' }, 'is not JSON'],
		['a sign-in page', { body: 'loginPage' }, 'a web page came back'],
		['another shape', { body: 'wrongShape' }, "there is no list 'results'"],
		['an empty answer', { body: 'empty' }, "there is no list 'results'"],
	] as Array<[string, FaultRule, string]>)('%s says so at once', async (_, rule, message) => {
		bench.sandbox.faults.add({ ...rule, times: null });
		const run = await read();
		expect(run.error?.message).toContain(message);
		expect(bench.calls()).toHaveLength(1);
		expectNoSecret(run);
	});

	it.each([
		'https://inner.invalid/api/v1/scans/list/?_cursor=x',
		'http://127.0.0.1:9/other/?_cursor=x',
		'/api/v1/quarantine/release/SCAN/?_cursor=x',
		'?_cursor=x',
		'_cursor=x',
	])('of the next page %s only the query counts', async (next) => {
		const [scanId] = bench.quarantined();
		const page = { results: [], has_more: true, next: next.replace('SCAN', scanId) };
		bench.sandbox.faults.add({ body: json(page) });
		bench.sandbox.faults.add({ body: json({ results: [{ id: 'second 2' }], has_more: false }) });
		const run = await bench.run('getAll', { returnAll: true });
		expect(run.error).toBeUndefined();
		expect(run.outputs[0]).toMatchObject([{ json: { scanId: 'second 2' } }]);
		expect(bench.calls()).toEqual(Array(2).fill('GET /api/v1/scans/list/ 200'));
		expect(bench.sandbox.releasedEmails('us')).toStrictEqual([]);
	});

	it.each([
		['of 1 MB', 1024 * 1024, "'next' is longer than 16 KB"],
		['of 30 MB', 30 * 1024 * 1024, 'holds more than 5 MB'],
	])('a next page whose address is one %s is not followed', async (_, length, message) => {
		const next = `${bench.sandbox.addresses.us}/api/v1/scans/list/?_cursor=${'x'.repeat(length)}`;
		bench.sandbox.faults.add({ body: json({ results: [{ id: 1 }], has_more: true, next }) });
		const run = await bench.run('getAll', { returnAll: true });
		expect(run.error?.message).toContain(message);
	});

	it('a next page that leads in a circle ends', async () => {
		const next = `${bench.sandbox.addresses.us}/api/v1/scans/list/?limit=1`;
		const page = { results: [{ id: 1 }], has_more: true, next };
		bench.sandbox.faults.add({ body: json(page), times: null });
		const run = await bench.run('getAll', { returnAll: true });
		expect(run.error?.message).toContain("'next' leads in a circle");
	});
});
