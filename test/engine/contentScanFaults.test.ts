import { sampleUrls } from '../../sandbox/fixtures/samples.cts';
import { sandboxSecretMarker } from '../../sandbox/fixtures/accounts.cts';
import type { FaultRule } from '../../sandbox/wire/faults.cts';
import { ScanBench } from '../support/contentScanRun.cts';
import { startRawServer } from '../support/transport/rawServer.cts';
import type { SingleNodeRun } from '../support/engine/runWorkflow.cts';

/** What a fault does to a submission (never repeated when unclear) and to a read. */

// A busy machine is no reason to fail.
jest.setTimeout(30_000);

let bench: ScanBench;

// A sandbox for each test: the call queue remembers what it learned of an address.
beforeEach(async () => (bench = await ScanBench.open()));

afterEach(async () => await bench.close());

const json = (value: object) => ({ json: value }) as FaultRule['body'];

const submit = async (options: object = {}) =>
	await bench.run('scanUrl', { url: sampleUrls.clean, options });

const read = async () => await bench.run('getAll', { limit: 1 });

const submitted = () => bench.sandbox.scans('us').filter(({ record }) => record.origin === 'api');

function expectNoSecret(run: SingleNodeRun): void {
	expect(run.error?.everything() ?? '').not.toContain(sandboxSecretMarker);
	expect(run.stored()).not.toContain(sandboxSecretMarker);
}

interface Row {
	fault: string;
	rule: Omit<FaultRule, 'nth'>;
	/** Part of the error's message. */
	message: string;
	/** Whether the error says that the outcome is not certain. */
	unclear?: boolean;
	/** Scans that exist afterwards. */
	scans?: number;
	httpCode?: string;
}

const submissionFaults: Row[] = [
	{
		fault: '401',
		rule: { status: 401 },
		message: 'did not accept the credential (401)',
		httpCode: '401',
	},
	{
		fault: '403',
		rule: { status: 403 },
		message: 'accepted the credential but not this call (403)',
		httpCode: '403',
	},
	{
		fault: '404',
		rule: { status: 404 },
		message: 'has nothing at this address (404)',
		httpCode: '404',
	},
	{ fault: '409', rule: { status: 409 }, message: 'does not allow it (409)', httpCode: '409' },
	{ fault: '413', rule: { status: 413 }, message: 'too large', httpCode: '413' },
	{
		fault: '500',
		rule: { status: 500 },
		message: 'answered with status 500',
		unclear: true,
		httpCode: '500',
	},
	{ fault: '502', rule: { status: 502 }, message: 'not available', unclear: true, httpCode: '502' },
	{ fault: '503', rule: { status: 503 }, message: 'not available', unclear: true, httpCode: '503' },
	{ fault: '504', rule: { status: 504 }, message: 'not available', unclear: true, httpCode: '504' },
	{
		fault: 'cut before the answer',
		rule: { cut: 'beforeAnswer' },
		message: 'did not answer',
		unclear: true,
	},
	{
		fault: 'cut before the body',
		rule: { cut: 'beforeBody', carryOut: true },
		message: 'Could not scan the URL',
		unclear: true,
		scans: 1,
	},
	{
		fault: 'cut during the body',
		rule: { cut: 'duringBody' },
		message: 'Could not scan the URL',
		unclear: true,
		scans: 1,
	},
	{
		fault: 'no JSON',
		rule: { body: 'notJson', carryOut: true },
		message: 'is not JSON',
		unclear: true,
		scans: 1,
	},
	{
		fault: 'an empty answer',
		rule: { body: 'empty', carryOut: true },
		message: 'there is no scan_id',
		unclear: true,
		scans: 1,
	},
	{
		fault: 'no scan_id',
		rule: { body: { without: ['scan_id'] } },
		message: 'there is no scan_id',
		unclear: true,
		scans: 1,
	},
	{
		fault: 'another shape',
		rule: { body: 'wrongShape', carryOut: true },
		message: 'there is no scan_id',
		unclear: true,
		scans: 1,
	},
	{
		fault: 'a sign-in page',
		rule: { body: 'loginPage', carryOut: true },
		message: 'a web page came back',
		unclear: true,
		scans: 1,
	},
	{
		fault: 'an endless answer',
		rule: { body: 'endless', carryOut: true },
		message: 'holds more than',
		unclear: true,
		scans: 1,
	},
	{
		fault: '1 GB',
		rule: { body: { bytes: 2 ** 30 }, carryOut: true },
		message: 'holds more than',
		unclear: true,
		scans: 1,
	},
];

