import { lookWindows, shorterSpan } from '../../nodes/ContentScan/verdictLook';

const at = (...seconds: number[]) =>
	seconds.map((second) => ({ scanId: `s${second}`, listFrom: second * 1000 + 999 }));

describe('the windows of a look', () => {
	it('are one without an end, from the earliest scan on, at first', () => {
		expect(lookWindows(at(50, 10, 900), undefined)).toStrictEqual([
			{ start: 10, end: undefined, ids: new Set(['s10', 's50', 's900']) },
		]);
	});

	it('cover every scan and the time until it is listed, and nothing in between', () => {
		expect(lookWindows(at(0, 59, 60, 5000), 60)).toStrictEqual([
			{ start: 0, end: 180, ids: new Set(['s0', 's59']) },
			{ start: 60, end: 240, ids: new Set(['s60']) },
			{ start: 5000, end: 5180, ids: new Set(['s5000']) },
		]);
	});

	it('become shorter down to a minute', () => {
		const spans = [undefined, 900, 450, 100, 60].map(shorterSpan);
		expect(spans).toStrictEqual([900, 450, 225, 60, 60]);
	});
});
