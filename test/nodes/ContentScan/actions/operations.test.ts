import { Refusal } from '../support/fakeService';
import type { Sent } from '../support/fakeService';
import { describedPaths, runNode, scan } from '../support/runNode';

const record = {
	id: 7,
	full_scan_id: '007_1',
	finished_at: '2026-11-01T08:00:09Z',
	verbose_verdict: 'SPM',
};

describe('Get', () => {
	it('reads one scan, simplified', async () => {
		const answer = { ...record, full_scan_id: 'a/b' };
		const run = await runNode({ parameters: scan('get', { scanId: 'a/b' }) }, () => answer);
		expect(run.json).toMatchObject([{ scanId: 'a/b', status: 'finished', verdict: 'spam' }]);
		expect(run.sent[0].call).toMatchObject({
			method: 'GET',
			path: '/api/v1/scans/list/{scanId}/',
			pathValues: { scanId: 'a/b' },
			idempotent: true,
		});
	});

	it.each(['007_2', '9'])(
		'takes no scan without the ID %s for the one that was asked for',
		async (scanId) => {
			const answer = { ...record, id: null, verbose_verdict: 'CLN' };
			const note = expect.stringContaining('does not bear this ID');
			const operations = [
				scan('get', { scanId }),
				{ resource: 'email', operation: 'release', scanId, options: { readBack: true } },
			];
			for (const parameters of operations) {
				const run = await runNode({ parameters }, () => answer);
				expect(run.json).toMatchObject([{ scanId, status: 'finished', clean: null, note }]);
			}
		},
	);

	it('looks an ID that is not known up in the list, back from now', async () => {
		const reply = ({ call }: Sent) => {
			if (call?.pathValues) return new Refusal(404);
			return { results: Number(call?.query?.start) < 1_699_999_000 ? [record] : [] };
		};
		const parameters = scan('get', { scanId: '7' });
		const run = await runNode({ parameters }, reply);
		expect(run.json).toMatchObject([{ scanId: '007_1', verdict: 'spam', clean: false }]);
		const seconds = run.clock.now() / 1000;
		expect(run.sent.slice(1).map(({ call }) => call?.query)).toStrictEqual([
			{ start: seconds - 600, end: undefined, limit: 100 },
			{ start: seconds - 3600, end: seconds - 601, limit: 100 },
		]);
	});

	it.each([400, 403, 500])('does not search the list after a %d', async (status) => {
		const run = await runNode(
			{ parameters: scan('get', { scanId: '7' }) },
			() => new Refusal(status),
		);
		expect(run.error).toMatchObject({ httpCode: String(status) });
		expect(run.sent).toHaveLength(1);
	});

	it('searches the list with five calls at most, for all items together', async () => {
		let page = 0;
		const reply = ({ call }: Sent) =>
			call?.pathValues
				? new Refusal(404)
				: { results: [{ id: `p${++page}` }], next: `https://s/?page=${page}` };
		const parameters = (index: number) => scan('get', { scanId: `${index}` });
		const input = { parameters, items: 20, onError: 'continueRegularOutput' as const };
		const run = await runNode(input, reply);
		expect(run.sent).toHaveLength(25);
		expect(run.json[19]).toMatchObject({
			error: expect.stringContaining('(404)'),
			details: { description: expect.stringContaining('too long to search to the end') },
		});
	});

	it('says that an ID is not in the list of the last 24 hours either, its parts do not count', async () => {
		const part = {
			id: 1,
			root_scan_id: 7,
			finished_at: '2026-11-01T08:00:09Z',
			verbose_verdict: 'CLN',
		};
		const reply = ({ call }: Sent) => (call?.pathValues ? new Refusal(404) : { results: [part] });
		const run = await runNode({ parameters: scan('get', { scanId: '7' }) }, reply);
		expect(run.error).toMatchObject({ httpCode: '404' });
		expect(run.error?.description).toContain('last 24 hours does not have it either');
		const starts = run.sent.slice(1).map(({ call }) => Number(call?.query?.start));
		const seconds = run.clock.now() / 1000;
		expect(starts).toStrictEqual([600, 3600, 86_400].map((reach) => seconds - reach));
	});

	it.each(['CLN first', 'MAL first'])(
		'takes the worst of a list that says two things of a scan: %s',
		async (order) => {
			const finished = { id: 7, finished_at: '2026-11-01T08:00:09Z' };
			const two = ['CLN', 'MAL'].map((verbose_verdict) => ({ ...finished, verbose_verdict }));
			const results = order === 'CLN first' ? two : two.reverse();
			const reply = ({ call }: Sent) => (call?.pathValues ? new Refusal(404) : { results });
			const run = await runNode({ parameters: scan('get', { scanId: '7' }) }, reply);
			expect(run.json).toMatchObject([{ scanId: '7', verdict: 'malicious', clean: false }]);
		},
	);

	it('takes a part that answers for a scan for no proof that it is clean', async () => {
		const part = {
			id: 1,
			root_scan_id: 7,
			finished_at: '2026-11-01T08:00:09Z',
			verbose_verdict: 'CLN',
		};
		const run = await runNode({ parameters: scan('get', { scanId: '7' }) }, () => part);
		expect(run.json).toMatchObject([{ clean: null, note: expect.stringContaining('a part of') }]);
	});

	it('gives the record as sent when it is not to be simplified', async () => {
		const parameters = scan('get', { scanId: { mode: 'id', value: 7 }, simplify: false });
		expect((await runNode({ parameters }, () => record)).json).toStrictEqual([
			{
				...{
					scanId: '007_1',
					status: 'finished',
					verdict: 'spam',
					verdictCode: 'SPM',
					clean: false,
				},
				scan: record,
			},
		]);
	});

	it.each(['', ' ', '.', '..', null])('refuses the id %p', async (scanId) => {
		const run = await runNode({ parameters: scan('get', { scanId }) }, () => record);
		expect(run.error).toMatchObject({ name: 'NodeOperationError', context: { itemIndex: 0 } });
		expect(run.error?.message).toContain("'Scan' ID");
		expect(run.sent).toHaveLength(0);
	});

	it.each([undefined, [], 'x', 5])('refuses the answer %p', async (answer) => {
		const run = await runNode({ parameters: scan('get', { scanId: '7' }) }, () => answer);
		expect(run.error?.message).toContain('there is no scan');
	});
});

