import { Refusal } from '../support/fakeService';
import type { Sent } from '../support/fakeService';
import { runNode, scan } from '../support/runNode';

const record = {
	id: 7,
	full_scan_id: '007_1',
	finished_at: '2026-11-01T08:00:09Z',
	verbose_verdict: 'SPM',
};

describe('Get', () => {
	it('reads one scan, simplified', async () => {
		const answer = { ...record, full_scan_id: 'a 5' };
		const run = await runNode({ parameters: scan('get', { scanId: 'a 5' }) }, () => answer);
		expect(run.json).toMatchObject([{ scanId: 'a 5', status: 'finished', verdict: 'spam' }]);
		expect(run.sent[0].call).toMatchObject({
			method: 'GET',
			path: '/api/v1/scans/list/{scanId}/',
			pathValues: { scanId: 'a 5' },
			idempotent: true,
		});
	});

	it.each(['007_2', '9'])(
		'takes no scan without the ID %s for the one that was asked for',
		async (scanId) => {
			const answer = { ...record, id: null, verbose_verdict: 'CLN' };
			const note = expect.stringContaining('does not have this ID');
			const operations = [
				scan('get', { scanId }),
				{ resource: 'email', operation: 'release', scanId, options: { readBack: true } },
			];
			for (const parameters of operations) {
				const run = await runNode({ parameters }, () => answer);
				expect(run.json).toMatchObject([
					{ scanId, status: null, verdict: null, clean: null, note },
				]);
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
			{ start: seconds - 30, end: undefined, limit: 100 },
			{ start: seconds - 1830, end: seconds - 30, limit: 100 },
		]);
	});

	it.each([30, 1830])(
		'finds a scan that was created %d and a half seconds ago, where a window ends with the beginning of its last second',
		async (secondsAgo) => {
			const created = 1_700_000_000 - secondsAgo - 0.5;
			const reply = ({ call }: Sent) => {
				if (call?.pathValues) return new Refusal(404);
				const { start, end = Infinity } = call?.query as { start: number; end?: number };
				return { results: start <= created && created <= end ? [record] : [] };
			};
			const run = await runNode({ parameters: scan('get', { scanId: '7' }) }, reply);
			expect(run.json).toMatchObject([{ scanId: '007_1', verdict: 'spam' }]);
		},
	);

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
		// A list that hangs must not hold up what Get has answered.
		const ofList = run.sent.filter(({ call }) => !call?.pathValues);
		expect(ofList.map(({ context }) => context.answerWithinMs)).toStrictEqual(
			Array.from({ length: 5 }, () => 20_000),
		);
		expect(run.json[19]).toMatchObject({
			error: expect.stringContaining('(404)'),
			details: { description: expect.stringContaining('could not be searched to its end') },
		});
	});

	it('searches the list again for the next ID after a failure', async () => {
		let lists = 0;
		const reply = ({ call }: Sent) => {
			if (call?.pathValues) return new Refusal(404);
			return ++lists === 1 ? new Refusal(500) : { results: [record] };
		};
		const parameters = scan('get', { scanId: '007_1' });
		const input = { parameters, items: 2, onError: 'continueRegularOutput' as const };
		const { json } = await runNode(input, reply);
		expect(json).toMatchObject([
			{ error: expect.stringContaining('(404)') },
			{ scanId: '007_1', status: 'finished' },
		]);
	});

	it.each([
		[500, undefined, 5],
		[0, 'noAnswer', 1],
	] as const)(
		'says of each ID that the list cannot be searched (%i, %p)',
		async (status, kind, calls) => {
			const reply = ({ call }: Sent) =>
				call?.pathValues ? new Refusal(404) : new Refusal(status, kind);
			const parameters = (index: number) => scan('get', { scanId: `${index}` });
			const input = { parameters, items: 8, onError: 'continueRegularOutput' as const };
			const { json, sent } = await runNode(input, reply);
			// A list that is silent is not waited for again and again.
			expect(sent.filter(({ call }) => !call?.pathValues)).toHaveLength(calls);
			const told = json.map(({ details }) => (details as { description: string }).description);
			expect(told.filter((text) => !text.includes('Searching the list for it failed'))).toEqual([]);
		},
	);

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
		expect(starts).toStrictEqual([30, 1830, 86_400].map((reach) => seconds - reach));
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

	it.each([
		[{ detail: 'Not found.' }, 'Not found.'],
		[{ error: 'no license' }, 'no license'],
		['Not allowed', 'Not allowed'],
	])('quotes what the service says in place of a scan: %j', async (answer, said) => {
		const run = await runNode({ parameters: scan('get', { scanId: '7' }) }, () => answer);
		expect(run.error?.message).toContain('there is no scan');
		expect(run.error?.description).toContain(said);
	});

	it('takes a record of a failed scan for what it is', async () => {
		const answer = { id: 7, status: 'FAILED', error: 'engine crashed' };
		const run = await runNode({ parameters: scan('get', { scanId: '7' }) }, () => answer);
		expect(run.json).toMatchObject([{ scanId: '7', status: 'pending', clean: null }]);
	});

	it.each([undefined, [], 'x', 5])('refuses the answer %p', async (answer) => {
		const run = await runNode({ parameters: scan('get', { scanId: '7' }) }, () => answer);
		expect(run.error?.message).toContain('there is no scan');
	});
});
