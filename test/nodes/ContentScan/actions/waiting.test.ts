import { NodeApiError } from 'n8n-workflow';
import type { NodeExecutionHint } from 'n8n-workflow';
import { node, Refusal } from '../support/fakeService';
import type { Sent } from '../support/fakeService';
import { describedPaths, runNode, scan } from '../support/runNode';

const finished = { finished_at: '2026-11-01T08:00:09Z', verbose_verdict: 'MAL' };
const clean = { finished_at: '2026-11-01T08:00:09Z', verbose_verdict: 'CLN' };
const list = (...results: object[]) => ({ results, next: null, has_more: false });

/** Accepts submissions as 1, 2, 3 …, and lists what the test says. */
function serviceWith(records: (sent: Sent) => unknown) {
	let last = 0;
	return (sent: Sent) => (sent.call?.method === 'POST' ? { scan_id: ++last } : records(sent));
}

const waiting = (options: object = {}, more: object = {}) =>
	scan('scanUrl', { url: 'x', options, ...more });

describe('a submission', () => {
	it('waits for its verdict with no option touched, in one shape', async () => {
		const record = { id: 1, full_scan_id: 'long', names: ['x'], ...finished };
		const run = await runNode(
			{ parameters: waiting() },
			serviceWith(() => list(record)),
		);
		expect(run.json).toStrictEqual([
			{
				scanId: 'long',
				status: 'finished',
				verdict: 'malicious',
				verdictCode: 'MAL',
				clean: false,
				createdAt: null,
				finishedAt: '2026-11-01T08:00:09Z',
				names: ['x'],
				sha256: null,
				from: null,
				submittedId: '1',
			},
		]);
	});

	it('gives answer and record as sent when it is not to be simplified', async () => {
		const record = { id: 1, ...clean, evidence: [{ a: 1 }] };
		const run = await runNode(
			{ parameters: waiting({}, { simplify: false }) },
			serviceWith(() => list(record)),
		);
		expect(run.json).toStrictEqual([
			{
				scanId: '1',
				status: 'finished',
				verdict: 'clean',
				verdictCode: 'CLN',
				clean: true,
				answer: { scan_id: 1 },
				scan: record,
			},
		]);
	});

	it('that does not wait says so in a hint', async () => {
		const hints: NodeExecutionHint[] = [];
		const parameters = waiting({}, { waitForVerdict: false });
		const run = await runNode(
			{ parameters, hints, items: 2 },
			serviceWith(() => list()),
		);
		expect(run.json).toMatchObject([{ status: 'submitted', clean: null }, { clean: null }]);
		expect(hints[0].message).toContain('2 scans submitted without waiting: there is no verdict');
		expect(run.sent).toHaveLength(2);
	});

	it('is not sent where the verdict could not be read: the path of the list is wrong', async () => {
		const paths = { ...describedPaths, listScans: 'https://elsewhere.example/' };
		const run = await runNode({ parameters: waiting() }, () => ({}), paths);
		expect(run.error?.message).toContain('List Scans');
		expect(run.sent).toHaveLength(0);
	});

	it('reads the list from shortly before the service’s own time', async () => {
		const run = await runNode(
			{ parameters: waiting() },
			serviceWith(() => list({ id: 1, ...finished })),
		);
		expect(run.sent[1].call?.query?.start).toBe(1_700_000_000 - 30);
	});

	it('reads the list from before its submission began, though that took a minute', async () => {
		const run = await runNode({ parameters: waiting() }, async (sent, clock) => {
			if (sent.call?.method === 'GET') return list({ id: 1, ...finished });
			await clock.sleep(60_000);
			return { scan_id: 1 };
		});
		expect(run.sent[1].call?.query?.start).toBe(1_700_000_000 - 30);
	});

	it('that waits does not keep other items from being submitted', async () => {
		const run = await runNode(
			{ parameters: waiting({ concurrency: 2, waitTimeout: 60, onTimeout: 'item' }), items: 30 },
			serviceWith(() => list()),
		);
		const firstLookup = run.sent.findIndex(({ call }) => call?.method === 'GET');
		expect(firstLookup).toBe(30);
		expect(run.json).toHaveLength(30);
	});
});

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
		},
	);

	it('says that no entry of the list matched', async () => {
		const run = await runNode(
			{ parameters: waiting({ waitTimeout: 10, onTimeout: 'item' }) },
			serviceWith(() => list({ id: 'other', ...finished })),
		);
		expect(run.json).toMatchObject([
			{ scanId: '1', status: 'pending', note: expect.stringContaining('has the ID 1') },
		]);
	});

	it('ends early where neither list nor Get know the submitted ID', async () => {
		const known = serviceWith(({ call }) =>
			call?.pathValues ? new Refusal(404) : list({ id: 'other', ...finished }),
		);
		const ended = await runNode({ parameters: waiting() }, known);
		expect(ended.error?.message).toBe(
			'The scan was submitted, but its verdict cannot be found [item 0]',
		);
		expect(ended.error?.description).toContain('Get does not find this ID either');
		expect(ended.clock.now()).toBeLessThan(1_700_000_000_000 + 120_000);
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

describe('an error after the submission', () => {
	it('keeps the ID when the token is revoked in the middle', async () => {
		const run = await runNode(
			{ parameters: waiting(), items: 2, onError: 'continueRegularOutput' },
			serviceWith(() => new Refusal(401)),
		);
		expect(run.items).toMatchObject([
			{
				json: {
					error: expect.stringContaining('read the verdict'),
					scanId: '1',
					clean: null,
					details: { scanId: '1', submittedId: '1', httpCode: '401' },
				},
				pairedItem: { item: 0 },
			},
			{ json: { scanId: '2' }, pairedItem: { item: 1 } },
		]);
	});

	it('keeps the ID in the details for n8n’s error output', async () => {
		const run = await runNode(
			{ parameters: waiting(), onError: 'continueErrorOutput' },
			serviceWith(() => new Refusal(401)),
		);
		expect(Object.keys(run.json[0])).toStrictEqual(['error', 'details']);
		expect(run.json[0].details).toMatchObject({ scanId: '1' });
	});

	it('shows no secret of an item: not that of its submission, nor of the lookup for all', async () => {
		const parameters = (item: number) =>
			waiting({ callbackHeaders: `{ "X-Secret": "secret ${item}" }` });
		const run = await runNode(
			{ parameters, items: 2 },
			serviceWith(() => list({ id: 1, ...clean }, { id: 2, ...clean })),
		);
		const secrets = run.sent.map(({ context }) => context.secrets);
		expect(secrets[0]).toContain('secret 0');
		expect(secrets[2]).toEqual(expect.arrayContaining(['secret 0', 'secret 1']));
	});

	it('names in the error of a canceled run the scans that were submitted', async () => {
		const cancel = new AbortController();
		let submissions = 0;
		const run = await runNode(
			{ parameters: waiting(), items: 3, signal: cancel.signal },
			(sent) => {
				if (sent.call?.method !== 'POST') return list();
				if (++submissions < 3) return { scan_id: submissions };
				cancel.abort();
				throw new NodeApiError(node, {}, { message: 'it was on its way' });
			},
		);
		expect(run.error?.description).toContain('no verdict yet: 1 (item 0), 2 (item 1)');
		expect(run.error?.message).toContain('it was on its way');
	});
});

describe('what an earlier scan left in the item', () => {
	const json = { clean: true, verdict: 'clean', scanId: 'old', ticket: 5, from: 'me' };

	it('gives way to the result, and goes on only where the input is included', async () => {
		const answer = serviceWith(() => list({ id: 1, ...finished }));
		const without = await runNode({ parameters: waiting(), json }, answer);
		expect(without.json[0]).not.toHaveProperty('ticket');
		const run = await runNode(
			{ parameters: waiting({ includeInput: true }), json },
			serviceWith(() => list({ id: 1, ...finished })),
		);
		expect(run.json).toMatchObject([{ ticket: 5, clean: false, scanId: '1', from: null }]);
	});

	it('is in no error', async () => {
		const refuse = () => new Refusal(400);
		const parameters = waiting({ includeInput: true });
		const regular = await runNode({ parameters, json, onError: 'continueRegularOutput' }, refuse);
		expect(regular.json).toMatchObject([{ ticket: 5, clean: null, verdict: null }]);
		expect(regular.json[0]).not.toHaveProperty('scanId');
		const output = await runNode({ parameters, json, onError: 'continueErrorOutput' }, refuse);
		// As a number: n8n would lay the fields of a paired item below the error.
		expect(output.items?.[0].pairedItem).toBe(0);
	});
});
