import fc from 'fast-check';
import { Backlog } from '../../../../nodes/common/polling/backlog';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** The hours at which it is told, of a lag that is looked at each minute. */
function toldAt(lagAt: (ms: number) => number, hours: number): number[] {
	const backlog = new Backlog();
	const told: number[] = [];
	for (let at = 0; at <= hours * HOUR; at += MINUTE) {
		if (backlog.grows(lagAt(at), at)) told.push(at / HOUR);
	}
	return told;
}

it.each([
	['grows', (at: number) => HOUR + at],
	['stays', () => HOUR],
])('a lag that %s is told once an hour', (_, lagAt) => {
	expect(toldAt(lagAt, 3)).toEqual([1, 2, 3]);
});

it.each([
	['of less than an hour', () => HOUR - 1],
	['of a year that shrinks', (at: number) => 365 * 24 * HOUR - at],
	['that is gone now and then', (at: number) => (at % HOUR === 0 ? 0 : at)],
])('one %s is not', (_, lagAt) => {
	expect(toldAt(lagAt, 5)).toEqual([]);
});

it('is not told where it was interrupted within the hour', () => {
	const backlog = new Backlog();
	expect(backlog.grows(HOUR, 0)).toBe(false);
	backlog.forget();
	expect(backlog.grows(2 * HOUR, HOUR)).toBe(false);
	expect(backlog.grows(2 * HOUR, 2 * HOUR)).toBe(true);
});

it('is told at most once an hour, and never for the first hour, however it goes', () => {
	const lags = fc.array(fc.integer({ min: 0, max: 3 * HOUR }), { maxLength: 300 });
	fc.assert(
		fc.property(lags, (lagOf) => {
			const told = toldAt((at) => lagOf[at / MINUTE] ?? 0, 5);
			const pauses = told.map((hour, index) => hour - (told[index - 1] ?? 0));
			expect(pauses.every((pause) => pause >= 1)).toBe(true);
		}),
	);
});
