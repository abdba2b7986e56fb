import { sandboxSecretMarker } from '../../sandbox/fixtures/accounts.cts';
import { ConsoleBench } from '../support/consoleBench.cts';
import type { SingleNodeRun } from '../support/engine/runWorkflow.cts';

/** The Console Audit Log node in n8n's engine, on a real console over HTTP. */

// A busy machine is no reason to fail.
jest.setTimeout(30_000);

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let bench: ConsoleBench;

beforeAll(async () => (bench = await ConsoleBench.open()));

beforeEach(() => bench.sandbox.reset());

afterAll(async () => await bench.close());

const output = (run: SingleNodeRun) => run.outputs[0] ?? [];
const idsOf = (run: SingleNodeRun) => output(run).map(({ json }) => json.auditlogId);
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
const paths = () => bench.sandbox.journal.entries().map(({ method, path }) => `${method} ${path}`);

describe('Get', () => {
	it.each(['plain-1', 'a/b', 'a/../b', 'a%2e%2e', 'a%2Fb', '?x=1#y', 'ünï – 日本', '...', '+&='])(
		'finds the entry whose ID is %j, as one encoded path segment',
		async (auditlogId) => {
			bench.sandbox.append([{ entry: { auditlogId, createdAt: ago(MINUTE), detail: { n: 1 } } }]);
			const run = await bench.run('get', { auditlogId });

			expect(run.error).toBeUndefined();
			expect(output(run)).toEqual([
				{ json: expect.objectContaining({ auditlogId }), pairedItem: { item: 0 } },
			]);
			expect(paths()).toEqual([
				`GET /api/admin-audit-log-entries/${encodeURIComponent(auditlogId)}`,
			]);
		},
	);

	it('finds an entry whose ID was pasted with spaces around it', async () => {
		bench.sandbox.append([{ entry: { auditlogId: 'pasted', createdAt: ago(MINUTE) } }]);
		const run = await bench.run('get', { auditlogId: ' pasted\n' });
		expect(output(run)[0]?.json).toMatchObject({ auditlogId: 'pasted' });
	});

	it.each([
		['={{ "" }}', "'Audit Log ID' is empty"],
		['={{ "  " }}', "'Audit Log ID' is empty"],
		['={{ null }}', "'Audit Log ID' is empty"],
		['={{ ({ id: 7 }) }}', "'Audit Log ID' is an object"],
		['={{ ["a"] }}', "'Audit Log ID' is a list"],
		['.', 'cannot be used in a URL'],
		['..', 'cannot be used in a URL'],
		['../../scans', 'cannot be used in a URL'],
	])('refuses the ID %j before it asks', async (auditlogId, message) => {
		const run = await bench.run('get', { auditlogId });

		expect(run.error?.message).toContain(message);
		expect(run.error?.itemIndex).toBe(0);
		expect(paths()).toEqual([]);
	});

	it('says that an entry does not exist, and not that the credential is wrong', async () => {
		const run = await bench.run('get', { auditlogId: 'nobody' });

		expect(run.error).toMatchObject({ httpCode: '404', itemIndex: 0 });
		expect(`${run.error?.message} ${run.error?.description}`).not.toMatch(/credential is wrong/i);
	});
});

