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

	it.each([{ success: false }, 'Failed', { error: 'no such email' }, false])(
		'fails where the answer says that it was not done: %j',
		async (answer) => {
			for (const parameters of [change(), release()]) {
				const run = await runNode({ parameters }, () => answer);
				expect(run.error?.message).toContain('the scanning service reports a failure [item 0]');
				expect(run.error?.description).toContain(JSON.stringify(answer));
				expect(run.error?.description).not.toContain('carried out');
			}
		},
	);

	it.each([{ success: true }, { message: 'Email released.' }, 'OK', ''])(
		'is a success where the answer does not say otherwise, and shows it: %j',
		async (answer) => {
			const run = await runNode({ parameters: release() }, () => answer);
			expect(run.json).toStrictEqual([{ ...unknown, success: true, answer }]);
			// n8n's table shows the first few fields.
			expect(Object.keys(run.json[0]).slice(0, 2)).toEqual(['scanId', 'success']);
		},
	);

	it('is no success where the answer cannot be understood, and says how to check', async () => {
		const answer = { message: 'E-Mail wurde freigegeben' };
		const run = await runNode({ parameters: release() }, () => answer);
		const note = expect.stringMatching(/does not clearly say .* see 'answer'\. .*before/);
		expect(run.json).toStrictEqual([{ ...unknown, success: null, answer, note }]);
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

	it('a reason that the answer repeats is no word of the service', async () => {
		const reason = 'Rejected by mistake';
		const parameters = { ...change(), reason };
		const run = await runNode({ parameters }, () => ({ status: 'changed', reason }));
		expect(run.json).toMatchObject([{ success: true }]);
		const repeated = await runNode({ parameters }, () => ({ reason }));
		expect(repeated.json).toMatchObject([{ success: null }]);
	});

	it("Change Verdict is a success where the answer is the scan's own record with that verdict", async () => {
		const changed = { ...record, verbose_verdict: 'CLN' };
		const other = { ...changed, id: 99, full_scan_id: '099_1' };
		const answers = [changed, record, other, { ...changed, success: false, error: 'denied' }];
		const results = answers.map(
			async (answer) => (await runNode({ parameters: change() }, () => answer)).json[0].success,
		);
		expect(await Promise.all(results)).toStrictEqual([true, null, null, null]);
		const investigation = scan('requestInvestigation', { scanId: 7, expectedVerdict: 'clean' });
		const run = await runNode({ parameters: investigation }, () => changed);
		expect(run.json).toMatchObject([{ success: null }]);
	});

	it('an answer of megabytes is not searched for words', async () => {
		const run = await runNode({ parameters: release() }, () => ({
			message: `failed ${'no '.repeat(100_000)}`,
		}));
		expect(run.json).toMatchObject([{ success: null }]);
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

	it('Release reads the scan afterwards on request', async () => {
		const run = await runNode(
			{ parameters: release({ options: { readBack: true } }) },
			({ call }) => (call?.purpose === 'get the scan' ? record : undefined),
		);
		expect(run.json).toMatchObject([
			{ success: true, scanId: '007_1', verdict: 'spam', clean: false, scan: record },
		]);
		expect(run.sent).toHaveLength(2);
	});

	it('Change Verdict goes by the verdict that it reads afterwards', async () => {
		const readAfterwards = async (code: string, answer: unknown, more = {}) =>
			(
				await runNode({ parameters: change({ options: { readBack: true } }) }, ({ call }) =>
					call?.purpose === 'get the scan' ? { ...record, verbose_verdict: code, ...more } : answer,
				)
			).json[0];
		expect(await readAfterwards('CLN', 'OK')).toMatchObject({ success: true, clean: true });
		expect(await readAfterwards('CLN', { id: 5 })).toMatchObject({ success: true, clean: true });
		expect(await readAfterwards('SPM', 'OK')).toMatchObject({
			success: null,
			clean: false,
			note: expect.stringContaining('does not have it'),
		});
		expect(await readAfterwards('CLN', 'OK', { error: 'engine timeout' })).toMatchObject({
			success: true,
			clean: null,
			note: expect.stringContaining("tells an error in 'error'"),
		});
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
