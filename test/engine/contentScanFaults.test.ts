import { sampleUrls } from '../../sandbox/fixtures/samples.cts';
import type { FaultRule } from '../../sandbox/wire/faults.cts';
import { ScanBench } from '../support/contentScanRun.cts';
import type { SingleNodeRun } from '../support/engine/runWorkflow.cts';
import { startRawServer } from '../support/transport/rawServer.cts';
import { submissionFaults } from '../support/submissionFaults.cts';
import { expectNoSecret } from '../support/expectNoSecret.cts';

/** What a fault does to a submission or a release, neither of which is repeated when unclear. */

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

	it('an answer without a scan_id is quoted, in a run that is not certain', async () => {
		const text = '{"error": "The quota of this month is used up."}';
		const body = { text, contentType: 'application/json' };
		bench.sandbox.faults.add({ method: 'POST', body });
		const { error } = await submit();
		expect(error?.message).toContain('there is no scan_id');
		expect(error?.description).toContain('not certain');
		expect(error?.description).toContain('says: "The quota of this month is used up"');
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

	describe.each<[string, (secret: string) => string]>([
		['clear text', (secret) => secret],
		['base64', (secret) => Buffer.from(secret).toString('base64')],
		['percent-escapes', (secret) => Buffer.from(secret).toString('hex').replace(/../g, '%$&')],
	])('a 2xx answer without a scan, and with a secret as %s, passes its words on', (_, spell) => {
		const expectCutOut = async (secret: string, send: () => Promise<SingleNodeRun>) => {
			const detail = `not with ${spell(secret)}, sorry`;
			bench.sandbox.faults.add({ status: 200, body: json({ detail }) });
			const { error } = await send();
			expect(error?.description).toContain('says: "not with [redacted], sorry"');
		};

		it('without the token', async () => {
			const scanId = { __rl: true, mode: 'id', value: '5' };
			const token = String(bench.credential.apiToken);
			await expectCutOut(token, submit);
			await expectCutOut(token, read);
			await expectCutOut(token, async () => await bench.run('get', { scanId }));
		});

		it('without the file password', async () => {
			const filePassword = 'file pass 4711';
			const downloadLink = 'https://files.example.com/a.zip';
			const upload = { fileSource: 'link', downloadLink, options: { filePassword } };
			await expectCutOut(filePassword, async () => await bench.run('scanFile', upload));
		});
	});

	it('a server that is not there at all says that nothing listens', async () => {
		const run = await bench.run(
			'scanUrl',
			{ url: 'x', options: { queueTimeout: 1 } },
			{ credential: { baseUrl: 'http://127.0.0.1:9' } },
		);
		expect(run.error?.message).toContain('nothing accepts connections');
	});
});

it('a refusal is explained by the rules of the scanning service', async () => {
	for (const [status, advice] of [
		[403, 'the license may not include this function'],
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
