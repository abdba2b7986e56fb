import { testEventScans } from '../../../../nodes/ContentScan/trigger/testEventScans';
import { listBudget } from '../../../../services/scanning/listBudget';
import { FakeClock } from '../../../support/fakeClock.cts';
import { FakeService, Refusal, scanService } from '../support/fakeService';
import type { Listing } from '../support/timedList';
import { NOW, oldestFirst, SECOND_NOW, steady } from '../support/timedList';

const VERDICTS = ['malicious', 'suspicious', 'restricted', 'spam', 'clean', 'other'];

it('shows what it has found when a later call fails', async () => {
	const clock = new FakeClock();
	const scan = { id: 7, finished_at: '2026-01-01T00:00:00Z', verbose_verdict: 'MAL' };
	let calls = 0;
	const service = new FakeService(({ call }) =>
		call?.query?.verbose_verdict === 'MAL' && ++calls <= 2
			? { results: [scan] }
			: new Refusal(0, 'noAnswer'),
	);
	const scans = scanService(service);
	const budget = listBudget(scans, 'trigger', clock, new Map());
	const list = { scans, budget, filters: {}, clock, deadline: 60_000 };
	expect(await testEventScans(list, VERDICTS)).toEqual([scan]);
	await expect(testEventScans(list, VERDICTS)).rejects.toThrow();
});

/** An hour and a half without any, and a scan a second before that. */
const evening = steady(60, 20_000, 5400);

it.each<[string, Listing]>([
	['20 a minute, where windows of 1,000 are refused', { seconds: steady(20, 20_000), most: 999 }],
	['60 a minute, where windows of 1,000 are refused', { seconds: steady(60, 20_000), most: 999 }],
	['a busy evening, an hour and a half ago', { seconds: evening }],
	['such an evening, where windows of 1,000 are refused', { seconds: evening, most: 999 }],
	['such an evening, without counts', { seconds: evening, count: false }],
])('finds the newest of %s', async (_, listing) => {
	const { seconds } = listing;
	const list = oldestFirst(listing);
	const service = new FakeService((sent) => {
		const reply = list(sent);
		if (reply instanceof Refusal) return reply;
		const { results, ...more } = reply as { results: Array<{ created_at: string }> };
		const finished = { finished_at: '2023-11-01T00:00:00Z', verbose_verdict: 'CLN' };
		return { ...more, results: results.map((record) => ({ ...record, ...finished })) };
	});
	const clock = new FakeClock({ start: NOW });
	const scans = scanService(service);
	const budget = listBudget(scans, 'trigger', clock, new Map());
	const polled = { scans, budget, filters: {}, clock, deadline: NOW + 60_000 };
	const newest = Array.from({ length: 10 }, (_, n) => String(seconds.length - 1 - n));
	for (const verdicts of [[], ['clean']]) {
		const found = await testEventScans(polled, verdicts);
		expect(found.map(({ id }) => id)).toEqual(newest);
	}
});

it.each([
	['400', ['clean']],
	['500', ['malicious', 'clean']],
])(
	'says that it could not look further back where that was answered with %s',
	async (code, verdicts) => {
		const ofTwoHoursAgo = SECOND_NOW - 7200;
		const service = new FakeService(({ call }) =>
			Number(call?.query?.start) <= ofTwoHoursAgo ? new Refusal(Number(code)) : { results: [] },
		);
		const clock = new FakeClock({ start: NOW });
		const scans = scanService(service);
		const budget = listBudget(scans, 'trigger', clock, new Map());
		const polled = { scans, budget, filters: {}, clock, deadline: NOW + 60_000 };
		await expect(testEventScans(polled, verdicts)).rejects.toMatchObject({
			httpCode: code,
			description: expect.stringMatching(
				/^No such scan was created since 2023-11-14T20:\d\d:\d\dZ\. What is before could not be read\./,
			) as string,
		});
		expect(service.sent.length).toBeLessThanOrEqual(10 * verdicts.length);
	},
);

it('tells the error of a service that refuses every window', async () => {
	const clock = new FakeClock({ start: NOW });
	const scans = scanService(new FakeService(() => new Refusal(400)));
	const budget = listBudget(scans, 'trigger', clock, new Map());
	const polled = { scans, budget, filters: {}, clock, deadline: NOW + 60_000 };
	await expect(testEventScans(polled, [])).rejects.toThrow('400');
});

