import { createHash } from 'node:crypto';
import { sandboxSecretMarker } from '../../sandbox/fixtures/accounts.cts';
import { eicarTestFile, sampleUrls } from '../../sandbox/fixtures/samples.cts';
import { ScanBench } from '../support/contentScanRun.cts';

// A busy machine is no reason to fail.
jest.setTimeout(30_000);

let bench: ScanBench;

beforeEach(async () => (bench = await ScanBench.open()));

afterEach(async () => await bench.close());

const jsonOf = (run: { outputs: Array<Array<{ json: object }>> }) =>
	(run.outputs[0] ?? []).map(({ json }) => json);

const file = (content: Buffer | string, fileName = 'report.bin') => ({
	json: {},
	binary: { data: { content, fileName } },
});

describe('Scan File', () => {
	it.each(['filesystem', 'memory'] as const)(
		'uploads a file that n8n keeps in %s, and passes it on with the result',
		async (binaryData) => {
			const content = Buffer.concat([Buffer.alloc(3_000_000, 'a'), eicarTestFile()]);
			const run = await bench.run('scanFile', {}, { items: [file(content)], binaryData });

			const scan = bench.sandbox.scans('us').at(-1)!;
			expect(run.outputs[0]).toHaveLength(1);
			expect(run.outputs[0]?.[0].json).toMatchObject({
				submittedId: String(scan.submittedId),
				status: 'submitted',
				clean: null,
			});
			expect(run.outputs[0]?.[0].binary?.data.fileName).toBe('report.bin');
			expect(scan.submission).toStrictEqual({
				encoding: 'multipart/form-data',
				fields: ['name', 'data'],
			});
			expect(scan.record).toMatchObject({
				names: ['report.bin'],
				verbose_verdict: 'MAL',
				sample: {
					sha256: createHash('sha256').update(content).digest('hex'),
					file_size: content.length,
				},
			});
		},
	);

	it('names the file as the user says, and sends a password', async () => {
		const parameters = { options: { fileName: 'ünï "1".zip', filePassword: ' pw ' } };
		const run = await bench.run('scanFile', parameters, { items: [file('x')] });
		expect(run.error).toBeUndefined();
		const { record, submission } = bench.sandbox.scans('us').at(-1)!;
		expect(record.names).toStrictEqual(['ünï "1".zip']);
		expect(submission.fields).toStrictEqual(['name', 'file_password', 'data']);
	});

	it('submits a download link form-encoded', async () => {
		const downloadLink = sampleUrls.malicious;
		const run = await bench.run('scanFile', { fileSource: 'link', downloadLink });
		expect(run.error).toBeUndefined();
		expect(bench.sandbox.scans('us').at(-1)).toMatchObject({
			record: { type: 'File', path: downloadLink, names: ['download.exe'] },
			submission: { encoding: 'application/x-www-form-urlencoded' },
		});
	});

	it('names a file in a storage', async () => {
		const parameters = {
			fileSource: 'storage',
			storagePath: 'in/a.pdf',
			options: { storage: 's3' },
		};
		expect((await bench.run('scanFile', parameters)).error).toBeUndefined();
		expect(bench.sandbox.scans('us').at(-1)!.record).toMatchObject({ path: 'in/a.pdf' });
	});
});

