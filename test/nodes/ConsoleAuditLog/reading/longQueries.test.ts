import * as fc from 'fast-check';
import { propertyRuns } from '../../../support/propertyRuns.cts';
import { BEGIN, entries, inOrder, MINUTE, trigger } from '../support/handPolledTrigger';

describe('a console that ends a query after a number of entries of its own', () => {
	test.each([
		[1000, 150],
		[1000, 400],
		[1000, 1500],
		[5000, 1500],
	])('of %i: all is delivered where %i come a minute', (mostPerQuery, rate) => {
		const ticking = trigger(entries(12 * rate, MINUTE / rate), { mostPerQuery }, BEGIN);
		for (let minute = 0; minute <= 14; minute++) {
			ticking.poll();
			ticking.now += MINUTE;
		}
		expect(ticking.came).toEqual(inOrder(12 * rate));
	});

	test('whatever the number, from 600 on, and the page size', () => {
		const numbers = fc.record({
			mostPerQuery: fc.integer({ min: 600, max: 3000 }),
			pageSize: fc.option(fc.integer({ min: 10, max: 5000 }), { nil: undefined }),
			rate: fc.integer({ min: 10, max: 1000 }),
			end: fc.constantFrom('null' as const, 'token' as const),
			backlogMinutes: fc.integer({ min: 0, max: 10 }),
		});
		fc.assert(
			fc.property(numbers, ({ mostPerQuery, pageSize, rate, end, backlogMinutes }) => {
				const log = entries(10 * rate, MINUTE / rate);
				const ticking = trigger(log, { mostPerQuery, end }, BEGIN + backlogMinutes * MINUTE);
				ticking.settings = { ...ticking.settings, pageSize };
				for (let minute = 0; minute <= 14; minute++) {
					ticking.poll();
					ticking.now += MINUTE;
				}
				expect(ticking.came).toEqual(inOrder(10 * rate));
			}),
			propertyRuns(10),
		);
	});

	test.each([4, 5, 6, 7, 8, 9, 10])(
		'of 1000, where a poll has time for %i calls of 100 entries: all is delivered',
		(calls) => {
			for (const end of ['null', 'token'] as const) {
				const habits = { mostPerQuery: 1000, maxLimit: 100, overMax: 'cap', end } as const;
				const ticking = trigger(entries(20 * 240, MINUTE / 240), habits, BEGIN);
				for (let minute = 0; minute <= 40; minute++) {
					ticking.poll({ calls, callMs: 1000 });
					ticking.now = BEGIN + (minute + 1) * MINUTE;
				}
				expect(ticking.came).toEqual(inOrder(20 * 240));
			}
		},
	);

	test('costs a console without one a single call a poll', () => {
		const ticking = trigger(entries(3000, 100), {}, BEGIN + 5 * MINUTE);
		ticking.settings = { ...ticking.settings, pageSize: 1000 };
		expect(ticking.poll().calls).toHaveLength(3);
		expect(ticking.poll().calls.map(({ limit }) => limit)).toEqual([1000, 1000, 1000, 100]);
	});

	test.each(['null', 'token'] as const)(
		'is not asked for a time to come, which it may refuse, where entries are dated ahead: end %s',
		(end) => {
			const log = entries(4000, 150).map((one, at) =>
				at % 2 === 0 ? one : { ...one, appearsAt: one.time - 2000 },
			);
			const habits = { refusesFuture: true, end };
			const ticking = trigger(log, habits, BEGIN + 2 * MINUTE);
			for (let minute = 0; minute < 10; minute++) {
				expect(ticking.poll().failed).toBe(false);
				ticking.now += MINUTE;
			}
			expect(new Set(ticking.came).size).toBe(4000);
		},
	);

	test('is not looked for again and again where `since` is rounded down to more than a poll can read', () => {
		const habits = { sinceStep: 1000, maxLimit: 100, overMax: 'cap' } as const;
		const ticking = trigger(entries(350, 2), habits, BEGIN + 2 * MINUTE);
		const ends = Array.from({ length: 30 }, () => {
			const { reading } = ticking.poll({ calls: 3, callMs: 9000 });
			ticking.now += MINUTE / 2;
			return reading.reachedEnd;
		});
		expect(ticking.came).toEqual(inOrder(350));
		expect(ends.slice(-10)).toContain(true);
	});

	test('is told from one that rounds `since` down, where each query brings the same once more', () => {
		const ticking = trigger(entries(15_000, 80), { sinceStep: MINUTE }, BEGIN + 10 * MINUTE);
		ticking.poll({ callMs: 100, tellsTime: false });
		ticking.now = BEGIN + 10.9 * MINUTE;
		const { calls } = ticking.poll({ callMs: 100, tellsTime: false });
		expect(calls.length).toBeLessThan(10);
	});
});
