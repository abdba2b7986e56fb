import { retryAfterMs } from '../../../transport/errors/retryAfter';

const NOW = Date.parse('2026-06-15T12:00:00Z');
const DAY = 24 * 60 * 60 * 1000;

it.each([
	['0', 0],
	['1', 1000],
	[' 30 ', 30_000],
	['1.5', 1500],
	['0.0004', 1],
	['86400', DAY],
	['9999999', DAY],
	['Mon, 15 Jun 2026 12:00:10 GMT', 10_000],
	['Monday, 15-Jun-26 12:00:10 GMT', 10_000],
	['Mon Jun 15 12:00:10 2026 GMT', 10_000],
	['Mon Jun 15 12:00:10 2026', 10_000],
	['2026-06-15T12:00:10Z', 10_000],
	['2026-06-15T14:00:10+02:00', 10_000],
	['2026-06-15T12:00:10', 10_000],
	['Mon, 15 Jun 2026 11:00:00 GMT', 0],
	['Thu, 31 Dec 2099 00:00:00 GMT', DAY],
])('%j is %d ms', (header, ms) => {
	expect(retryAfterMs(header, NOW)).toBe(ms);
});

it.each([
	undefined,
	'',
	' ',
	'-5',
	'+5',
	'soon',
	'5 minutes',
	'NaN',
	'Infinity',
	'1e3',
	'0x10',
	'Mon',
	'Mon, 99 Foo 2026',
	'1,2',
	'null',
	'[object Object]',
	'1781524802',
	'1781524802000',
	'9'.repeat(400),
])('%j says nothing', (header) => {
	expect(retryAfterMs(header, NOW)).toBeUndefined();
});
