import * as fc from 'fast-check';
import type { History, HistoryStep } from './historyOfTrigger';
import { SETTINGS } from './modelPoll';
import { BEGIN } from './scenario';
import type { Failure, Weather } from './serviceFamily';
import { families, statuses, written } from './serviceFamily';

const MINUTE = 60_000;

const failures = fc.oneof(
	statuses,
	fc.constantFrom<Failure[]>(429, 'noAnswer', 'answerCut', 'answerTooLarge', 'unreachable'),
);

/** How far ahead somebody sets n8n's clock, in milliseconds. */
const clockAhead = fc.constantFrom(0, MINUTE, -MINUTE, 60 * MINUTE, -60 * MINUTE);

/** What becomes of some of the calls, by their number. */
function ofCalls<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<Record<number, T>> {
	const some = fc.dictionary(fc.nat({ max: 12 }).map(String), arbitrary, { maxKeys: 4 });
	return fc.oneof(fc.constant({}), some) as fc.Arbitrary<Record<number, T>>;
}

const weather: fc.Arbitrary<Weather> = fc.record({
	callMs: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 30_000 })),
	busyAbove: fc.oneof({ weight: 3, arbitrary: fc.constant(Infinity) }, fc.constantFrom(2, 6, 20)),
	faults: ofCalls(failures),
	clockSet: ofCalls(clockAhead),
});

function steps(lookbackMs: number): fc.Arbitrary<HistoryStep[]> {
	const settings = fc.record({
		idField: fc.constant(SETTINGS.idField),
		timestampField: fc.constant(SETTINGS.timestampField),
		lookbackMs: fc.constant(lookbackMs),
		pageSize: fc.oneof(fc.constant(undefined), fc.integer({ min: 2, max: 60 })),
		maxEntries: fc.oneof(fc.integer({ min: 2, max: 40 }), fc.constant(10_000)),
		mostBytes: fc.constant(SETTINGS.mostBytes),
	});
	const step = fc.record({
		wait: fc.integer({ min: 0, max: 10 * MINUTE }),
		budget: fc.constantFrom(1, 36_000, 240_000),
		weather,
		fate: fc.constantFrom(
			...(['carriesOn', 'carriesOn', 'carriesOn', 'carriesOn'] as const),
			...(['restarts', 'crashes', 'abandons', 'rewinds'] as const),
		),
		back: fc.nat({ max: 4 }),
		settings,
		credential: fc.constantFrom(0, 0, 0, 1, 2),
	});
	return fc.array(step, { maxLength: 14 });
}

/** Any console of the family with any log, and a life of n8n with faults, restarts and kills. */
export const histories: fc.Arbitrary<History> = fc
	.constantFrom(0, 1000, 5 * MINUTE, 30 * MINUTE)
	.chain((lookbackMs) => {
		const burst = fc.record({
			at: fc.integer({ min: -60 * MINUTE, max: 60 * MINUTE }),
			count: fc.integer({ min: 1, max: 30 }),
			gap: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 20_000 })),
			/** Share of the lookback that its entries appear late. */
			late: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1, noNaN: true })),
		});
		return fc.record({
			traits: families,
			bursts: fc.array(burst, { minLength: 1, maxLength: 10 }),
			mode: fc.constantFrom('default' as const, 'durable' as const),
			start: fc.constantFrom('oldest' as const, 'now' as const),
			clockAhead,
			steps: steps(lookbackMs),
			calmCallMs: fc.constantFrom(0, 9_000),
			changesCredential: fc.boolean(),
			lookbackMs: fc.constant(lookbackMs),
		});
	})
	.map(({ bursts, ...drawn }) => {
		const history = withinGuarantees(drawn);
		const { traits, lookbackMs, changesCredential } = history;
		const sendsTokens = traits.tokens === 'text' && !changesCredential;
		const timeOf = sendsTokens ? (time: number) => time : secondsApart();
		const entries = bursts
			.flatMap(({ at, count, gap, late }) =>
				Array.from({ length: count }, (_, index) => {
					const time = timeOf(BEGIN + at + index * gap);
					return { time, appearsAt: time + Math.floor(late * lookbackMs) };
				}),
			)
			.map((one, number) => ({ ...one, entry: written(number, one.time, traits) }));
		return { ...history, entries };
	});

/** The same where the console goes by the hour, say, or lists all there is: only tokens lead past that. */
export const historiesOfEarlier: fc.Arbitrary<History> = fc
	.record({
		history: histories.filter(({ traits }) => traits.tokens === 'text'),
		sinceStep: fc.constantFrom(MINUTE, 20 * MINUTE, 180 * MINUTE, Infinity),
	})
	.map(({ history, sinceStep }) => {
		const { traits } = history;
		return { ...history, changesCredential: false, traits: { ...traits, sinceStep } };
	});

/** The same where some entries are lost: the others come once all the same. */
export const historiesOfLost: fc.Arbitrary<History> = fc
	.record({
		history: histories.filter(({ traits }) => traits.tokenMarks === 'entry'),
		lost: fc.array(
			fc.record({ place: fc.nat({ max: 299 }), after: fc.integer({ min: 0, max: 60 * MINUTE }) }),
			{ maxLength: 10 },
		),
	})
	.map(({ history, lost }) => {
		const entries = [...history.entries];
		for (const { place, after } of lost) {
			const at = place % entries.length;
			entries[at] = { ...entries[at], goneAt: entries[at].appearsAt + after };
		}
		// By what another credential lists, it could not be told from that of another tenant.
		const steps = history.steps.map((step) => ({ ...step, credential: 0 }));
		return { ...history, steps, changesCredential: false, entries };
	});

/** Leaves out what cannot be: docs/guarantees.md says so of each. */
function withinGuarantees<T extends Omit<History, 'entries'>>(history: T): T {
	const { date, tokenLife } = history.traits;
	// Without the console's time n8n's clock counts, and must not be ahead.
	const set = (ahead: number) => (date === 'right' ? ahead : -Math.abs(ahead));
	const steps = history.steps.map(({ weather, ...step }) => {
		const clockSet = Object.entries(weather.clockSet).map(([call, ahead]) => [call, set(ahead)]);
		return { ...step, weather: { ...weather, clockSet: Object.fromEntries(clockSet) } };
	});
	// What shares a moment and is more than a poll has time for cannot be read by tokens that do not
	// live until the next poll.
	const calmCallMs = tokenLife === Infinity ? history.calmCallMs : 0;
	return { ...history, steps, calmCallMs, clockAhead: set(history.clockAhead) };
}

/** Where tokens cannot be sent, what shares a moment has to fit on a page: docs/guarantees.md says so. */
function secondsApart(): (time: number) => number {
	const taken = new Set<number>();
	return (time) => {
		let second = Math.floor(time / 1000);
		while (taken.has(second)) second++;
		taken.add(second);
		return 1000 * second;
	};
}
