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

it('joins seconds that follow on each other before it gives up any', () => {
	const hours = { start: 0, end: 7200, showsNew: true, since: 8000, checked: 8000 };
	const gaps = new Gaps([hours], DAY);
	const from = 10_000;
	for (let start = from; start < from + 1200; start++) {
		gaps.put({ start, end: start + 1, showsNew: start < from + 600, since: start, checked: start });
	}
	expect(gaps.takeExpired(12_000)).toEqual([]);
	expect(gaps.all.length).toBeLessThanOrEqual(500);
	expect(gaps.all[0]).toEqual(hours);
	const [, ...joined] = gaps.all;
	for (const [at, gap] of joined.entries()) {
		expect(gap.start).toBe(at === 0 ? from : joined[at - 1].end);
		expect(gap.showsNew).toBe(gap.end <= from + 600);
		// As long ago as the one that was tried first, and as late as the one that was refused last.
		expect([gap.checked, gap.since]).toEqual([gap.start, gap.end - 1]);
	}
	expect(joined.at(-1)?.end).toBe(from + 1200);
});
