import { recentScans } from '../../../../nodes/ContentScan/methods/searchScans';
import type { Sent } from '../support/fakeService';
import { FakeService, scanService } from '../support/fakeService';

const NOW = 1_700_000_000_000;

const records = [
	{ id: 1, full_scan_id: 'one_1', names: ['a.pdf', 'b.pdf'], created_at: '08:00' },
	{ id: 2, names: 'c.pdf', finished_at: 'x', verbose_verdict: 'MAL', created_at: '09:00' },
	{ id: 3, names: null },
	{ names: ['no id'] },
];

const listing = (reply: (sent: Sent) => unknown) => new FakeService(reply);

describe('the list of scans in the editor', () => {
	const service = () => listing(() => ({ results: records }));

	it('names each by file, verdict and time, newest first', async () => {
		const sent = service();
		expect(await recentScans(scanService(sent), '', NOW)).toStrictEqual([
			{ name: '3 · pending', value: '3' },
			{ name: 'c.pdf · malicious · 09:00', value: '2' },
			{ name: 'a.pdf, b.pdf · pending · 08:00', value: 'one_1' },
		]);
		expect(sent.sent[0].call?.query).toMatchObject({ start: NOW / 1000 - 86_400 });
		expect(sent.sent[0].context.deadline).toBe(NOW + 30_000);
	});

	it.each([
		['B.PDF', ['one_1']],
		['malicious', ['2']],
		['one_', ['one_1']],
		[' 09:00 ', ['2']],
		['nothing', []],
	])('can be searched for %p', async (filter, values) => {
		const found = await recentScans(scanService(service()), filter, NOW);
		expect(found.map(({ value }) => value)).toStrictEqual(values);
	});

	it('begins with the newest where a page does not hold them all', async () => {
		// A scan each minute, the newest last; the first page ends long before it.
		const busy = listing(({ call, address }) => {
			if (address) throw new Error('only the whole day takes more than a page');
			const { start, end = NOW / 1000 } = call?.query as { start: number; end?: number };
			const count = Math.floor((end - start) / 60) + 1;
			const ids = Array.from({ length: Math.min(count, 100) }, (_, n) => ({ id: start + n * 60 }));
			return { results: ids, ...(count > 400 && { next: 'https://s/2' }) };
		});
		const found = await recentScans(scanService(busy), '', NOW);
		const hour = Array.from({ length: 60 }, (_, minute) => String(NOW / 1000 - minute * 60));
		expect(found.slice(0, 60).map(({ value }) => value)).toStrictEqual(hour);
		expect(busy.sent.map(({ call }) => call?.query?.end)).toStrictEqual([
			undefined,
			undefined,
			NOW / 1000 - 601,
			NOW / 1000 - 3601,
			NOW / 1000 - 21_601,
		]);
	});

	it('reads at most five pages', async () => {
		let page = 0;
		const endless = listing(() => ({ results: [{ id: ++page }], next: `https://s/?page=${page}` }));
		expect(await recentScans(scanService(endless), '', NOW)).toHaveLength(4);
		expect(endless.sent).toHaveLength(5);
	});
});
