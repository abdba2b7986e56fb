import { entryTime } from '../../../services/console/auditLogEntry';
import { parsedTime } from '../../../input/parsedTime';

const FIELDS = { idField: 'auditlogId', timestampField: 'createdAt' };
const NOON = Date.UTC(2026, 0, 31, 12);

describe('a time', () => {
	test.each([
		['2026-01-31T12:00:00.000Z', 0],
		['2026-01-31T12:00:00Z', 0],
		['2026-01-31t12:00z', 0],
		['2026-01-31T12:00:00.123456789Z', 123],
		['2026-01-31T12:00:00,5Z', 500],
		['2026-01-31 12:00:00.001', 1],
		['2026-01-31T14:00:00+02:00', 0],
		['2026-01-31T14:00:00+0200', 0],
		['2026-01-31T14:00:00+02', 0],
		['2026-01-31T07:30:00-04:30', 0],
		['2026-01-31', -12 * 3_600_000],
		[NOON / 1000, 0],
		[NOON / 1000 + 0.0015, 1],
		[NOON, 0],
		[NOON * 1000 + 999, 0],
		[NOON * 1e6, 0],
		[String(NOON), 0],
	])('%p is read', (value, difference) => {
		expect(parsedTime(value)).toBe(NOON + difference);
	});

	test('of the usual form is read on every day of the month', () => {
		for (let time = Date.UTC(2026, 0, 1, 1, 2, 3, 4); time < NOON; time += 86_400_000) {
			expect(parsedTime(new Date(time).toISOString())).toBe(time);
		}
	});

	test.each([
		[''],
		['2026-02-29T00:00:00.000Z'],
		['2026-02-00T00:00:00.000Z'],
		['2026-13-01T00:00:00.000Z'],
		['2026-01-10T25:00:00.000Z'],
		['2026-01-10T12:60:00.000Z'],
		['yesterday'],
		// Digits of a date, as 100 ns since 1601, as 100 ns since the year 1, and before 2001.
		[20260131120000],
		['20260131120000123'],
		['133823232000000000'],
		['638738784000000000'],
		[999999999],
		[1e21],
		['2026-02-30T00:00:00Z'],
		['2026-13-01'],
		['2026-01-31T25:00:00Z'],
		[`2026-01-31 (${'x'.repeat(100_000)})`],
		['12'],
		[0],
		[-5],
		[NaN],
		[Infinity],
		[null],
		[undefined],
		[true],
		[{}],
		[['2026-01-31']],
	])('%p is none', (value) => {
		expect(parsedTime(value)).toBeUndefined();
	});

	test('is read from a nested field, and from a field with a dot in its name', () => {
		const createdAt = '2026-01-31T12:00:00.000Z';
		const nested = { ...FIELDS, timestampField: 'meta.time' };
		expect(entryTime({ meta: { time: createdAt } }, nested)).toBe(NOON);
		expect(entryTime({ 'meta.time': createdAt }, nested)).toBe(NOON);
		expect(entryTime({ meta: null }, nested)).toBeUndefined();
	});

	test('before 1970 stands for none', () => {
		expect(entryTime({ createdAt: '0001-01-01T00:00:00Z' }, FIELDS)).toBeUndefined();
	});
});
