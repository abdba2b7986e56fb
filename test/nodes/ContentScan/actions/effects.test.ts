import { Refusal } from '../support/fakeService';
import { describedPaths, runNode, scan, unknownScan } from '../support/runNode';

const record = {
	id: 7,
	full_scan_id: '007_1',
	finished_at: '2026-11-01T08:00:09Z',
	verbose_verdict: 'SPM',
};

describe('an operation with an effect', () => {
	const change = (parameters: object = {}) =>
		scan('changeVerdict', { scanId: '7', verdict: 'clean', reason: 'a "b"', ...parameters });
	const release = (parameters: object = {}) => ({
		resource: 'email',
		operation: 'release',
		scanId: '7',
		...parameters,
	});

	const unknown = unknownScan('7');

	it.each([
		...[false, 'false', 'FALSE ', 0, '0', 'no', 'failed', '', null].map((success) => ({ success })),
		{ error: 'refused' },
		{ success: true, error: { code: 5 } },
		{ data: { success: false } },
		...[{ released: false }, { data: { done: false } }, { state: 'FAILED' }],
		{ response: { success: false } },
		{ results: [{ success: false }] },
		{ failed: ['5'] },
		{ failure: 'not in quarantine' },
		{ status: 'rejected' },
		{ status: 500 },
		{ status: '404' },
		{ status: 'NOT_FOUND' },
		{ status: 'unsuccessful' },
		{ result: 'failed' },
		{ succeeded: false },
		{ status: false },
		{ result: 'denied' },
		{ success: true, data: { success: 'no' } },
		{ status: 'failed' },
		{ status: ' Error', success: true },
		{ status: 'failed: not in quarantine' },
		{ success: 'unsuccessful' },
		{ Success: false },
		{ ok: false },
		{ errors: ['x'] },
		{ errors: { email: ['x'] } },
		{ error: 'no such scan' },
		{ data: { error: 'x' } },
		{ data: { status: 'failed' } },
		{ data: [{ success: true }, { success: false }] },
		...[{ successful: false }, { is_success: false }, { statusCode: 404 }, { code: 404 }],
		...[{ message: 'Failed to release email' }, { msg: 'Scan not found' }, { code: '404' }],
		...[{ released: 0 }, { released: 'false' }, { error_message: 'Not permitted' }],
		...[{ errorMessage: 'x' }, { non_field_errors: ['x'] }, { status: 'declined' }],
		...[{ detail: 'Not found.' }, { detail: 'You do not have permission to do this.' }],
		...[{ status: 'NotFound' }, { status: 'not-found' }, { status: 'NOK' }, { status_code: 500 }],
	])('fails where the answer says %p', async (answer) => {
		for (const parameters of [change(), release()]) {
			const run = await runNode({ parameters }, () => ({ ...answer, reason: 'not in quarantine' }));
			expect(run.error?.message).toContain('the scanning service reports a failure [item 0]');
			expect(run.error?.description).toContain('not in quarantine');
			expect(run.error?.description).not.toContain('carried out');
		}
	});

	it.each([false, 'failed', 'Error: not in quarantine', [{ success: false }], [false]])(
		'fails where the whole answer is %j',
		async (answer) => {
			const run = await runNode({ parameters: release() }, () => answer);
			expect(run.error?.message).toContain('reports a failure');
		},
	);

	it.each([
		{ success: { toString: 1 } },
		{ success: 'Email released' },
		{ error: null },
		...[{}, [], '', 'none', 'No error', '0', 0, false].map((errors) => ({ success: true, errors })),
		{ status: 0, data: {} },
		{ status: 'no errors', data: [{ success: true }] },
		{ status: 200, failed: [], result: 'released' },
		{ success: true, data: false },
		{ full_scan_id: '7_1', status: 'ERROR', errors: ['engine av1 timed out'] },
		{ id: 7, verbose_verdict: 'MAL', finished_at: null, released: false, failed: ['av3'] },
		{ data: '500 emails released' },
		...[{ message: 'Released. No errors.' }, { code: '200', message: 'OK' }, { released: 1 }],
		{ result: 404 },
		{ error: { code: 0, message: '' }, errors: { count: 0 }, failed: { count: 0, ids: [] } },
		...['OK', 'N/A', 'none.'].map((error) => ({ error })),
		{ success: true, results: [{ status: 'rejected_sender_ok' }] },
	])('takes what may be a success for one, and shows it: %p', async (answer) => {
		const run = await runNode({ parameters: release() }, () => answer);
		expect(run.json).toMatchObject([{ success: true, answer }]);
	});

	it.each(['', '  ', null])('Change Verdict demands a reason: %p is none', async (reason) => {
		const run = await runNode({ parameters: change({ reason }) }, () => ({}));
		expect(run.error?.message).toBe("The 'Reason' is empty [item 0]");
		expect(run.sent).toHaveLength(0);
	});

	it('Change Verdict and Release guess no ID', async () => {
		for (const parameters of [change(), release()]) {
			const run = await runNode({ parameters }, () => new Refusal(404));
			expect(run.sent).toHaveLength(1);
		}
	});

	it('Change Verdict fills the template of the credential', async () => {
		const run = await runNode({ parameters: change() }, () => ({ ok: 1 }));
		expect(run.sent[0].call).toMatchObject({
			method: 'PUT',
			path: '/api/v1/scans/{scanId}/verdict/',
			pathValues: { scanId: '7' },
			idempotent: false,
			body: { type: 'json', text: '{"verdict": "CLN", "word": "clean", "reason": "a \\"b\\""}' },
		});
		expect(run.json).toStrictEqual([{ ...unknown, success: true, answer: { ok: 1 } }]);
	});

	it('Request Investigation fills the template of the credential', async () => {
		const parameters = scan('requestInvestigation', {
			scanId: 7,
			expectedVerdict: 'malicious',
			comment: 'look',
		});
		const run = await runNode({ parameters }, () => undefined);
		expect(run.sent[0].call).toMatchObject({
			method: 'POST',
			path: '/api/v1/scans/{scanId}/investigation/',
			idempotent: false,
			body: { text: '{"expected": "MAL", "comment": "look"}' },
		});
		expect(run.json).toStrictEqual([{ ...unknown, success: true, answer: null }]);
	});

	it('Release is a GET that counts as not idempotent', async () => {
		const run = await runNode({ parameters: release() }, () => 'released');
		expect(run.sent[0].call).toMatchObject({
			method: 'GET',
			path: '/api/v1/quarantine/release/{scanId}/',
			idempotent: false,
		});
		expect(run.sent[0].call?.body).toBeUndefined();
		expect(run.json).toStrictEqual([{ ...unknown, success: true, answer: 'released' }]);
	});

	it.each([
		['changeVerdict', change()],
		['requestInvestigation', scan('requestInvestigation', { scanId: 7, expectedVerdict: 'spam' })],
	])('%s says which fields of the credential it needs', async (key, parameters) => {
		const run = await runNode({ parameters }, () => ({}), {});
		expect(run.error?.message).toContain('does not say how to call');
		expect(run.error?.description).toContain(`(${key}), `);
		expect(run.error?.description).toContain(`(${key}Method), `);
		expect(run.error?.description).toContain(`(${key}Body).`);
		expect(run.sent).toHaveLength(0);
	});

	it.each(['', 'harmless', undefined, 5])('refuses the verdict %p', async (verdict) => {
		const run = await runNode({ parameters: change({ verdict }) }, () => ({}));
		expect(run.error?.message).toContain("'Verdict'");
		expect(run.sent).toHaveLength(0);
	});

	it.each([
		['Change Verdict', change({ options: { readBack: true } })],
		['Release', release({ options: { readBack: true } })],
	])('%s reads the scan afterwards on request', async (_, parameters) => {
		const run = await runNode({ parameters }, ({ call }) =>
			call?.purpose === 'get the scan' ? record : undefined,
		);
		expect(run.json).toMatchObject([
			{ success: true, scanId: '007_1', verdict: 'spam', clean: false, scan: record },
		]);
		expect(run.sent).toHaveLength(2);
	});

	it('does not fail when only the reading afterwards does not work', async () => {
		const run = await runNode(
			{ parameters: release({ options: { readBack: true } }) },
			({ call }) => (call?.purpose === 'get the scan' ? new Refusal(404) : undefined),
		);
		expect(run.json).toMatchObject([
			{ success: true, scan: null, note: expect.stringContaining('was done') },
		]);
	});

	it.each(['', '.', '..'])('refuses the id %p', async (scanId) => {
		for (const parameters of [change({ scanId }), release({ scanId })]) {
			const run = await runNode({ parameters }, () => ({}), describedPaths);
			expect(run.error?.message).toContain("'Scan' ID");
			expect(run.sent).toHaveLength(0);
		}
	});
});
