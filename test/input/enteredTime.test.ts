import { enteredTime, isNoTime } from '../../input/enteredTime';

const iso = (value: unknown, zone = 'Europe/Berlin') =>
	new Date(enteredTime(value, 'Since', zone)).toISOString();

describe('a time that a user entered', () => {
	test.each([
		['2026-01-31T12:00:00', '2026-01-31T11:00:00.000Z'],
		['2026-07-31T12:00:00', '2026-07-31T10:00:00.000Z'],
		['2026-07-31 12:00', '2026-07-31T10:00:00.000Z'],
		[' 2026-07-31 ', '2026-07-30T22:00:00.000Z'],
	])('without an offset, %p is meant in the time zone of the workflow', (value, expected) => {
		expect(iso(value)).toBe(expected);
	});

	test.each([
		['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
		['2026-01-31T12:00:00.123+01:00', '2026-01-31T11:00:00.123Z'],
		['2026-01-31T12:00:00+01', '2026-01-31T11:00:00.000Z'],
		['1769860800', '2026-01-31T12:00:00.000Z'],
	])('with an offset or as a number, %p means what it says', (value, expected) => {
		expect(iso(value)).toBe(expected);
	});

	test('around the change of the clocks, follows them', () => {
		expect(iso('2026-03-29T01:59:59')).toBe('2026-03-29T00:59:59.000Z');
		expect(iso('2026-03-29T03:00:00')).toBe('2026-03-29T01:00:00.000Z');
		expect(iso('2026-10-25T03:00:00')).toBe('2026-10-25T02:00:00.000Z');
		expect(iso('2026-03-08T03:30:00', 'America/New_York')).toBe('2026-03-08T07:30:00.000Z');
	});

	it.each([
		['Europe/Berlin', '2026-10-25T02:30:00', '2026-10-25T00:30:00.000Z'],
		['America/New_York', '2026-11-01T01:30:00', '2026-11-01T05:30:00.000Z'],
		['Australia/Lord_Howe', '2026-04-05T01:45:00', '2026-04-04T14:45:00.000Z'],
	])('is the first of two that clocks in %s show, since they are set back', (zone, wall, utc) => {
		expect(iso(wall, zone)).toBe(utc);
	});

	it('is after the change where clocks are set forward, and never show it', () => {
		expect(iso('2026-03-29T02:30:00')).toBe('2026-03-29T01:30:00.000Z');
		expect(iso('2026-01-01T00:00:00', 'Asia/Kolkata')).toBe('2025-12-31T18:30:00.000Z');
	});

	test('may come from an expression', () => {
		expect(iso(new Date(0))).toBe('1970-01-01T00:00:00.000Z');
		expect(iso({ toMillis: () => 5 })).toBe('1970-01-01T00:00:00.005Z');
		expect(iso(1769860800000)).toBe('2026-01-31T12:00:00.000Z');
	});

	test.each([
		[''],
		['soon'],
		['08:00'],
		['12'],
		['11/01/2026'],
		[17],
		[[2026]],
		[{}],
		[null],
		[true],
		['2026-02-30T00:00:00'],
		['2016-12-31T23:59:60'],
		['2026-03-01T25:00'],
		[new Date('soon')],
		[{ toMillis: (): number => NaN }],
		// A duration.
		[{ toMillis: (): number => 3_600_000, shiftTo: true }],
	])('%p is none', (value) => {
		expect(() => iso(value)).toThrow("'Since' is not a date");
	});

	test('is not there in an empty field', () => {
		expect([undefined, null, ''].filter(isNoTime)).toHaveLength(3);
		expect([0, ' ', 'soon', false].filter(isNoTime)).toEqual([]);
	});
});
