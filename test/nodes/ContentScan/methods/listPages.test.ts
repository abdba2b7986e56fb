import type { INodeListSearchResult } from 'n8n-workflow';
import { listedScans } from '../../../../nodes/ContentScan/methods/searchScans';
import { FakeClock } from '../../../support/fakeClock.cts';
import { allPages, editorList } from '../support/editorList';
import type { Sent } from '../support/fakeService';
import { FakeService, Refusal, scanService } from '../support/fakeService';
import type { Listing } from '../support/timedList';
import { DAY, NOW, oldestFirst, SECOND_NOW, steady } from '../support/timedList';

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
		const { pages, calls } = await allPages(editorList(oldestFirst(list)));
		expect(pages.flat()).toStrictEqual(newestFirst(list.seconds.length));
		// Up to ten more where five show nothing.
		expect(Math.max(...calls)).toBeLessThanOrEqual(15);
	});

	it('show each scan, though some twice, where neither its time nor the count is told', async () => {
		const seconds = steady(60, 10_000);
		const list = oldestFirst({ seconds, count: false, createdAt: false });
		const { pages, calls } = await allPages(editorList(list));
		expect([...new Set(pages.flat())]).toStrictEqual(newestFirst(seconds.length));
		expect(Math.max(...calls)).toBeLessThanOrEqual(5);
	});

	it.each<[string, Partial<Listing>]>([
		['count', {}],
		['time', { count: false }],
		['refusals', { most: 999 }],
	])('begin with the newest of 2,000 a minute, by %s', async (_, list) => {
		const seconds = busiest;
		const { pages, calls } = await allPages(editorList(oldestFirst({ seconds, ...list })), 3);
		const all = pages.flat();
		expect(all).toStrictEqual(newestFirst(all.length, seconds.length));
		expect(pages[0].length).toBeGreaterThan(20);
		expect(Math.max(...calls)).toBeLessThanOrEqual(5);
	});

	it.each([3, -3])(
		'show each scan where its time is %d h ahead, as local times are',
		async (hours) => {
			const list = oldestFirst({ seconds: steady(60, 8000) });
			const { pages } = await allPages(
				editorList((sent) => {
					const { results, ...more } = list(sent) as { results: Array<{ created_at: string }> };
					const local = (time: string) =>
						new Date(Date.parse(time) + hours * 3_600_000).toISOString().slice(0, -1);
					const shifted = results.map((one) => ({ ...one, created_at: local(one.created_at) }));
					return { ...more, results: shifted };
				}),
			);
			expect(new Set(pages.flat())).toEqual(new Set(newestFirst(8000)));
		},
	);

	it('begin with the newest of a day that ended with a quiet night', async () => {
		const seconds = steady(2.5, DAY, 50_400);
		const { pages, calls } = await allPages(editorList(oldestFirst({ seconds })), 1);
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
		const { search, ...one } = editorList(mostlyClean);
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
		const one = editorList(oldestFirst({ seconds: steady(1) }));
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
		const one = editorList(oldestFirst({ seconds: steady(5) }));
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
		const one = editorList((sent) =>
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
		const one = editorList(oldestFirst({ seconds: steady(5) }));
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
		const one = editorList(oldestFirst({ seconds: busiest }));
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
		const { pages, calls } = await allPages(editorList(oldestFirst({ seconds })));
		expect(pages.flat()).toStrictEqual([...newestFirst(500, 2499), ...newestFirst(1999)]);
		expect(Math.max(...calls)).toBe(15);
	});

	/** A list of which one moment, ten minutes ago, is never answered for. */
	async function openedWithSilence(seconds: number[]) {
		const clock = new FakeClock({ start: NOW });
		const list = oldestFirst({ seconds });
		const { search } = editorList(async (sent) => {
			const { start, end = Infinity } = sent.call!.query!;
			const hangsAt = SECOND_NOW - 601;
			if (hangsAt < Number(start) || hangsAt > Number(end)) return list(sent);
			await clock.sleep(sent.context.answerWithinMs!);
			return new Refusal(0, 'noAnswer');
		}, clock);
		const [opened] = await Promise.all([Promise.allSettled([search()]), clock.run()]);
		expect(clock.now()).toBeLessThanOrEqual(NOW + 65_000);
		return opened[0];
	}

	it('show what is newer than a moment for which the service never answers', async () => {
		const opened = await openedWithSilence(steady(1));
		const { results } = (opened as PromiseFulfilledResult<INodeListSearchResult>).value;
		const shown = results.map(({ value }) => value);
		expect(shown.length).toBeGreaterThanOrEqual(5);
		expect(shown).toStrictEqual(newestFirst(1440).slice(0, shown.length));
	});

	it('show what is newer than a moment whose record is not JSON', async () => {
		const list = oldestFirst({ seconds: steady(1) });
		const { search } = editorList((sent) => {
			const { start, end = Infinity } = sent.call!.query!;
			const isBeside = SECOND_NOW - 601 < Number(start) || SECOND_NOW - 601 > Number(end);
			return isBeside ? list(sent) : new Refusal(200, 'notJson');
		});
		const shown = (await search()).results.map(({ value }) => value);
		expect(shown.length).toBeGreaterThan(0);
		expect(shown).toStrictEqual(newestFirst(1440).slice(0, shown.length));
	});

	it('say so where nothing is newer than such a moment', async () => {
		expect(await openedWithSilence(steady(1, DAY, 660))).toMatchObject({ status: 'rejected' });
	});

	it('end with the error of a service that refuses every window', async () => {
		const { search, service } = editorList(() => new Refusal(400));
		await expect(search()).rejects.toThrow('400');
		expect(service.sent).toHaveLength(5);
	});
});
