import { listedScans } from '../../../../nodes/ContentScan/methods/searchScans';
import { memoryHeldDuring } from '../../../support/transport/memory.cts';
import { FakeClock } from '../../../support/fakeClock.cts';
import type { Sent } from '../support/fakeService';
import { FakeService, Refusal, scanService } from '../support/fakeService';
import type { Listing } from '../support/timedList';
import { DAY, NOW, oldestFirst, SECOND_NOW, steady } from '../support/timedList';

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

const listing = (reply: (sent: Sent) => unknown) => {
	const service = new FakeService(reply);
	const clock = new FakeClock({ start: NOW });
	const scans = scanService(service);
	return {
		...{ service, clock, scans },
		search: async (search = {}) => await listedScans(scans, clock, search),
	};
};

describe('the list of scans in the editor', () => {
	it('names each by time, file or subject, sender and verdict, newest first', async () => {
		const { search, service } = listing(() => ({ results: records }));
		expect((await search()).results).toStrictEqual([
			{ name: 'pending · d.exe', value: '5' },
			{ name: 'clean · Hello', value: '4' },
			{ name: 'pending · Invoice · me@x', value: '3' },
			{ name: '09:00:00Z · malicious · c.pdf', value: '2' },
			{ name: '08:00:00+02:00 · pending · a.pdf, b.pdf', value: 'one_1' },
		]);
		expect(service.sent[0].call?.query).toMatchObject({ start: NOW / 1000 - 86_400 });
		expect(service.sent[0].context.deadline).toBe(NOW + 30_000);
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
		const { search } = listing(() => ({ results }));
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
		const { search } = listing(() => ({ results: [nameless, strange, records[1]] }));
		expect((await search()).results).toStrictEqual([
			{ name: '09:00:00Z · malicious · c.pdf', value: '2' },
			{ name: 'pending · x.pdf', value: '8' },
			{ name: 'pending · 9', value: '9' },
		]);
	});

	it('shows no ID that n8n would work out as an expression once it is chosen', async () => {
		const results = [{ id: ' ={{ $json.password }}', names: ['invoice.pdf'] }, records[4]];
		const { search } = listing(() => ({ results }));
		expect((await search()).results.map(({ value }) => value)).toStrictEqual(['4']);
	});

	it('shows a name so that n8n does not work it out as an expression once it is chosen', async () => {
		const name = '={{ $env.PATH }}';
		const results = [
			{ id: 1, names: [name] },
			{ id: 2, sample: { subject: name } },
			{ id: 3, created_at: name },
		];
		const { search } = listing(() => ({ results }));
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
		const { search } = listing(() => ({ results: records }));
		const { results } = await search({ filter });
		expect(results.map(({ value }) => value)).toStrictEqual(values);
	});

	it('shows for Release only what may be in quarantine: nothing clean, no mere file', async () => {
		const { search } = listing(() => ({ results: records }));
		const { results } = await search({ quarantine: true });
		expect(results.map(({ value }) => value)).toStrictEqual(['3', '2', 'one_1']);
	});

	it('shows no more of a text than a list can show', async () => {
		const long = 'x'.repeat(4_000_000);
		const strange = { id: 8, names: [long, 'y'], created_at: long, sample: { from_address: long } };
		const { search } = listing(() => ({ results: [strange, records[1]] }));
		const { results } = await search();
		const shown = `${'x'.repeat(200)}…`;
		expect(results[1]).toStrictEqual({
			name: `${shown} · pending · ${shown} · ${shown}`,
			value: '8',
		});
	});

	const keptLists = async (name: string, count: number, reply: (list: number) => unknown) => {
		let list = 0;
		const { service, clock, scans } = listing(() => reply(list));
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
		const { search, service, clock, scans } = listing(() => ({ results: records }));
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
		const { search } = listing(() => (++calls === 1 ? new Refusal(503) : { results: records }));
		await expect(search()).rejects.toThrow('503');
		expect((await search()).results).toHaveLength(5);
	});

	it('searches each scan as it was read last', async () => {
		let verdict = {};
		const one = listing(() => ({ results: [{ id: 7, names: ['x.pdf'], ...verdict }] }));
		const scans = { ...one.scans, tokenKey: 'changing' };
		const search = async (filter?: string) => await listedScans(scans, one.clock, { filter });
		expect((await search()).results).toStrictEqual([{ name: 'pending · x.pdf', value: '7' }]);
		verdict = { finished_at: '2026-11-01T08:00:09Z', verbose_verdict: 'MAL' };
		await one.clock.advance(60_000);
		expect((await search('x')).results).toStrictEqual([{ name: 'malicious · x.pdf', value: '7' }]);
		expect((await search('pending')).results).toStrictEqual([]);
	});

	it('is searched as far as it was loaded while the service fails', async () => {
		let fails = false;
		const list = oldestFirst({ seconds: steady(5) });
		const one = listing((sent) => (fails ? new Refusal(503) : list(sent)));
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

/** All pages as the editor asks for them, and the calls that each took. */
async function allPages({ search, service }: ReturnType<typeof listing>, most = Infinity) {
	const pages: string[][] = [];
	const calls: number[] = [];
	let paginationToken: string | undefined;
	do {
		const before = service.sent.length;
		const page = await search({ paginationToken });
		pages.push(page.results.map(({ value }) => String(value)));
		calls.push(service.sent.length - before);
		({ paginationToken } = page);
	} while (paginationToken !== undefined && pages.length < most);
	return { pages, calls };
}

const newestFirst = (length: number, from = length) =>
	Array.from({ length }, (_, n) => String(from - 1 - n));

/** Bursts of a thousand, ten minutes apart, and nothing between them. */
const bursty = Array.from({ length: 36 }, (_, n) =>
	steady(3000, (36 - n) * 600, (36 - n) * 600 - 20),
).flat();
const busiest = steady(2000);
const nightly = [...steady(1, DAY, 40_000), ...steady(2000, 40_000, 39_700), ...steady(1, 39_700)];
/** 3,000 in ten hours, then five and a half without any. */
const office = steady(5, 55_800, 19_800);

describe('the pages of the list of scans in the editor', () => {
	it.each<[string, Listing]>([
		['1 a minute', { seconds: steady(1) }],
		['5 a minute', { seconds: steady(5) }],
		['60 a minute', { seconds: steady(60, 20_000) }],
		['200 a minute', { seconds: steady(200, 6000) }],
		['2,000 a minute', { seconds: steady(2000, 1000) }],
		['bursts', { seconds: bursty }],
		['a nightly batch', { seconds: nightly }],
		['a quiet night', { seconds: steady(2.5, DAY, 50_400) }],
		['a quiet night after 20 a minute', { seconds: steady(20, DAY, 50_400) }],
		['pages of 20', { seconds: steady(20), largest: 20 }],
		['refused from 1000 on', { seconds: steady(60, 10_000), most: 999 }],
		['no count', { seconds: steady(60, 10_000), count: false }],
		['no count, in bursts', { seconds: bursty, count: false }],
		['windows without their last second', { seconds: steady(200, 6000), endsAtBeginning: true }],
		['a quiet night, and refused from 1000 on', { seconds: office, most: 999 }],
	])('show each scan of the day once, newest first, with few calls each: %s', async (_, list) => {
		const { pages, calls } = await allPages(listing(oldestFirst(list)));
		expect(pages.flat()).toStrictEqual(newestFirst(list.seconds.length));
		// Up to ten more where five show nothing.
		expect(Math.max(...calls)).toBeLessThanOrEqual(15);
	});

	it('show each scan, though some twice, where neither its time nor the count is told', async () => {
		const seconds = steady(60, 10_000);
		const list = oldestFirst({ seconds, count: false, createdAt: false });
		const { pages, calls } = await allPages(listing(list));
		expect([...new Set(pages.flat())]).toStrictEqual(newestFirst(seconds.length));
		expect(Math.max(...calls)).toBeLessThanOrEqual(5);
	});

	it.each<[string, Partial<Listing>]>([
		['count', {}],
		['time', { count: false }],
		['refusals', { most: 999 }],
	])('begin with the newest of 2,000 a minute, by %s', async (_, list) => {
		const seconds = busiest;
		const { pages, calls } = await allPages(listing(oldestFirst({ seconds, ...list })), 3);
		const all = pages.flat();
		expect(all).toStrictEqual(newestFirst(all.length, seconds.length));
		expect(pages[0].length).toBeGreaterThan(20);
		expect(Math.max(...calls)).toBeLessThanOrEqual(5);
	});

	it('begin with the newest of a day that ended with a quiet night', async () => {
		const seconds = steady(2.5, DAY, 50_400);
		const { pages, calls } = await allPages(listing(oldestFirst({ seconds })), 1);
		expect(pages[0].length).toBeGreaterThan(20);
		expect(calls[0]).toBeLessThanOrEqual(5);
	});

	it('go on for Release until they hold 20 that may be in quarantine, or five calls are made', async () => {
		const seconds = steady(20, 30_000);
		const list = oldestFirst({ seconds });
		const clean = { finished_at: '2026-11-01T08:00:09Z', verbose_verdict: 'CLN' };
		const mostlyClean = (sent: Sent) => {
			const page = list(sent) as { results: Array<{ id: string }> };
			const results = page.results.map((scan) => ({
				...scan,
				...(Number(scan.id) % 40 !== 0 && clean),
			}));
			return { ...page, results };
		};
		const { search, ...one } = listing(mostlyClean);
		const release = async (page = {}) => await search({ ...page, quarantine: true });
		const { pages, calls } = await allPages({ ...one, search: release });
		expect(pages.flat()).toStrictEqual(newestFirst(seconds.length / 40).map((n) => `${+n * 40}`));
		expect(Math.max(...calls)).toBeLessThanOrEqual(5);
		for (const [at, page] of pages.slice(0, -1).entries()) {
			expect(page.length >= 20 || calls[at] === 5).toBe(true);
		}
		expect(pages.length).toBeLessThan(30);
	});

	it('go on where nothing that was loaded is what is searched for', async () => {
		const one = listing(oldestFirst({ seconds: steady(1) }));
		const scans = { ...one.scans, tokenKey: 'not loaded' };
		const search = async (more = {}) => await listedScans(scans, one.clock, more);
		await search();
		for (const wanted of ['900', '500']) {
			const calls = one.service.sent.length;
			const { results } = await search({ filter: ` ${wanted}` });
			expect(results.map(({ value }) => value)).toStrictEqual([wanted]);
			expect(one.service.sent.length - calls).toBeLessThanOrEqual(10);
		}
		const calls = one.service.sent.length;
		for (const filter of ['nothing', 'nothing like that']) {
			expect((await search({ filter })).results).toStrictEqual([]);
		}
		// All of the day was read once.
		expect(one.service.sent.length - calls).toBeLessThanOrEqual(10);
		expect((await search({ filter: 'nothing' })).paginationToken).toBeUndefined();
	});

	it.each([
		['at once', 0],
		['after five minutes', 5],
	])('are all searched once they were scrolled to: %s', async (_, minutes) => {
		const one = listing(oldestFirst({ seconds: steady(5) }));
		const scans = { ...one.scans, tokenKey: `scrolled ${minutes}` };
		const search = async (more = {}) => await listedScans(scans, one.clock, more);
		const { pages } = await allPages({ ...one, search }, 15);
		await one.clock.advance(minutes * 60_000);
		const calls = one.service.sent.length;
		for (const page of pages) {
			const { results } = await search({ filter: ` · ${page[5]} ` });
			expect(results.map(({ value }) => value)).toStrictEqual([page[5]]);
		}
		const { results, paginationToken } = await search({ filter: '·' });
		expect(results.map(({ value }) => value)).toStrictEqual(pages.flat());
		// What is new by now is searched, too.
		expect(one.service.sent.length - calls).toBeLessThanOrEqual(minutes);
		const [next] = (await search({ filter: '·', paginationToken })).results;
		expect(next.value).toBe(String(Number(pages.flat().at(-1)) - 1));
	});

	it('are read between what is new and what was scrolled to, where a search finds nothing', async () => {
		const all = steady(60, 3000, -300);
		const clock = new FakeClock({ start: NOW });
		const one = listing((sent) =>
			oldestFirst({ seconds: all.filter((second) => second * 1000 <= clock.now()) })(sent),
		);
		const scans = { ...one.scans, tokenKey: 'between' };
		const search = async (more = {}) => await listedScans(scans, clock, more);
		const { pages } = await allPages({ ...one, search }, 2);
		await clock.advance(300_000);
		const { results } = await search({ filter: ` · ${Number(pages[0][0]) + 5}` });
		expect(results.map(({ value }) => value)).toStrictEqual([String(Number(pages[0][0]) + 5)]);
	});

	it('are all searched though somebody else has opened the list since', async () => {
		const one = listing(oldestFirst({ seconds: steady(5) }));
		const scans = { ...one.scans, tokenKey: 'of two' };
		const search = async (more = {}) => await listedScans(scans, one.clock, more);
		const { pages } = await allPages({ ...one, search }, 15);
		await one.clock.advance(61_000);
		const { paginationToken } = await search();
		await search({ paginationToken });
		const { results } = await search({ filter: ` · ${pages[14][3]}` });
		expect(results.map(({ value }) => value)).toStrictEqual([pages[14][3]]);
	});

	it('are searched as far as they are kept: 10,000 scans', async () => {
		const one = listing(oldestFirst({ seconds: busiest }));
		const scans = { ...one.scans, tokenKey: 'very many' };
		const search = async (more = {}) => await listedScans(scans, one.clock, more);
		const { pages } = await allPages({ ...one, search }, 40);
		expect(pages.flat().length).toBeGreaterThan(11_000);
		const { results } = await search({ filter: '·' });
		const found = results.map(({ value }) => value);
		expect(found).toStrictEqual(pages.flat().slice(0, found.length));
		expect(found.length).toBeGreaterThan(9000);
		expect(found.length).toBeLessThanOrEqual(10_000);
		const calls = one.service.sent.length;
		const [next] = (await search({ filter: ` · ${pages.flat()[found.length]}` })).results;
		expect(next.value).toBe(pages.flat()[found.length]);
		expect(one.service.sent.length - calls).toBeLessThanOrEqual(10);
	});

	it('miss nothing where the clock of n8n is slow', async () => {
		const seconds = steady(200, 2000, -300);
		const serviceTime = new Date(NOW + 300_000).toUTCString();
		const service = new FakeService(oldestFirst({ seconds }), () => serviceTime);
		const scans = scanService(service);
		const clock = new FakeClock({ start: NOW });
		const search = async (one = {}) => await listedScans(scans, clock, one);
		const { pages } = await allPages({ service, clock, scans, search });
		expect(pages.flat()).toStrictEqual(newestFirst(seconds.length));
	});

	it('go on with the next second where one has more than the calls can read', async () => {
		const seconds = [...steady(60, 2000, 1), ...Array.from({ length: 700 }, () => SECOND_NOW)];
		const { pages, calls } = await allPages(listing(oldestFirst({ seconds })));
		expect(pages.flat()).toStrictEqual([...newestFirst(500, 2499), ...newestFirst(1999)]);
		expect(Math.max(...calls)).toBe(15);
	});

	it('end with the error of a service that refuses every window', async () => {
		const { search, service } = listing(() => new Refusal(400));
		await expect(search()).rejects.toThrow('400');
		expect(service.sent).toHaveLength(5);
	});
});
