import { placeInList } from '../../../../nodes/ContentScan/verdict/placeInList';

const answer = (headers: Record<string, string>, tookMs = 0) => ({
	status: 200,
	headers,
	body: {},
	bytes: 0,
	tookMs,
});

const NOW = Date.parse('2026-11-01T12:00:00Z');
const MINUTE = 60_000;

describe('the list is read for a scan', () => {
	it('from half a minute before the answer, by the clock of the service', () => {
		const wrongClock = NOW + 24 * 60 * MINUTE;
		const date = 'Sun, 01 Nov 2026 12:00:00 GMT';
		expect(placeInList(answer({ date }), wrongClock).listFrom).toBe(NOW - MINUTE / 2);
	});

	it('by the earlier clock, where the two are minutes apart: the header may be of a machine in between', () => {
		const date = 'Sun, 01 Nov 2026 12:05:00 GMT';
		expect(placeInList(answer({ date }), NOW)).toStrictEqual({
			listFrom: NOW - MINUTE / 2,
			listTo: NOW + 7 * MINUTE,
		});
		const later = NOW + 10 * MINUTE;
		expect(placeInList(answer({ date }), later).listFrom).toBe(NOW + 4.5 * MINUTE);
	});

	it('from before a long submission began until two minutes after its answer', () => {
		const date = 'Sun, 01 Nov 2026 12:00:00 GMT';
		expect(placeInList(answer({ date }, 5 * MINUTE), NOW)).toStrictEqual({
			listFrom: NOW - 5.5 * MINUTE,
			listTo: NOW + 2 * MINUTE,
		});
	});

	it.each<Record<string, string>>([
		{},
		{ date: 'today' },
		{ date: 'Tue, 01 Nov 2022 12:00:00 GMT' },
		{ date: 'Fri, 01 Nov 2030 12:00:00 GMT' },
	])(
		'from ten minutes before to ten minutes after, where there is no date, or none that can be true: %j',
		(headers) => {
			expect(placeInList(answer(headers, MINUTE), NOW)).toStrictEqual({
				listFrom: NOW - 11 * MINUTE,
				listTo: NOW + 10 * MINUTE,
			});
		},
	);
});