describe('Scan URL', () => {
	it('takes the URL from an expression, item by item', async () => {
		const items = [{ link: sampleUrls.clean }, { link: sampleUrls.phishing }];
		const run = await bench.run('scanUrl', { url: '={{ $json.link }}' }, { items });
		const scans = bench.sandbox.scans('us').slice(-2);
		expect(run.outputs[0]?.map(({ pairedItem }) => pairedItem)).toStrictEqual([
			{ item: 0 },
			{ item: 1 },
		]);
		expect(scans.map(({ record }) => record.verbose_verdict).sort()).toStrictEqual(['CLN', 'MAL']);
	});

	it('asks for a callback', async () => {
		const options = {
			callbackUrl: `${bench.sandbox.addresses.control}/nowhere`,
			callbackParams: '{"ticket": 42}',
			callbackHeaders: '{"X-Secret": "s"}',
		};
		const run = await bench.run('scanUrl', { url: sampleUrls.clean, simplify: false, options });
		expect(jsonOf(run)).toMatchObject([{ answer: { callback_params: { ticket: 42 } } }]);
		await bench.sandbox.flushCallbacks();
		expect(bench.sandbox.callbacks('us')).toHaveLength(1);
	});
});

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
				note: expect.stringContaining('No entry in the list'),
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
			description: expect.stringMatching(/no verdict yet: \d+ \(item 0\)\.$/),
		});
	});

	it('ends when the token is revoked in the middle, and keeps the ID', async () => {
		bench.sandbox.faults.add({
			method: 'GET',
			status: 401,
			body: { json: { detail: 'Invalid token.' } },
		});
		const run = await bench.run(
			'scanUrl',
			{ url: sampleUrls.clean, waitForVerdict: true },
			{ onError: 'continueRegularOutput' },
		);
		expect(jsonOf(run)).toMatchObject([
			{
				error: expect.stringContaining('did not accept the credential (401)'),
				scanId: expect.stringMatching(/^\d+$/),
			},
		]);
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

describe('Get and Get Many', () => {
	it('list and read scans, simplified or as sent', async () => {
		const list = await bench.run('getAll', { limit: 3 });
		const keys = [
			'scanId',
			'status',
			'verdict',
			'verdictCode',
			'clean',
			'createdAt',
			'finishedAt',
			'names',
		];
		expect(Object.keys(jsonOf(list)[0])).toStrictEqual([...keys, 'sha256', 'from']);
		const [first] = jsonOf(list) as Array<{ scanId: string }>;

		const one = await bench.run('get', {
			scanId: { __rl: true, mode: 'list', value: first.scanId },
		});
		expect(jsonOf(one)).toStrictEqual([first]);
		const raw = await bench.run('get', { scanId: first.scanId, simplify: false });
		expect(jsonOf(raw)).toMatchObject([{ scan: bench.sandbox.scans('us')[0].record }]);
	});

	it('take an id as plain text, as a number, and from an expression', async () => {
		bench.sandbox.configure({ scanning: { getScanBy: 'anyId' } });
		const scan = bench.sandbox.scans('us')[0];
		for (const scanId of [
			String(scan.submittedId),
			scan.submittedId,
			'={{ $json.scan_id }}',
			{ __rl: true, mode: 'id', value: '={{ $json.scan_id }}' },
			{ __rl: true, mode: 'id', value: scan.submittedId },
		]) {
			const run = await bench.run('get', { scanId }, { items: [{ scan_id: scan.submittedId }] });
			expect(jsonOf(run)).toMatchObject([{ scanId: scan.record.full_scan_id }]);
		}
	});

	it('follow the pages to the end', async () => {
		bench.sandbox.configure({ scanning: { maxListLimit: 2 } });
		const run = await bench.run('getAll', { returnAll: true, simplify: false });
		const listed = jsonOf(run).map((json) => (json as { scan: { id: number } }).scan.id);
		expect(new Set(listed).size).toBe(listed.length);
		expect(listed.length).toBeGreaterThan(20);
	});

	it('send the filters as the service takes them', async () => {
		const [first] = bench.sandbox.scans('us');
		const filters = {
			start: first.record.created_at,
			end: first.record.created_at,
			origin: 'email',
			verdict: 'malicious',
			organizationId: first.record.organization_id,
			handleStatus: 'open',
			subject: 'parcel',
			originalMessageId: (first.record.sample as { original_message_id: string })
				.original_message_id,
		};
		const run = await bench.run('getAll', { returnAll: true, filters });
		expect(run.error).toBeUndefined();
		expect(jsonOf(run)).toMatchObject([{ scanId: first.record.full_scan_id }]);
	});
});

describe('operations with an effect', () => {
	it('Change Verdict changes it, and reports the state that resulted', async () => {
		const [scanId] = bench.quarantined();
		const run = await bench.run('changeVerdict', {
			scanId,
			verdict: 'clean',
			reason: 'He said "fine" \\ {comment}',
			options: { readBack: true },
		});
		expect(jsonOf(run)).toMatchObject([
			{ scanId, success: true, verdict: 'clean', verdictCode: 'CLN', clean: true },
		]);
		const { record } = bench.sandbox
			.scans('us')
			.find((scan) => scan.record.full_scan_id === scanId)!;
		expect(record).toMatchObject({
			verbose_verdict: 'CLN',
			verdict_reason: 'He said "fine" \\ {comment}',
		});
		expect(bench.sandbox.releasedEmails('us')).toContain(scanId);
	});

	it('Request Investigation requests one', async () => {
		const [scanId] = bench.quarantined();
		const run = await bench.run('requestInvestigation', {
			scanId,
			expectedVerdict: 'spam',
			comment: 'ask "them"',
		});
		expect(jsonOf(run)).toMatchObject([{ scanId, success: true, answer: { status: 'open' } }]);
		expect(bench.sandbox.investigations('us')).toMatchObject([
			{ fullScanId: scanId, expectedVerdict: 'SPM', comment: 'ask "them"' },
		]);
	});

	it.each(['json', 'empty'] as const)('Release releases the email (%s answer)', async (answer) => {
		bench.sandbox.configure({ scanning: { releaseAnswer: answer } });
		const [scanId] = bench.quarantined();
		const run = await bench.run('release', {
			resource: 'email',
			scanId,
			options: { readBack: true },
		});
		expect(jsonOf(run)).toMatchObject([{ scanId, success: true, scan: { full_scan_id: scanId } }]);
		expect(bench.sandbox.releasedEmails('us')).toStrictEqual([scanId]);
	});

	it.each([
		['changeVerdict', { verdict: 'clean', reason: 'x' }],
		['requestInvestigation', { expectedVerdict: 'clean' }],
	])('%s says what the credential lacks', async (operation, parameters) => {
		const run = await bench.run(
			operation,
			{ scanId: '1', ...parameters },
			{ credential: { operationPaths: {} } },
		);
		expect(run.error).toMatchObject({
			name: 'NodeOperationError',
			itemIndex: 0,
			message: expect.stringContaining('does not say how to call'),
			description: expect.stringContaining(`(${operation}Method)`),
		});
		expect(bench.calls()).toStrictEqual([]);
	});
});

describe('many items', () => {
	const items = Array.from({ length: 100 }, (_, index) => ({
		index,
		link: index % 7 === 3 ? 'not an address' : sampleUrls.clean,
	}));
	const parameters = { url: '={{ $json.link }}' };

	it('of which some fail keep their errors and pairing', async () => {
		const run = await bench.run('scanUrl', parameters, { items, onError: 'continueRegularOutput' });
		expect(run.executionStatus).toBe('success');
		expect(run.outputs[0]).toHaveLength(100);
		run.outputs[0]?.forEach(({ json, pairedItem }, item) => {
			expect(pairedItem).toStrictEqual({ item });
			if (item % 7 !== 3) return expect(json).toMatchObject({ status: 'submitted' });
			expect(json.error).toContain(`refused the request (400) [item ${item}]`);
			expect(json.details).toMatchObject({
				httpCode: '400',
				description: expect.stringContaining('Enter a valid URL'),
			});
		});
	});

	it('of which some fail go to the error output with their input', async () => {
		const run = await bench.run('scanUrl', parameters, { items, onError: 'continueErrorOutput' });
		const [done, failed] = run.outputs;
		expect([done?.length, failed?.length]).toStrictEqual([86, 14]);
		expect(failed?.[1]).toMatchObject({
			json: { index: 10, link: 'not an address', error: expect.stringContaining('(400)') },
			pairedItem: { item: 10 },
		});
	});

	it('stop at the first that fails, and say what was carried out before', async () => {
		const run = await bench.run(
			'scanUrl',
			{ ...parameters, options: { concurrency: 1 } },
			{ items },
		);
		expect(run.error).toMatchObject({
			name: 'NodeApiError',
			httpCode: '400',
			itemIndex: 3,
			description: expect.stringMatching(
				/no verdict yet: \d+ \(item 0\), \d+ \(item 1\), \d+ \(item 2\)\.$/,
			),
		});
		expect(bench.calls()).toHaveLength(4);
	});
});

it('shows no secret in any output, error or log', async () => {
	const runs = await Promise.all([
		bench.run('scanUrl', { url: sampleUrls.clean }),
		bench.run('get', { scanId: 'unknown' }),
		bench.run('getAll', { filters: { organizationId: '2001' } }),
	]);
	for (const run of runs) {
		expect(run.stored()).not.toContain(sandboxSecretMarker);
		expect(JSON.stringify(run.log)).not.toContain(sandboxSecretMarker);
		expect(run.error?.everything() ?? '').not.toContain(sandboxSecretMarker);
	}
	expect(runs[1].error).toMatchObject({ httpCode: '404' });
	expect(runs[2].error).toMatchObject({ httpCode: '403' });
});
