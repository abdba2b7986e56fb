import { sampleUrls } from '../../sandbox/fixtures/samples.cts';
import { jsonOf, ScanBench } from '../support/contentScanRun.cts';

// A busy machine is no reason to fail.
jest.setTimeout(30_000);

let bench: ScanBench;

beforeEach(async () => (bench = await ScanBench.open()));

afterEach(async () => await bench.close());

describe('waiting for the verdict', () => {
	it('answers many items with few calls, and says what could not be matched', async () => {
		const urls = Object.values(sampleUrls).map((link) => ({ link }));
		const run = await bench.run(
			'scanUrl',
			{ url: '={{ $json.link }}', waitForVerdict: true, simplify: false },
			{ items: urls },
		);
		expect(jsonOf(run).map((json) => (json as { verdict: string }).verdict)).toStrictEqual([
			'malicious',
			'malicious',
			'spam',
			'restricted',
			'suspicious',
			'NEW',
			'clean',
		]);
		expect(jsonOf(run)[0]).toMatchObject({
			answer: { scan_id: expect.any(Number) },
			status: 'finished',
			verdictCode: 'MAL',
			scan: { verbose_verdict: 'MAL', evidence: expect.any(Array) },
		});
		const looks = bench.calls().filter((call) => call.startsWith('GET'));
		expect(looks).toStrictEqual(['GET /api/v1/scans/list/ 200']);
	});

	it('keeps the ID of an item that no entry of the list matches', async () => {
		bench.sandbox.configure({ scanning: { scanIdShape: 'unmatched', scanIdType: 'string' } });
		const run = await bench.run('scanUrl', {
			url: sampleUrls.clean,
			waitForVerdict: true,
			options: { waitTimeout: 1, onTimeout: 'item' },
		});
		expect(jsonOf(run)).toMatchObject([
			{
				scanId: expect.stringMatching(/^\d+$/),
				status: 'pending',
				clean: null,
				note: expect.stringContaining('No record in the list'),
			},
		]);
	});

	it('gives a scan that never finishes back as pending, or fails it', async () => {
		bench.sandbox.configure({ scanning: { scanDurationMs: null } });
		const waiting = (onTimeout: string) =>
			bench.run('scanUrl', {
				url: sampleUrls.clean,
				waitForVerdict: true,
				simplify: false,
				options: { waitTimeout: 1, onTimeout },
			});
		const [kept, failed] = await Promise.all([waiting('item'), waiting('error')]);
		expect(jsonOf(kept)).toMatchObject([
			{ status: 'pending', verdict: null, scan: { status: 'RUN' } },
		]);
		expect(failed.error).toMatchObject({
			message: 'There was no verdict within 1 second [item 0]',
			description: expect.stringMatching(/no verdict yet: [\dA-F]+_\S+ \(item 0\)\.$/),
		});
	});

	it('says that the token was revoked in the middle, and keeps the ID', async () => {
		bench.sandbox.faults.add({
			method: 'GET',
			status: 401,
			body: { json: { detail: 'Invalid token.' } },
			times: null,
		});
		const run = await bench.run(
			'scanUrl',
			{ url: sampleUrls.clean, waitForVerdict: true, options: { waitTimeout: 2 } },
			{ onError: 'continueRegularOutput' },
		);
		expect(jsonOf(run)).toMatchObject([
			{
				error: expect.stringContaining('no verdict within 2 seconds'),
				details: {
					description: expect.stringContaining('did not accept the credential (401)'),
				},
				scanId: expect.stringMatching(/^\d+$/),
			},
		]);
	});

	it('says that the service was silent, where it was', async () => {
		bench.sandbox.faults.add({ method: 'GET', hang: true, times: null });
		const run = await bench.run('scanUrl', {
			url: sampleUrls.clean,
			waitForVerdict: true,
			options: { waitTimeout: 1 },
		});
		expect(run.error?.description).toContain('the scanning service did not answer');
	});

	it('ends with the execution', async () => {
		bench.sandbox.configure({ scanning: { scanDurationMs: null } });
		const stop = new AbortController();
		bench.sandbox.faults.add({ method: 'GET', hang: true });
		const running = bench.run(
			'scanUrl',
			{ url: sampleUrls.clean, waitForVerdict: true, options: { waitTimeout: 60 } },
			{ signal: stop.signal },
		);
		await bench.firstCall();
		stop.abort();
		expect((await running).executionStatus).toBe('canceled');
	});
});
