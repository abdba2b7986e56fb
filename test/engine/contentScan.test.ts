import { createHash } from 'node:crypto';
import { sandboxSecretMarker } from '../../sandbox/fixtures/accounts.cts';
import { eicarTestFile, sampleUrls } from '../../sandbox/fixtures/samples.cts';
import { jsonOf, ScanBench } from '../support/contentScanRun.cts';

// A busy machine is no reason to fail.
jest.setTimeout(30_000);

let bench: ScanBench;

beforeEach(async () => (bench = await ScanBench.open()));

afterEach(async () => await bench.close());

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

	it.each(['clean', 'verdict', 'success'])(
		'show no %s there that an earlier node has found',
		async (key) => {
			const earlier = [{ link: 'not an address', [key]: true }];
			const run = await bench.run('scanUrl', parameters, {
				items: earlier,
				onError: 'continueErrorOutput',
			});
			expect(Object.keys(run.outputs[1]?.[0].json ?? {})).toEqual(['error', 'message']);
		},
	);

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
