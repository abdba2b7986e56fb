import { sandboxSecretMarker } from '../../sandbox/fixtures/accounts.cts';
import { ConsoleBench } from '../support/consoleBench.cts';
import type { ConsoleRunOptions } from '../support/consoleBench.cts';
import type { SingleNodeRun } from '../support/engine/runWorkflow.cts';

/** What a console may answer to the Console Audit Log node in n8n's engine. */

// A busy machine is no reason to fail.
jest.setTimeout(30_000);

let bench: ConsoleBench;

beforeAll(async () => (bench = await ConsoleBench.open()));

beforeEach(() => bench.sandbox.reset());

afterAll(async () => await bench.close());

const output = (run: SingleNodeRun) => run.outputs[0] ?? [];
const idsOf = (run: SingleNodeRun) => output(run).map(({ json }) => json.auditlogId);

describe('what a console may answer', () => {
	const many = (options: ConsoleRunOptions = {}) =>
		bench.run('getAll', { order: 'oldestFirst', limit: 1 }, options);

	it.each([
		['a sign-in page', { body: 'loginPage' as const }, /web page/i],
		['no JSON', { body: 'notJson' as const }, /JSON/],
		['another shape', { body: 'wrongShape' as const }, /items/],
		['a redirect', { redirectTo: 'https://elsewhere.example/' }, /redirect|another address/i],
		['401', { status: 401 }, /did not accept the credential \(401\)/],
		['403', { status: 403 }, /does not allow this call \(403\)/],
		[
			'a page of over 5 MB',
			{ body: { json: { items: [{ text: 'x'.repeat(6_000_000) }] } } },
			/holds more than 5 MB.*Lower the option 'Page Size'/,
		],
		[
			'a page token that is no text',
			{ body: { json: { items: [], nextPageToken: 7 } } },
			/nextPageToken/,
		],
	])('%s is told as what it is, without a header value', async (_, fault, words) => {
		bench.sandbox.faults.add({ service: 'console', times: null, ...fault });
		const run = await many();

		expect(`${run.error?.message} ${run.error?.description}`).toMatch(words);
		expect(run.error?.everything()).not.toContain(sandboxSecretMarker);
		expect(run.stored()).not.toContain(sandboxSecretMarker);
		expect(JSON.stringify(run.log)).not.toContain(sandboxSecretMarker);
	});

	it('a 429 is waited out, and the call made again', async () => {
		const ids = bench.append(1);
		bench.sandbox.faults.add({ service: 'console', status: 429, retryAfter: { seconds: 1 } });

		expect(idsOf(await many())).toEqual(ids);
		expect(bench.calls()).toHaveLength(2);
	});

	it.each(['get', 'getAll'])('a long 429 ends %s at Max Queue Time', async (operation) => {
		const options = { queueTimeout: 5 };
		const fault = { service: 'console', status: 429, retryAfter: { seconds: 3600 } } as const;
		// All that share a console and a credential rest after a 429.
		const own = await ConsoleBench.open();
		own.sandbox.faults.add({ ...fault, times: null });
		const { error } = await own.run(operation, { auditlogId: 'x', options });

		expect(error?.message).toContain('allows no more calls for now (429)');
		expect(error?.failure).toMatchObject({ cause: 'rate-limited' });
		expect(own.sandbox.journal.entries()).toHaveLength(1);
		await own.close();
	});

	it('only GET ever leaves towards the console', async () => {
		bench.append(3);
		await many();
		await bench.run('get', { auditlogId: 'x' });

		expect(new Set(bench.sandbox.journal.entries().map(({ method }) => method))).toEqual(
			new Set(['GET']),
		);
	});
});
