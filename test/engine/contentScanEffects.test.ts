import { jsonOf, ScanBench } from '../support/contentScanRun.cts';

// A busy machine is no reason to fail.
jest.setTimeout(30_000);

let bench: ScanBench;

beforeEach(async () => (bench = await ScanBench.open()));

afterEach(async () => await bench.close());

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