describe('Get Many', () => {
	/** Pages of three scans each, of which there are so many. */
	const pages = (count: number) => (sent: Sent) => {
		const page = Number(/page=(\d+)/.exec(sent.address ?? '')?.[1] ?? 0);
		const results = [0, 1, 2].map((index) => ({ id: page * 3 + index }));
		return { results, next: page + 1 < count ? `https://s/?page=${page + 1}` : null };
	};
	const many = (parameters: object) => scan('getAll', { simplify: false, ...parameters });

	it('stops at the limit', async () => {
		const run = await runNode({ parameters: many({ limit: 4 }) }, pages(9));
		expect(run.json.map((json) => json.scan)).toStrictEqual([0, 1, 2, 3].map((id) => ({ id })));
		expect(run.sent).toHaveLength(2);
		expect(run.sent[0].call?.query).toMatchObject({ limit: 4 });
	});

	it('asks for no further page when the limit ends with one', async () => {
		const run = await runNode({ parameters: many({ limit: 3 }) }, pages(9));
		expect(run.sent).toHaveLength(1);
	});

	it('returns all, each paired with its item', async () => {
		const run = await runNode({ parameters: many({ returnAll: true }), items: 2 }, pages(3));
		expect(run.json).toHaveLength(18);
		expect(run.items?.map(({ pairedItem }) => pairedItem)).toStrictEqual([
			...Array(9).fill({ item: 0 }),
			...Array(9).fill({ item: 1 }),
		]);
		expect(run.sent[0].call?.query).toMatchObject({ limit: 100 });
	});

	it('ends where has_more is false, though there is a next', async () => {
		const reply = () => ({ results: [{ id: 1 }], next: 'https://s/?page=2', has_more: false });
		const run = await runNode({ parameters: many({ returnAll: true }) }, reply);
		expect(run.json).toHaveLength(1);
	});

	it('follows an empty page', async () => {
		const reply = (sent: Sent) =>
			sent.address ? { results: [{ id: 1 }] } : { results: [], next: 'https://s/?page=2' };
		const run = await runNode({ parameters: many({ returnAll: true }) }, reply);
		expect(run.json).toMatchObject([{ scanId: '1', clean: null, scan: { id: 1 } }]);
	});

	it.each([
		['a circle', () => ({ results: [{ id: 1 }], next: 'https://s/?page=1' }), "'next' leads in a"],
		[
			'an endless row of empty pages',
			({ address = '' }: Sent) => ({ results: [], next: `${address || 'https://s/?'}x` }),
			'50 empty pages',
		],
	])('does not follow %s', async (_, reply, message) => {
		const run = await runNode({ parameters: many({ returnAll: true }) }, reply);
		expect(run.error?.message).toContain(message);
	});

	it.each([{}, { results: null }, { results: [1] }, [], 'x', undefined])(
		'refuses the answer %j',
		async (answer) => {
			const run = await runNode({ parameters: many({}) }, () => answer);
			expect(run.error?.message).toContain("there is no list 'results'");
		},
	);

	it.each([0, -1, 1.5, NaN, 'many', null])('refuses the limit %p', async (limit) => {
		const run = await runNode({ parameters: many({ limit }) }, pages(1));
		expect(run.error?.message).toContain("'Limit' must be a whole number");
	});

	it('takes a huge limit and a limit that is text', async () => {
		expect((await runNode({ parameters: many({ limit: 1e9 }) }, pages(2))).json).toHaveLength(6);
		expect((await runNode({ parameters: many({ limit: '2' }) }, pages(2))).json).toHaveLength(2);
	});

	it('sends the documented filters', async () => {
		const filters = {
			start: '2026-11-01T09:00:00.500',
			end: '2026-11-01T08:00:00.500Z',
			origin: 'api',
			verdict: 'malicious',
			organizationId: 5,
			handleStatus: 'open',
			subject: 'Invoice',
			originalMessageId: '<1@x>',
		};
		const run = await runNode({ parameters: many({ filters }) }, pages(1));
		// Berlin is one hour ahead of UTC in November; both bounds are rounded outwards.
		expect(run.sent[0].call?.query).toStrictEqual({
			start: Date.UTC(2026, 10, 1, 8) / 1000,
			end: Date.UTC(2026, 10, 1, 8) / 1000 + 1,
			origin: 'api',
			verbose_verdict: 'MAL',
			organization_id: '5',
			handle_status: 'open',
			'search_descendants.subject': 'Invoice',
			'search_descendants.original_message_id': '<1@x>',
			limit: 50,
		});
	});

	it.each([1762000000, '1762000000', 1762000000000, '1762000000000'])(
		'takes the time %p as seconds or milliseconds since 1970',
		async (start) => {
			const run = await runNode({ parameters: many({ filters: { start } }) }, pages(1));
			expect(run.sent[0].call?.query).toMatchObject({ start: 1762000000 });
		},
	);

	it.each([
		[{ subject: { text: 'x' } }, "'Email Subject' is an object, not text"],
		[{ start: 'yesterday' }, "'Created After' is not a date"],
		[{ start: 17 }, "'Created After' is not a date"],
		[{ start: '08:00' }, "'Created After' is not a date"],
		[{ start: '11/01/2026' }, "'Created After' is not a date"],
		[{ start: '2026-02-30' }, "'Created After' is not a date"],
		[{ end: '2026-13-01' }, "'Created Before' is not a date"],
		[{ start: '2026-11-02', end: '2026-11-01' }, "'Created After' is later than"],
		[{ verdict: 'bad' }, '\'Verdict\' "bad" is not known'],
	])('refuses the filters %j', async (filters, message) => {
		const run = await runNode({ parameters: many({ filters }) }, pages(1));
		expect(run.error?.message).toContain(message);
		expect(run.sent).toHaveLength(0);
	});
});

