import { recentScans } from '../../nodes/ContentScan/searchScans';
import type { Sent } from './support/fakeService';
import { FakeService, scanService } from './support/fakeService';

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

	it('reads at most five pages', async () => {
		let page = 0;
		const endless = listing(() => ({ results: [{ id: ++page }], next: `https://s/${page}` }));
		expect(await recentScans(scanService(endless), '', NOW)).toHaveLength(5);
		expect(endless.sent).toHaveLength(5);
	});
});