describe('a submission that meets', () => {
	it.each(submissionFaults)(
		'$fault is sent once, and the error says what happened',
		async (row) => {
			bench.sandbox.faults.add({ method: 'POST', times: null, ...row.rule });
			const run = await submit();
			expect(run.error).toMatchObject({ name: 'NodeApiError', itemIndex: 0 });
			expect(run.error?.message).toContain(row.message);
			expect(run.error?.httpCode ?? '200').toBe(row.httpCode ?? '200');
			const uncertain = 'It is not certain whether the call was carried out';
			expect(run.error?.description?.includes(uncertain) ?? false).toBe(row.unclear ?? false);
			if (row.unclear) expect(run.error?.description).toContain("'Scan: Get Many'");
			expect(bench.calls()).toHaveLength(1);
			expect(submitted()).toHaveLength(row.scans ?? 0);
			expectNoSecret(run);
		},
	);

	it('a cut after the body does not matter', async () => {
		bench.sandbox.faults.add({ method: 'POST', cut: 'afterBody' });
		expect((await submit()).outputs[0]).toMatchObject([
			{ json: { submittedId: expect.any(String) } },
		]);
	});

	it('a scan_id that is text keeps it', async () => {
		bench.sandbox.configure({ scanning: { scanIdType: 'string' } });
		expect((await submit()).outputs[0]).toMatchObject([
			{ json: { submittedId: expect.any(String) } },
		]);
	});

	it('a scan_id of 64 bits keeps its digits', async () => {
		const text = '{"scan_id": 9007199254740993}';
		const body = { text, contentType: 'application/json' };
		bench.sandbox.faults.add({ method: 'POST', body, carryOut: true });
		expect((await submit()).outputs[0]).toMatchObject([
			{ json: { submittedId: '9007199254740993' } },
		]);
	});

	it.each([
		['in seconds', { retryAfter: { seconds: 2 } }],
		['as a date', { retryAfter: { dateInSeconds: 2 } }],
	])('429 with Retry-After %s is sent again, and is one scan', async (_, retry) => {
		bench.sandbox.faults.add({ method: 'POST', status: 429, ...retry } as FaultRule);
		const run = await submit();
		expect(run.outputs[0]).toMatchObject([{ json: { submittedId: expect.any(String) } }]);
		expect(submitted()).toHaveLength(1);
		expect(run.hints[0].message).toContain('waited in the queue');
	});

	it('429 with an absurd Retry-After gives up in time', async () => {
		const absurd = { seconds: 10_000_000 };
		bench.sandbox.faults.add({ method: 'POST', status: 429, retryAfter: absurd, times: null });
		const run = await submit({ queueTimeout: 1 });
		expect(run.error?.message).toContain('allows no more calls for now (429)');
		expect(submitted()).toHaveLength(0);
	});

	it.each([301, 302, 307, 308])(
		'a %d to another host takes no credential there',
		async (status) => {
			const other = await startRawServer();
			bench.sandbox.faults.add({
				method: 'POST',
				status,
				redirectTo: `${other.origin}/api/v1/urls/`,
			});
			const run = await submit();
			expect(run.error?.message).toContain('redirects to');
			expect(other.requests).toHaveLength(0);
			expectNoSecret(run);
			await other.close();
		},
	);

	it('the words of the service passes them on, without the token in them', async () => {
		const detail = `Bad token ${String(bench.credential.apiToken)}, sorry.`;
		bench.sandbox.faults.add({ method: 'POST', status: 400, body: json({ detail }) });
		const run = await submit();
		expect(run.error?.description).toContain(
			'The scanning service says: "Bad token [redacted], sorry".',
		);
		expectNoSecret(run);
	});

	it.each(['base64', 'hex'] as const)(
		'the words of a 2xx answer passes them on, without the token as %s in them',
		async (encoding) => {
			const token = String(bench.credential.apiToken);
			const echo = `for ${Buffer.from(token).toString(encoding)} it is closed`;
			const release = { resource: 'email', scanId: '1' };
			bench.sandbox.faults.add({
				method: 'GET',
				status: 200,
				body: json({ success: false, echo }),
			});
			const refused = await bench.run('release', release);
			expect(refused.error?.description).toContain('"echo":"for [redacted] it is closed"');
			bench.sandbox.faults.add({
				method: 'GET',
				status: 200,
				body: json({ results: [], has_more: true, next: { echo } }),
			});
			const list = await read();
			expect(list.error?.message).toContain("'next' is not an address");
			for (const { error } of [refused, list]) {
				expect(error?.everything()).not.toContain(
					Buffer.from(token).toString(encoding).slice(4, -4),
				);
			}
		},
	);

	it('a server that is not there at all says that nothing listens', async () => {
		const run = await bench.run(
			'scanUrl',
			{ url: 'x', options: { queueTimeout: 1 } },
			{ credential: { baseUrl: 'http://127.0.0.1:9' } },
		);
		expect(run.error?.message).toContain('nothing accepts connections');
	});
});

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
		['403', { status: 403 }, 'not this call (403)'],
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
		bench.sandbox.faults.add({ body: json({ results: [{ id: 'second' }], has_more: false }) });
		const run = await bench.run('getAll', { returnAll: true });
		expect(run.error).toBeUndefined();
		expect(run.outputs[0]).toMatchObject([{ json: { scanId: 'second' } }]);
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

