import { listedScans } from '../../../../nodes/ContentScan/methods/searchScans';
import { memoryHeldDuring } from '../../../support/transport/memory.cts';
import { allPages, editorList } from '../support/editorList';
import { Refusal, scanService } from '../support/fakeService';
import { NOW, oldestFirst, steady } from '../support/timedList';

const records = [
	{
		id: 1,
		full_scan_id: 'one_1',
		names: ['a.pdf', 'b.pdf'],
		created_at: '2026-11-01T08:00:00+02:00',
	},
	{
		id: 2,
		names: 'c.pdf',
		finished_at: '2026-11-01T08:00:09Z',
		verbose_verdict: 'MAL',
		created_at: '2026-11-01T09:00:00.123456Z',
	},
	{ id: 3, names: null, sample: { subject: 'Invoice', from_address: 'me@x' } },
	{ names: ['no id'] },
	{
		id: 4,
		finished_at: '2026-11-01T08:00:09Z',
		verbose_verdict: 'CLN',
		sample: { subject: 'Hello' },
	},
	{ id: 5, names: ['d.exe'], sample: { subject: null, from_address: null } },
];

describe('the list of scans in the editor', () => {
	it('names each by time, file or subject, sender and verdict, newest first', async () => {
		const { search, service } = editorList(() => ({ results: records }));
		expect((await search()).results).toStrictEqual([
			{ name: 'pending · d.exe', value: '5' },
			{ name: 'clean · Hello', value: '4' },
			{ name: 'pending · Invoice · me@x', value: '3' },
			{ name: '11-01 09:00:00Z · malicious · c.pdf', value: '2' },
			{ name: '11-01 08:00:00+02:00 · pending · a.pdf, b.pdf', value: 'one_1' },
		]);
		expect(service.sent[0].call?.query).toMatchObject({ start: NOW / 1000 - 86_400 });
		// Before the calls of a long run: somebody waits.
		expect(service.sent[0].context).toMatchObject({ deadline: NOW + 65_000, isUrgent: true });
	});

	it.each([
		[['CLN', 'MAL'], 'malicious'],
		[['MAL', 'CLN'], 'malicious'],
		[['CLN', undefined], 'pending'],
		[[undefined, 'CLN'], 'pending'],
	])('shows of records %j of one scan what Get would take: %s', async (codes, shown) => {
		const results = codes.map((code) => ({
			id: 7,
			...(code && { finished_at: '2026-11-01T08:00:09Z', verbose_verdict: code }),
		}));
		const { search } = editorList(() => ({ results }));
		expect((await search()).results).toStrictEqual([{ name: `${shown} · 7`, value: '7' }]);
	});

	it('is not stopped by an entry of which nothing can be shown', async () => {
		const odd = { toString: 1 };
		const strange = {
			id: 8,
			names: [odd, 'x.pdf'],
			created_at: odd,
			sample: { from_address: odd },
		};
		const nameless = { id: 9, names: odd, sample: { subject: odd } };
		const { search } = editorList(() => ({ results: [nameless, strange, records[1]] }));
		expect((await search()).results).toStrictEqual([
			{ name: '11-01 09:00:00Z · malicious · c.pdf', value: '2' },
			{ name: 'pending · x.pdf', value: '8' },
			{ name: 'pending · 9', value: '9' },
		]);
	});

	it.each([
		['124338', 'its short ID'],
		['ROOT-9', 'the ID of its root'],
		['2026-11-01', 'its day'],
		['2026-11-01T09:00:00.123456Z', 'its time, as the output has it'],
		['second@example', 'a recipient'],
		['@example.com', 'the end of recipients'],
		['雷', 'a letter of a recipient'],
		['Quarterly', 'its subject, though files have names'],
		['a.pdf malicious 11-01', 'words of it, in any order'],
	])('finds a scan by %s: %s', async (filter) => {
		const record = {
			...{ id: 124338, full_scan_id: 'long_1', root_scan_id: 'root-9', names: ['a.pdf'] },
			...{ created_at: '2026-11-01T09:00:00.123456Z', finished_at: '2026-11-01T09:00:05Z' },
			verbose_verdict: 'MAL',
			sample: {
				subject: 'Quarterly figures',
				to_addresses: ['first@example.com', 'second@example.com', '李雷@example.com'],
			},
		};
		const { search } = editorList(() => ({ results: [records[4], record] }));
		const { results } = await search({ filter });
		expect(results).toStrictEqual([
			{ name: '11-01 09:00:00Z · malicious · a.pdf', value: 'long_1' },
		]);
	});

	it('finds no number in the middle of an ID that is not shown', async () => {
		const { search } = editorList(() => ({
			results: [124338, 338124].map((id) => ({ id, names: ['a.pdf'] })),
		}));
		const { results } = await search({ filter: '338' });
		expect(results.map(({ value }) => value)).toStrictEqual(['338124']);
	});

	it('shows those first whose name has what was typed, as it was typed', async () => {
		const subjects = ['Message 641', '64 in another message', 'Message 7', 'Message 8'];
		const results = subjects.map((subject, n) => ({ id: [1, 2, 64, 4][n], sample: { subject } }));
		const { search } = editorList(() => ({ results }));
		const found = await search({ filter: 'Message 64' });
		expect(found.results.map(({ value }) => value)).toStrictEqual(['1', '2', '64']);
	});

	it('shows no scan as clean of which only a clean part is listed', async () => {
		const part = {
			...{ root_scan_id: 'root-1', names: ['a.pdf'], verbose_verdict: 'CLN' },
			...{ finished_at: '2026-11-01T09:00:05Z', sample: { subject: 'Invoice' } },
		};
		const { search } = editorList(() => ({ results: [part] }));
		const shown = [{ name: 'no verdict · a.pdf', value: 'root-1' }];
		expect((await search()).results).toStrictEqual(shown);
		expect((await search({ quarantine: true })).results).toStrictEqual(shown);
	});

	it('shows no ID that n8n would work out as an expression once it is chosen', async () => {
		const results = [{ id: ' ={{ $json.password }}', names: ['invoice.pdf'] }, records[4]];
		const { search } = editorList(() => ({ results }));
		expect((await search()).results.map(({ value }) => value)).toStrictEqual(['4']);
	});

	it('shows a name so that n8n does not work it out as an expression once it is chosen', async () => {
		const name = '={{ $env.PATH }}';
		const results = [
			{ id: 1, names: [name] },
			{ id: 2, sample: { subject: name } },
			{ id: 3, created_at: name },
		];
		const { search } = editorList(() => ({ results }));
		const { results: shown } = await search();
		expect(shown.map((item) => item.name)).toStrictEqual([
			`· ${name} · pending · 3`,
			`pending · ${name}`,
			`pending · ${name}`,
		]);
	});

	it.each([
		['B.PDF', ['one_1']],
		['malicious', ['2']],
		['one_', ['one_1']],
		[' 09:00', ['2']],
		['nothing', []],
	])('can be searched for %p', async (filter, values) => {
		const { search } = editorList(() => ({ results: records }));
		const { results } = await search({ filter });
		expect(results.map(({ value }) => value)).toStrictEqual(values);
	});

	it('shows for Release only what may be in quarantine: nothing clean, no mere file', async () => {
		const { search } = editorList(() => ({ results: records }));
		const { results } = await search({ quarantine: true });
		expect(results.map(({ value }) => value)).toStrictEqual(['3', '2', 'one_1']);
	});

	it('shows no more of a text than a list can show', async () => {
		const long = 'x'.repeat(4_000_000);
		const strange = { id: 8, names: [long, 'y'], created_at: long, sample: { from_address: long } };
		const { search } = editorList(() => ({ results: [strange, records[1]] }));
		const { results } = await search();
		const shown = `${'x'.repeat(200)}…`;
		expect(results[1]).toStrictEqual({
			name: `${shown} · pending · ${shown} · ${shown}`,
			value: '8',
		});
	});

	const keptLists = async (name: string, count: number, reply: (list: number) => unknown) => {
		let list = 0;
		const { service, clock, scans } = editorList(() => reply(list));
		const open = async (tokenKey: number) =>
			await listedScans({ ...scans, tokenKey: `${name} ${tokenKey}` }, clock, {});
		for (; list < count; list++) await open(list);
		return { service, open };
	};

	it('keeps nothing of a scan but what it shows', async () => {
		// Of its own, as what was read is: repeated text would share its parts.
		const long = (list: number) => Buffer.alloc(5_000_000, `long ${list}`).toString('latin1');
		const lists = async () =>
			await keptLists('long', 10, (list) => ({
				results: [
					{ id: 1, names: [long(list)], sample: { subject: long(list + 0.5) }, more: long(-list) },
				],
			}));
		const { held } = await memoryHeldDuring(lists);
		expect(held).toBeLessThan(60 * 1024 * 1024);
	});

	it('is kept of the ten that were opened last', async () => {
		const { service, open } = await keptLists('many', 11, () => ({ results: records }));
		expect(service.sent).toHaveLength(11);
		await open(1);
		expect(service.sent).toHaveLength(11);
		await open(0);
		expect(service.sent).toHaveLength(12);
	});

	it('is kept for a minute, by token and path', async () => {
		const { search, service, clock, scans } = editorList(() => ({ results: records }));
		for (const filter of ['a', 'ab', 'abc']) await search({ filter });
		expect(service.sent).toHaveLength(1);
		await listedScans({ ...scans, tokenKey: 'another' }, clock, {});
		expect(service.sent).toHaveLength(2);
		const { call } = scanService(service, { listScans: 'elsewhere' });
		await listedScans({ ...scans, call }, clock, {});
		expect(service.sent).toHaveLength(3);
		await clock.advance(60_000);
		await search();
		expect(service.sent).toHaveLength(4);
	});

	it('is asked for again after an error', async () => {
		let calls = 0;
		const { search } = editorList(() => (++calls === 1 ? new Refusal(503) : { results: records }));
		await expect(search()).rejects.toThrow('503');
		expect((await search()).results).toHaveLength(5);
	});

	it('searches each scan as it was read last', async () => {
		let verdict = {};
		const one = editorList(() => ({ results: [{ id: 7, names: ['x.pdf'], ...verdict }] }));
		const scans = { ...one.scans, tokenKey: 'changing' };
		const search = async (filter?: string) => await listedScans(scans, one.clock, { filter });
		expect((await search()).results).toStrictEqual([{ name: 'pending · x.pdf', value: '7' }]);
		verdict = { finished_at: '2026-11-01T08:00:09Z', verbose_verdict: 'MAL' };
		await one.clock.advance(60_000);
		expect((await search('x')).results).toStrictEqual([{ name: 'malicious · x.pdf', value: '7' }]);
		expect((await search('pending')).results).toStrictEqual([]);
	});

	it('is searched as far as it was loaded, however often the newest are read anew', async () => {
		const one = editorList(oldestFirst({ seconds: steady(60, 20_000) }));
		const scans = { ...one.scans, tokenKey: 'read anew' };
		const search = async (more = {}) => await listedScans(scans, one.clock, more);
		const { pages } = await allPages({ ...one, search }, 25);
		const loaded = pages.flat();
		expect(loaded.length).toBeGreaterThan(5000);
		for (let minute = 0; minute < 9; minute++) {
			await one.clock.advance(60_000);
			const { results } = await search({ filter: loaded.at(-1) });
			expect(results.map(({ value }) => value)).toContain(loaded.at(-1));
		}
	});

	it('shows nothing that was read more than ten minutes ago', async () => {
		let verdict = 'CLN';
		const list = oldestFirst({ seconds: steady(5) });
		const one = editorList((sent) => {
			const { results, ...more } = list(sent) as { results: object[] };
			const finished = { finished_at: '2023-11-01T08:00:09Z', verbose_verdict: verdict };
			return { ...more, results: results.map((record) => ({ ...record, ...finished })) };
		});
		const scans = { ...one.scans, tokenKey: 'old' };
		const search = async (more = {}) => await listedScans(scans, one.clock, more);
		const { pages } = await allPages({ ...one, search }, 3);
		verdict = 'MAL';
		for (let minute = 0; minute < 10; minute++) {
			await one.clock.advance(60_000);
			await search({ filter: 'anything' });
		}
		const { results } = await search({ filter: pages[1][0] });
		expect(results).toMatchObject([{ name: expect.stringContaining('malicious') as string }]);
	});

	it('is searched as far as it was loaded while the service fails', async () => {
		let fails = false;
		const list = oldestFirst({ seconds: steady(5) });
		const one = editorList((sent) => (fails ? new Refusal(503) : list(sent)));
		const scans = { ...one.scans, tokenKey: 'fails later' };
		const search = async (more = {}) => await listedScans(scans, one.clock, more);
		const { pages } = await allPages({ ...one, search }, 2);
		await one.clock.advance(60_000);
		fails = true;
		await expect(search()).rejects.toThrow('503');
		const { results } = await search({ filter: pages[1][0] });
		expect(results.map(({ value }) => value)).toStrictEqual([pages[1][0]]);
		await expect(search({ filter: 'what was not loaded' })).rejects.toThrow('503');
	});
});
