import type { NodeExecutionHint } from 'n8n-workflow';
import { Refusal } from '../support/fakeService';
import type { Sent } from '../support/fakeService';
import { runNode } from '../support/runNode';
import { clean, finished, list, serviceWith, waiting } from '../support/waitingScans';

describe('a verdict that does not come in time', () => {
	/** All scans but these finish, and are clean. */
	const unfinished = (...ids: number[]) => {
		let last = 0;
		return ({ call }: Sent) => {
			if (call?.method === 'POST') return { scan_id: ++last };
			const all = Array.from({ length: last }, (_, index) => index + 1);
			return list(...all.map((id) => ({ id, ...(ids.includes(id) ? {} : clean) })));
		};
	};

	it('fails, and names the scan', async () => {
		const run = await runNode({ parameters: waiting({ waitTimeout: 10 }) }, unfinished(1));
		expect(run.error?.message).toBe('There was no verdict within 10 seconds [item 0]');
		expect(run.error?.description).toContain('no verdict yet: 1 (item 0)');
		expect((await runNode({ parameters: waiting() }, unfinished(1))).clock.now()).toBe(
			1_700_000_000_000 + 300_000,
		);
	});

	describe('of a scan that was read with its long ID', () => {
		const read = ({ call }: Sent) =>
			call?.method === 'POST'
				? { scan_id: 1 }
				: list({ id: 1, full_scan_id: '001E_1', finished_at: null });
		const parameters = waiting({ waitTimeout: 10 });
		const known = { scanId: '001E_1', submittedId: '1' };

		it('names that one: perhaps only this one finds it again', async () => {
			const { error } = await runNode({ parameters }, read);
			expect(error?.description).toContain('no verdict yet: 001E_1 (item 0)');
			expect(error?.context).toMatchObject({ scans: [known] });
		});

		it.each([
			['continueRegularOutput', 'details'],
			['continueErrorOutput', 'message'],
		] as const)('has it under %s in its %s', async (onError, field) => {
			const { json } = await runNode({ parameters, onError }, read);
			expect(json).toMatchObject([{ [field]: known }]);
		});

		it('names it where the execution is canceled', async () => {
			const cancel = new AbortController();
			const { error } = await runNode({ parameters, signal: cancel.signal }, (sent, clock) => {
				if (clock.now() > 1_700_000_003_000) cancel.abort();
				return read(sent);
			});
			expect(error?.message).toContain('canceled while this item waited');
			expect(error?.context).toMatchObject({ scans: [known] });
		});
	});

	it('is said to be still running only where the list showed it so', async () => {
		const seen = await runNode({ parameters: waiting({ waitTimeout: 10 }) }, unfinished(1));
		expect(seen.error?.description).toContain('The scan is still running.');
		const unread = await runNode(
			{ parameters: waiting({ waitTimeout: 10 }) },
			async ({ call }): Promise<unknown> =>
				call?.method === 'POST' ? { scan_id: 1 } : await new Promise(() => {}),
		);
		expect(unread.error?.description).toContain('The list of scans was not read in time. Raise');
		expect(unread.error?.description).not.toContain('still running');
	});

	it('is said to be still running though its record tells no success yet', async () => {
		const running = serviceWith(() => list({ id: 1, status: 'RUN', success: false }));
		const { error } = await runNode({ parameters: waiting({ waitTimeout: 10 }) }, running);
		expect(error?.description).toMatch(/^The scan is still running. Raise/);
	});

	it('is said to be what the service shows it as', async () => {
		const failed = serviceWith(() => list({ id: 1, status: 'FAILED', verbose_verdict: 'CLN' }));
		const run = await runNode({ parameters: waiting({ waitTimeout: 10 }) }, failed);
		expect(run.error?.description).toContain(
			'The service shows the scan with the status "FAILED".',
		);
		expect(run.error?.description).not.toContain('still running');
	});

	it('comes with a note where the record has ended with an error', async () => {
		const record = { id: 1, verbose_verdict: 'CLN', finished_at: 1_780_000_000, error: 'stopped' };
		const failed = serviceWith(() => list(record));
		const { json } = await runNode({ parameters: waiting({ waitTimeout: 60 }) }, failed);
		expect(json).toMatchObject([
			{
				...{ status: 'finished', verdict: null, clean: null },
				note: expect.stringContaining("tells an error in 'error'") as string,
			},
		]);
	});

	it('shows no secret in that status', async () => {
		const callback = {
			callbackUrl: 'https://me.example',
			callbackHeaders: { key: 'hunter2-secret' },
		};
		const parameters = waiting({ waitTimeout: 10, ...callback });
		const status = 'opened with hunter2-secret';
		const { error } = await runNode(
			{ parameters },
			serviceWith(() => list({ id: 1, status })),
		);
		expect(error?.description).toContain('with the status "opened with [redacted]".');
	});

	it('loses no other verdict: of 500 items all are submitted, waited for and named', async () => {
		const run = await runNode(
			{ parameters: waiting({ waitTimeout: 60 }), items: 500 },
			unfinished(7),
		);
		expect(run.error?.message).toBe('There was no verdict within 60 seconds [item 6]');
		const { description = '', context } = run.error ?? {};
		expect(run.sent.filter(({ call }) => call?.method === 'POST')).toHaveLength(500);
		for (let id = 1; id <= 500; id++) expect(description).toContain(`${id} (item ${id - 1})`);
		expect(description).toMatch(/clean: 1 \(item 0\), .*; no verdict yet: 7 \(item 6\)\.$/);
		expect(context?.scans).toHaveLength(500);
	});

	it('under "continue on fail" is the error of its item alone', async () => {
		const run = await runNode(
			{ parameters: waiting({ waitTimeout: 10 }), items: 3, onError: 'continueRegularOutput' },
			unfinished(2),
		);
		expect(run.json).toMatchObject([
			{ clean: true },
			{ error: expect.stringContaining('no verdict'), scanId: '2', clean: null, verdict: null },
			{ clean: true },
		]);
	});

	it('returns the item where the user chose so, with a warning and no verdict', async () => {
		const hints: NodeExecutionHint[] = [];
		const record = { id: 1, finished_at: null, verbose_verdict: 'CLN' };
		const run = await runNode(
			{ parameters: waiting({ waitTimeout: 10, onTimeout: 'item' }), hints },
			serviceWith(() => list(record)),
		);
		expect(run.json).toMatchObject([
			{ scanId: '1', status: 'pending', verdict: null, verdictCode: null, clean: null },
		]);
		expect(hints).toMatchObject([
			{ type: 'warning', message: expect.stringContaining('1 scan not finished in time') },
		]);
	});

	it('goes on while a scan has finished, but its verdict is not there yet', async () => {
		let looks = 0;
		const late = { id: 1, finished_at: '2026-03-01T00:00:00Z' };
		const run = await runNode(
			{ parameters: waiting({ waitTimeout: 10 }) },
			serviceWith(() => list({ ...late, verbose_verdict: looks++ === 0 ? null : 'MAL' })),
		);
		expect(run.json).toMatchObject([{ status: 'finished', verdict: 'malicious', clean: false }]);
	});

	it('says so where a scan has finished and its verdict does not follow', async () => {
		const record = { id: 1, finished_at: '2026-03-01T00:00:00Z', verbose_verdict: null };
		for (const [waitTimeout, atMost] of [
			[300, 40_000],
			[10, 11_000],
		]) {
			const run = await runNode(
				{ parameters: waiting({ waitTimeout }) },
				serviceWith(() => list(record)),
			);
			expect(run.json).toMatchObject([
				{
					...{ status: 'finished', verdict: null, clean: null },
					note: 'The scan has finished, but its record has no verdict.',
				},
			]);
			expect(run.clock.now()).toBeLessThan(1_700_000_000_000 + atMost);
		}
	});

	it('is a timeout where a scan that had finished runs again', async () => {
		let looks = 0;
		const finishedAt = () => (looks++ === 0 ? '2026-03-01T00:00:00Z' : null);
		const run = await runNode(
			{ parameters: waiting({ waitTimeout: 10 }) },
			serviceWith(() => list({ id: 1, finished_at: finishedAt(), verbose_verdict: null })),
		);
		expect(run.error?.message).toBe('There was no verdict within 10 seconds [item 0]');
	});

	it('ends no other wait: the error comes with the verdicts that came after it', async () => {
		const parameters = (item: number) => waiting({ waitTimeout: item === 0 ? 10 : 300 });
		const atFirst = unfinished(1, 2, 3);
		const later = unfinished(1);
		const run = await runNode({ parameters, items: 3 }, (sent, clock) => {
			const [early, late] = [atFirst(sent), later(sent)];
			return clock.now() < 1_700_000_060_000 ? early : late;
		});
		expect(run.error?.message).toBe('There was no verdict within 10 seconds [item 0]');
		expect(run.error?.description).toContain(
			'no verdict yet: 1 (item 0); clean: 2 (item 1), 3 (item 2).',
		);
	});

	it.each([{ isTool: true }, { nodeType: 'n8n-nodes-content-scan.contentScanTool' }])(
		'returns the item after 45 seconds where an AI agent asks: %j',
		async (agent) => {
			const run = await runNode({ ...agent, parameters: waiting() }, unfinished(1));
			expect(run.json).toMatchObject([{ status: 'pending', clean: null }]);
			expect(run.clock.now()).toBe(1_700_000_000_000 + 45_000);
			const set = { ...agent, parameters: waiting({ waitTimeout: 60, onTimeout: 'error' }) };
			const failed = await runNode(set, unfinished(1));
			expect(failed.error?.message).toContain('within 60 seconds');
			// n8n hands an agent the message only.
			expect(failed.error?.message).toContain('no verdict yet: 1 (item 0)');
		},
	);

	it('returns the items, and tells why, where a gateway refuses the list', async () => {
		const parameters = waiting({ waitTimeout: 60, onTimeout: 'item', concurrency: 1 });
		const refused = serviceWith(() => new Refusal(403));
		const { json } = await runNode({ parameters, items: 2 }, refused);
		const note = expect.stringContaining('The last attempt to read the list failed');
		const ofScan = (scanId: string) => ({ scanId, status: 'pending', clean: null, note });
		expect(json).toMatchObject([ofScan('1'), ofScan('2')]);
	});

	it('says that no entry of the list matched', async () => {
		const run = await runNode(
			{ parameters: waiting({ waitTimeout: 10, onTimeout: 'item' }) },
			serviceWith(() => list({ id: 'other', ...finished })),
		);
		expect(run.json).toMatchObject([
			{ scanId: '1', status: 'pending', note: expect.stringContaining("has this scan's ID") },
		]);
	});

	it('says so where neither list nor Get know the submitted ID', async () => {
		const known = serviceWith(({ call }) =>
			call?.pathValues ? new Refusal(404) : list({ id: 'other', ...finished }),
		);
		const ended = await runNode({ parameters: waiting() }, known);
		expect(ended.error?.message).toBe(
			'The scan was submitted, but its verdict cannot be found [item 0]',
		);
		expect(ended.error?.description).toContain('Get does not find this ID either');
	});

	it('takes no scan for clean by its parts', async () => {
		const part = { id: 9, root_scan_id: 1, ...clean };
		const run = await runNode(
			{ parameters: waiting({ onTimeout: 'item', waitTimeout: 30 }) },
			serviceWith(() => list(part)),
		);
		expect(run.json).toMatchObject([
			{ status: 'pending', clean: null, verdict: null, note: expect.stringContaining('parts') },
		]);
		const harmful = await runNode(
			{ parameters: waiting() },
			serviceWith(() => list(part, { ...part, ...finished })),
		);
		expect(harmful.json).toMatchObject([
			{ scanId: '1', status: 'finished', verdict: 'malicious', clean: null },
		]);
	});

	it('says that a verdict is that of a part, though the scan itself was listed before', async () => {
		let lookups = 0;
		const part = { id: 9, root_scan_id: 1, ...finished };
		const run = await runNode(
			{ parameters: waiting() },
			serviceWith(() => list(++lookups === 1 ? { id: 1, finished_at: null } : part)),
		);
		expect(run.json).toMatchObject([
			{ scanId: '1', clean: null, note: 'The verdict is that of its most harmful part.' },
		]);
	});
});