describe('an operation with an effect', () => {
	const change = (parameters: object = {}) =>
		scan('changeVerdict', { scanId: '7', verdict: 'clean', reason: 'a "b"', ...parameters });
	const release = (parameters: object = {}) => ({
		resource: 'email',
		operation: 'release',
		scanId: '7',
		...parameters,
	});

	const unknown = {
		scanId: '7',
		status: null,
		verdict: null,
		verdictCode: null,
		clean: null,
		createdAt: null,
		finishedAt: null,
		names: null,
		sha256: null,
		from: null,
	};

	it.each([
		...[false, 'false', 'FALSE ', 0, '0', 'no', 'failed', '', null].map((success) => ({ success })),
		{ error: 'refused' },
		{ success: true, error: { code: 5 } },
		{ data: { success: false } },
		{ success: true, data: { success: 'no' } },
		{ status: 'failed' },
		{ status: ' Error', success: true },
	])('fails where the answer says %p', async (answer) => {
		for (const parameters of [change(), release()]) {
			const run = await runNode({ parameters }, () => ({ ...answer, reason: 'not in quarantine' }));
			expect(run.error?.message).toContain('the scanning service reports a failure [item 0]');
			expect(run.error?.description).toContain('not in quarantine');
			expect(run.error?.description).not.toContain('carried out');
		}
	});

	it('fails where the whole answer is false', async () => {
		const run = await runNode({ parameters: release() }, () => false);
		expect(run.error?.message).toContain('reports a failure');
	});

	it.each([
		{ success: { toString: 1 } },
		{ success: 'Email released' },
		{ error: null },
		{ status: 0, data: {} },
		{ status: 'no errors', data: [{ success: false }] },
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