it('a refusal is explained by the rules of the scanning service', async () => {
	for (const [status, advice] of [
		[403, 'the license does not include this function'],
		[413, '500 MB'],
		[401, 'remains a valid admin user'],
	] as const) {
		bench.sandbox.faults.add({ method: 'POST', status });
		const { error } = await bench.run('scanUrl', {
			url: 'http://x.example',
			waitForVerdict: false,
		});
		expect(error?.description).toContain(advice);
	}
});

it('an error does not repeat what a submission must keep to itself', async () => {
	const [header, password] = ['hook-secret-1', ' file password '];
	const detail = `cannot call back with ${header}, nor open the file with ${password.trim()}`;
	bench.sandbox.faults.add({ method: 'POST', status: 400, body: json({ detail }) });
	const { error } = await bench.run('scanFile', {
		fileSource: 'link',
		downloadLink: 'https://files.example.com/a.zip',
		options: { callbackHeaders: { 'X-Hook': header }, filePassword: password },
	});
	expect(error?.description).toContain(
		'"cannot call back with [redacted], nor open the file with [redacted]"',
	);
});

describe('a release, though it is a GET,', () => {
	it.each([
		['503', { status: 503 }],
		['a cut before the answer', { cut: 'beforeAnswer' }],
		['a cut during the body', { cut: 'duringBody' }],
	] as Array<[string, FaultRule]>)('is sent once when it meets %s', async (_, rule) => {
		const [scanId] = bench.quarantined();
		bench.sandbox.faults.add({ ...rule, times: null });
		const run = await bench.run('release', { resource: 'email', scanId });
		expect(run.error?.description).toContain('It is not certain whether the call was carried out');
		expect(bench.calls()).toHaveLength(1);
	});

	it('does not fail for what happens when the scan is read afterwards', async () => {
		const [scanId] = bench.quarantined();
		bench.sandbox.faults.add({ path: 'scans/list', status: 403, times: null });
		const parameters = { resource: 'email', scanId, options: { readBack: true } };
		const run = await bench.run('release', parameters);
		expect(run.outputs[0]).toMatchObject([
			{ json: { success: true, scan: null, note: expect.stringContaining('was done') } },
		]);
		expect(bench.sandbox.releasedEmails('us')).toStrictEqual([scanId]);
	});
});