it('takes 50 requests at most, with all verdicts selected and a list that shows nothing of use', async () => {
	const clock = new FakeClock();
	let pages = 0;
	const service = new FakeService(() => ({
		results: [{ id: ++pages, created_at: '2026-01-01T00:00:00Z' }],
		next: `?_cursor=${pages}`,
	}));
	const scans = scanService(service);
	const budget = listBudget(scans, 'trigger', clock, new Map());
	const list = { scans, budget, filters: {}, clock, deadline: 60_000 };
	expect(await testEventScans(list, VERDICTS)).toEqual([]);
	expect(service.sent.length).toBeGreaterThan(20);
	expect(service.sent.length).toBeLessThanOrEqual(50);
});

it.each([
	[{ id: 7, createdAt: '2026-01-01T00:00:00Z', verboseVerdict: 'MAL' }, "'created_at'"],
	[{ scan: { id: 7, verbose_verdict: 'MAL' } }, "'created_at'"],
	[{ id: 7, finished_at: '2026-01-01T00:00:00Z', verdict: 'MAL' }, "finished scans has 'verb"],
])('says which fields it misses in %j', async (scan, missing) => {
	const clock = new FakeClock();
	const scans = scanService(new FakeService(() => ({ results: [scan] })));
	const budget = listBudget(scans, 'trigger', clock, new Map());
	const list = { scans, budget, filters: {}, clock, deadline: 60_000 };
	await expect(testEventScans(list, [])).rejects.toThrow(missing);
});

it('is not misled by one finished scan whose verdict is left out', async () => {
	const clock = new FakeClock();
	const created = (id: number) => ({ id, created_at: '2026-01-01T00:00:00Z' });
	const finished = { ...created(1), finished_at: '2026-01-01T00:00:01Z' };
	let looks = 0;
	const scans = scanService(
		new FakeService(() => ({
			results: ++looks === 1 ? [finished] : [finished, { ...created(2), verbose_verdict: 'CLN' }],
		})),
	);
	const budget = listBudget(scans, 'trigger', clock, new Map());
	const list = { scans, budget, filters: {}, clock, deadline: 60_000 };
	expect(await testEventScans(list, ['malicious'])).toEqual([]);
});

it('is not misled by pending scans either, where the verdict has another name', async () => {
	const clock = new FakeClock();
	const pending = { id: 1, created_at: '2026-01-01T00:00:00Z' };
	const finished = { id: 2, finished_at: '2026-01-01T00:00:01Z', verdict: 'MAL' };
	let looks = 0;
	const scans = scanService(
		new FakeService(() => ({ results: ++looks === 1 ? [pending] : [pending, finished] })),
	);
	const budget = listBudget(scans, 'trigger', clock, new Map());
	const list = { scans, budget, filters: {}, clock, deadline: 60_000 };
	await expect(testEventScans(list, [])).rejects.toThrow("'verbose_verdict'");
});

it('picks the newest of as many scans as a page may hold', async () => {
	const clock = new FakeClock();
	const all = Array.from({ length: 20_000 }, (_, id) => ({
		...{ id: id + 1, finished_at: 1_767_225_600, verbose_verdict: 'MAL' },
		created_at: new Date(1_767_225_600_000 + id).toISOString(),
	}));
	const scans = scanService(new FakeService(() => ({ results: all })));
	const budget = listBudget(scans, 'trigger', clock, new Map());
	const list = { scans, budget, filters: {}, clock, deadline: 60_000 };
	const newest = await testEventScans(list, []);
	expect(newest.map(({ id }) => id)).toEqual(Array.from({ length: 10 }, (_, at) => 20_000 - at));
});

it.each([
	[['MAL', 'CLN'], ['MAL']],
	[['CLN', 'MAL'], ['MAL']],
	[['CLN', undefined], []],
	[[undefined, 'CLN'], []],
])('of records %j of one scan it shows what the trigger would take: %j', async (codes, shown) => {
	const clock = new FakeClock();
	const created = { id: 7, created_at: '2026-01-01T00:00:00Z' };
	const results = codes.map((code) => ({
		...created,
		...(code && { finished_at: '2026-01-01T00:00:09Z', verbose_verdict: code }),
	}));
	const scans = scanService(new FakeService(() => ({ results })));
	const budget = listBudget(scans, 'trigger', clock, new Map());
	const list = { scans, budget, filters: {}, clock, deadline: 60_000 };
	for (const verdicts of [[], ['malicious', 'clean']]) {
		const found = await testEventScans(list, verdicts);
		expect(found.map(({ verbose_verdict }) => verbose_verdict)).toEqual(shown);
	}
});