describe('Get Many', () => {
	it.each(['null', 'absent', 'token'] as const)(
		'returns all entries over the pages, oldest first, end of log %s',
		async (endOfLog) => {
			bench.sandbox.configure({ console: { endOfLog } });
			const ids = bench.append(250);
			const order = 'oldestFirst';
			const run = await bench.run('getAll', { returnAll: true, order });

			expect(idsOf(run)).toEqual(ids);
			expect(output(run)[0].pairedItem).toEqual({ item: 0 });
			for (const query of bench.calls()) expect(query.get('pageToken')).not.toBe('null');
		},
	);

	it.each([true, false])(
		'returns what n8n would take for failed items, or for files, and all others (event keys: %p)',
		async (includeEventKey) => {
			const marks = [null, { message: 'gone' }, 0, 'x'].map((error) => ({
				$error: error,
				$json: 1,
			}));
			const files = [{ _files: [{ id: 1, bytes: 'x' }] }, { _files: 'none' }];
			const fields = [...marks, ...files, { $error: 1 }, { ...marks[1], _$error: 'mine' }];
			bench.sandbox.append(
				fields.map((some, at) => ({
					entry: { auditlogId: `m${at}`, createdAt: ago(MINUTE - at), ...some },
				})),
			);
			const run = await bench.run('getAll', { order: 'oldestFirst', options: { includeEventKey } });

			expect(run.error).toBeUndefined();
			expect(idsOf(run)).toEqual(fields.map((_, at) => `m${at}`));
			const [first, ...others] = output(run).map(({ json }) => json);
			expect(first).toMatchObject({ $json: 1, _$error: null });
			expect(others.at(-4)).toMatchObject({ __files: [{ id: 1, bytes: 'x' }] });
			expect(others.at(-4)).not.toHaveProperty('_files');
			expect(others.at(-3)).toMatchObject({ _files: 'none' });
			expect(others.at(-2)).toMatchObject({ $error: 1 });
			expect(others.at(-1)).toMatchObject({ _$error: 'mine', __$error: { message: 'gone' } });
		},
	);

	it('returns up to the limit', async () => {
		const ids = bench.append(250);
		const order = 'oldestFirst';

		expect(idsOf(await bench.run('getAll', { order }))).toEqual(ids.slice(0, 50));
		expect(idsOf(await bench.run('getAll', { order, limit: 130 }))).toEqual(ids.slice(0, 130));
		expect(idsOf(await bench.run('getAll', { order, limit: 9_000_000 }))).toEqual(ids);
	});

	it('returns the newest first where nothing else is set', async () => {
		const newest = bench.append(250).reverse();

		expect(idsOf(await bench.run('getAll', {}))).toEqual(newest.slice(0, 50));
		expect(idsOf(await bench.run('getAll', { limit: 130 }))).toEqual(newest.slice(0, 130));
		expect(idsOf(await bench.run('getAll', { returnAll: true }))).toEqual(newest);
	});

	it('returns what was generated from one time to another, both included', async () => {
		const ids = bench.append(100);
		const at = (index: number) => new Date(bench.clock.now() - (99 - index) * 1000).toISOString();
		const since = at(20);
		const run = await bench.run('getAll', {
			returnAll: true,
			order: 'oldestFirst',
			since,
			options: { until: at(40) },
		});

		expect(idsOf(run)).toEqual(ids.slice(20, 41));
		expect(bench.calls().map((query) => query.get('since'))).toEqual([since]);
	});

	it.each([
		['a since that is no date', { since: 'yesterday' }, "'Since' is not a date"],
		['a since in the future', { since: ago(-DAY) }, "'Since' is in the future"],
		['an until that is no date', { options: { until: 'x' } }, "'Until' is not a date"],
		[
			'an until before the since',
			{ since: ago(MINUTE), options: { until: ago(DAY) } },
			"'Until' is before 'Since'",
		],
		['the limit 0', { limit: 0 }, "'Limit' must be a whole number of 1 or more"],
		['a negative limit', { limit: -3 }, "'Limit' must be a whole number of 1 or more"],
		['a fractional limit', { limit: 1.5 }, "'Limit' must be a whole number of 1 or more"],
		['a limit without end', { limit: 1e300 }, "'Limit' must be a whole number of 1 or more"],
		['a Return All that is neither', { returnAll: 'all' }, "'Return All' must be true or false"],
		['an Include Event Key that is null', { options: { includeEventKey: null } }, 'true or false'],
		['the page size 0', { options: { pageSize: 0 } }, "'Page Size' must be a whole number"],
	])('refuses %s before it asks', async (_, parameters, message) => {
		const run = await bench.run('getAll', parameters);

		expect(run.error?.message).toContain(message);
		expect(run.error?.itemIndex).toBe(0);
		expect(paths()).toEqual([]);
	});

	it('sends a since with an offset as the same moment in UTC', async () => {
		const moment = Math.floor((Date.now() - DAY) / 1000) * 1000;
		const inBerlin = new Date(moment + 2 * 60 * MINUTE).toISOString().replace('Z', '+02:00');
		await bench.run('getAll', { since: inBerlin, order: 'oldestFirst' });

		expect(bench.calls()[0].get('since')).toBe(new Date(moment).toISOString());
	});

	it('reads on from before the 365 days, and says what is gone', async () => {
		const ids = bench.append(3);
		const run = await bench.run('getAll', { since: ago(400 * DAY) });

		expect(idsOf(run)).toEqual(ids.reverse());
		expect(run.hints).toEqual([
			expect.objectContaining({ message: expect.stringContaining('365 days') }),
		]);
	});

	it('passes a refused page size on with the words of the console', async () => {
		bench.append(3);
		const run = await bench.run('getAll', { returnAll: true, options: { pageSize: 5000 } });

		expect(run.error?.httpCode).toBe('400');
		expect(`${run.error?.message} ${run.error?.description}`).toMatch(/limit/i);
	});
});

