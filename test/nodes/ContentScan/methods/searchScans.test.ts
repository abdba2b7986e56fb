import { listedScans } from '../../../../nodes/ContentScan/methods/searchScans';
import { FakeClock } from '../../../support/fakeClock.cts';
import type { Sent } from '../support/fakeService';
import { FakeService, Refusal, scanService } from '../support/fakeService';

const NOW = 1_700_000_000_000;

const records = [
	{ id: 1, full_scan_id: 'one_1', names: ['a.pdf', 'b.pdf'], created_at: '08:00' },
	{
		id: 2,
		names: 'c.pdf',
		finished_at: '2026-11-01T08:00:09Z',
		verbose_verdict: 'MAL',
		created_at: '09:00',
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
			{ name: 'd.exe · pending', value: '5' },
			{ name: 'Hello · clean', value: '4' },
			{ name: 'Invoice · me@x · pending', value: '3' },
			{ name: '09:00 · c.pdf · malicious', value: '2' },
			{ name: '08:00 · a.pdf, b.pdf · pending', value: 'one_1' },
		]);
		expect(service.sent[0].call?.query).toMatchObject({ start: NOW / 1000 - 86_400 });
		expect(service.sent[0].context.deadline).toBe(NOW + 30_000);
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
			{ name: '09:00 · c.pdf · malicious', value: '2' },
			{ name: 'x.pdf · pending', value: '8' },
			{ name: '9 · pending', value: '9' },
		]);
	});

	it('shows no ID that n8n would work out as an expression once it is chosen', async () => {
		const results = [{ id: ' ={{ $json.password }}', names: ['invoice.pdf'] }, records[4]];
		const { search } = listing(() => ({ results }));
		expect((await search()).results.map(({ value }) => value)).toStrictEqual(['4']);
	});

	it.each([
		['B.PDF', ['one_1']],
		['malicious', ['2']],
		['one_', ['one_1']],
		[' 09:00 ', ['2']],
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
			name: `${shown} · ${shown} · ${shown} · pending`,
			value: '8',
		});
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

	it('begins with the newest where a page does not hold them all, and shows more on demand', async () => {
		// A scan each minute, the newest last; the first page ends long before it.
		const { search, service } = listing(({ call }) => {
			const { start, end = NOW / 1000 } = call?.query as { start: number; end?: number };
			const count = Math.floor((end - start) / 60) + 1;
			const ids = Array.from({ length: Math.min(count, 100) }, (_, n) => ({ id: start + n * 60 }));
			return { results: ids, ...(count > 400 && { next: 'https://s/?page=2' }) };
		});
		const first = await search();
		expect(first.results[0].value).toBe(String(NOW / 1000));
		expect(first.results).toHaveLength(11);
		expect(service.sent).toHaveLength(2);
		const second = await search({ paginationToken: first.paginationToken });
		expect(second.results).toHaveLength(50);
		expect(service.sent[2].call?.query).toMatchObject({
			start: NOW / 1000 - 3600,
			end: NOW / 1000 - 601,
		});
	});

	it('reads at most five pages at a time', async () => {
		let page = 0;
		const { search, service } = listing(() => ({
			results: [{ id: ++page }],
			next: `https://s/?page=${page}`,
		}));
		expect((await search()).results).toHaveLength(4);
		expect(service.sent).toHaveLength(5);
	});
});
