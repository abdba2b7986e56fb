import { Gaps } from '../../../../nodes/ContentScan/trigger/reading/gaps';

const DAY = 86_400;

/** Seconds that a service refused which answers one call in ten, one each half minute. */
function afterFlakyHours(count: number): Gaps {
	const gaps = new Gaps([], DAY);
	for (let at = 0; at < count; at++) {
		const start = at * 30;
		gaps.setAside({ start, end: start + 1, kind: 'new', showsNew: true }, start, start + 1);
	}
	return gaps;
}

it('gives up none of the seconds that are refused now and then in hours of trouble', () => {
	const gaps = afterFlakyHours(500);
	expect(gaps.takeExpired(500 * 30)).toEqual([]);
	expect(gaps.all).toHaveLength(500);
});

it('is bounded: of more, the oldest are given up', () => {
	const gaps = afterFlakyHours(502);
	expect(gaps.takeExpired(502 * 30).map(({ start }) => start)).toEqual([0, 30]);
	expect(JSON.stringify(gaps.all).length).toBeLessThan(50_000);
});