it('says that an operation does not exist', async () => {
	const run = await bench.run('delete');

	expect(run.error?.message).toBe("'Operation' is not one of its options [item 0]");
	expect(paths()).toEqual([]);
});

describe('many items', () => {
	it('each keep their error and their pairing, with Continue On Fail', async () => {
		bench.sandbox.append([{ entry: { auditlogId: 'known', createdAt: ago(MINUTE) } }]);
		const wanted = Array.from({ length: 100 }, (_, index) => (index % 3 === 0 ? 'gone' : 'known'));
		const run = await bench.run(
			'get',
			{ auditlogId: '={{ $json.id }}' },
			{ items: wanted.map((id) => ({ id })), onError: 'continueRegularOutput' },
		);
		const items = output(run);

		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(wanted.map((_, item) => ({ item })));
		items.forEach(({ json }, index) => {
			if (wanted[index] === 'known') expect(json.auditlogId).toBe('known');
			else expect(String(json.error)).toContain(`[item ${index}]`);
		});
	});
});

describe('a credential that cannot be used', () => {
	const header = (name: string, value = 'v') => ({ headers: { values: [{ name, value }] } });

	it.each([
		['no headers', { headers: {} }, /header/i],
		['an empty header name', header(' '), /header/i],
		['a space in a header name', header('X Key'), /header/i],
		['a colon in a header name', header('X-Key:'), /header/i],
		['a line break in a header name', header('X-Key\r\nX-Evil'), /header/i],
		[
			'a line break in a value',
			header('X-Key', `${sandboxSecretMarker}\r\nX-Evil: 1`),
			/line break/i,
		],
		['the header Host', header('Host'), /Host/],
		[
			'a header twice',
			{
				headers: {
					values: [
						{ name: 'X-Key', value: 'a' },
						{ name: 'x-key', value: 'b' },
					],
				},
			},
			/like an earlier one/,
		],
		['no address', { consoleUrl: '' }, /'Console URL'/],
		['an address without a scheme and host', { consoleUrl: 'http://' }, /'Console URL'/],
		['http to another host', { consoleUrl: 'http://console.example.com' }, /'Console URL'/],
		[
			'a password in the address',
			{ consoleUrl: 'https://u:p@console.example.com' },
			/'Console URL'/,
		],
	])('%s: is told before anything is sent', async (_, credential, words) => {
		const run = await bench.run('getAll', {}, { credential });

		expect(run.error?.message).toMatch(words);
		expect(run.error?.everything()).not.toContain(sandboxSecretMarker);
		expect(paths()).toEqual([]);
	});
});
