import * as fc from 'fast-check';
import type { AuditLogEntry } from '../../../../services/console/auditLogEntry';
import type { ReadingSettings } from '../../../../nodes/ConsoleAuditLog/reading/readingSettings';
import type { ModelEntry, ServiceHabits } from './modelLog';
import { SETTINGS } from './modelPoll';
import type { PollPlan } from './modelPoll';

/** Where the model's time begins, in milliseconds: 2026-03-01T00:00:00Z. */
export const BEGIN = Date.UTC(2026, 2, 1);

const MINUTE = 60_000;

/** Which fields the entries of a log have. */
export type LogKind = 'full' | 'noId' | 'noTime' | 'someTimes' | 'neither';

/** One step of n8n's life. */
export interface Step {
	/** Milliseconds until it. */
	wait: number;
	plan: PollPlan;
	/**
	 * What n8n does with the poll: carries on; starts again before or after it has stored what was
	 * handed over; waits no longer for the result; goes back to an older stored state.
	 */
	fate: 'carriesOn' | 'restarts' | 'crashes' | 'abandons' | 'rewinds';
	/** Which of the older states, counted back. */
	back: number;
	settings: ReadingSettings;
}

export interface Scenario {
	kind: LogKind;
	entries: ModelEntry[];
	habits: ServiceHabits;
	mode: 'default' | 'durable';
	start: 'oldest' | 'now';
	steps: Step[];
	/** Calls for which each poll has time once all is calm. */
	calmCalls: number;
}

export interface ScenarioBounds {
	lateEntries?: boolean;
	kinds?: LogKind[];
	/** Entries of one burst. */
	largestBurst?: number;
	bursts?: number;
	/** Least milliseconds between the entries of a burst. */
	leastGap?: number;
}

const faults = fc.dictionary(
	fc.nat({ max: 12 }).map(String),
	fc.constantFrom('fails' as const, 'tokenRefused' as const),
	{ maxKeys: 4 },
) as fc.Arbitrary<PollPlan['faults']>;

const plan: fc.Arbitrary<PollPlan> = fc.record({
	calls: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.constant(1000)),
	callMs: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 30_000 })),
	faults: fc.oneof(fc.constant({}), faults),
});

function settingsOf(lookbackMs: number, smallestPage: number): fc.Arbitrary<ReadingSettings> {
	return fc.record({
		idField: fc.constant(SETTINGS.idField),
		timestampField: fc.constant(SETTINGS.timestampField),
		lookbackMs: fc.oneof(
			{ weight: 3, arbitrary: fc.constant(lookbackMs) },
			{ weight: 1, arbitrary: fc.integer({ min: lookbackMs, max: lookbackMs + 20 * MINUTE }) },
		),
		pageSize: fc.oneof(fc.constant(undefined), fc.integer({ min: smallestPage, max: 20 })),
		maxEntries: fc.oneof(fc.integer({ min: smallestPage, max: 40 }), fc.constant(10_000)),
		mostBytes: fc.constant(SETTINGS.mostBytes),
	});
}

const habits: fc.Arbitrary<ServiceHabits> = fc.record({
	end: fc.constantFrom('null', 'token'),
	tokens: fc.constantFrom('cursor', 'position'),
	maxLimit: fc.oneof(fc.constant(Infinity), fc.integer({ min: 5, max: 60 })),
	overMax: fc.constantFrom('cap', 'refuse'),
});

/**
 * A token that counts entries shows one a second time when another appears before it. By its id it is
 * known; without one it cannot be told from an equal entry.
 */
function withTokens(habits: ServiceHabits, kind: LogKind): ServiceHabits {
	const hasIds = kind !== 'noId' && kind !== 'neither';
	return hasIds ? habits : { ...habits, tokens: 'cursor' };
}

/** A page size that the user set and the service refuses is the user's to change. */
function withinLimit(step: Step, { maxLimit, overMax }: ServiceHabits): Step {
	const { pageSize } = step.settings;
	if (pageSize === undefined || overMax === 'cap') return step;
	return { ...step, settings: { ...step.settings, pageSize: Math.min(pageSize, maxLimit) } };
}

/** Most entries of one time in a log without ids. */
export const EQUALS = 4;

/**
 * Entries without an id come in equal pairs. More of one time than fit a page and a poll cannot be
 * told apart for certain: that is where the guarantee ends, so the model keeps them fewer.
 */
function timeWithoutId(at: number, index: number, gap: number, burst: number): number {
	const grid = (ms: number) => Math.floor(ms / 64) * 64;
	return BEGIN + grid(at) + Math.floor(index / EQUALS) * (grid(gap) + 64) + burst;
}

function entryOf(kind: LogKind, number: number, time: number, writesTime: boolean): AuditLogEntry {
	const createdAt = new Date(time).toISOString();
	switch (kind) {
		case 'full':
			return { auditlogId: `e${number}`, createdAt };
		case 'noId':
			return { event: number % 2, createdAt };
		case 'noTime':
			return { auditlogId: `e${number}` };
		case 'someTimes':
			return { auditlogId: `e${number}`, ...(writesTime && { createdAt }) };
		case 'neither':
			return { event: number };
	}
}

/** A random life of a trigger. Late entries appear at most `lookbackMs` after their time. */
export function scenarios(bounds: ScenarioBounds = {}): fc.Arbitrary<Scenario> {
	const {
		lateEntries = true,
		kinds = ['full', 'full', 'full', 'noId', 'noTime', 'someTimes', 'neither'],
		largestBurst = 30,
		bursts = 12,
		leastGap = 0,
	} = bounds;
	const lookbacks = fc.constantFrom(0, 1000, 5 * MINUTE, 30 * MINUTE);
	return fc
		.record({ lookbackMs: lookbacks, kind: fc.constantFrom(...kinds) })
		.chain(({ lookbackMs, kind }) => {
			const burst = fc.record({
				at: fc.integer({ min: -60 * MINUTE, max: 60 * MINUTE }),
				count: fc.integer({ min: 1, max: largestBurst }),
				gap: fc.oneof(fc.constant(leastGap), fc.integer({ min: leastGap, max: 20_000 })),
				/** Share of the lookback, or milliseconds dated ahead. */
				late: lateEntries
					? fc.oneof(
							{ weight: 3, arbitrary: fc.constant(0) },
							{ weight: 2, arbitrary: fc.double({ min: 0, max: 1, noNaN: true }) },
							{ weight: 1, arbitrary: fc.integer({ min: -20 * MINUTE, max: -1 }) },
						)
					: fc.constant(0),
				writesTime: fc.boolean(),
			});
			return fc
				.record({
					bursts: fc.array(burst, { minLength: 1, maxLength: bursts }),
					habits,
					mode: fc.constantFrom('default' as const, 'durable' as const),
					start: fc.constantFrom('oldest' as const, 'now' as const),
					calmCalls: fc.constantFrom(1000, 4, 2),
					steps: fc.array(
						fc.record({
							wait: fc.integer({ min: 0, max: 10 * MINUTE }),
							plan,
							fate: fc.constantFrom(
								...(['carriesOn', 'carriesOn', 'carriesOn', 'carriesOn'] as const),
								...(['restarts', 'crashes', 'abandons', 'rewinds'] as const),
							),
							back: fc.nat({ max: 4 }),
							settings: settingsOf(lookbackMs, kind === 'noId' ? EQUALS + 1 : 1),
						}),
						{ maxLength: 14 },
					),
				})
				.map((scenario) => ({
					...scenario,
					kind,
					habits: withTokens(scenario.habits, kind),
					steps: scenario.steps.map((step) => withinLimit(step, scenario.habits)),
					entries: scenario.bursts
						.flatMap(({ at, count, gap, late, writesTime }, burstNumber) =>
							Array.from({ length: count }, (_, index) => {
								const time =
									kind === 'noId'
										? timeWithoutId(at, index, gap, burstNumber)
										: BEGIN + at + index * gap;
								// Dated ahead is what says its time; without one, that cannot be known.
								const isDated = kind === 'full' || kind === 'noId';
								const delay = late < 0 ? (isDated ? late : 0) : Math.floor(late * lookbackMs);
								return { time, appearsAt: time + delay, writesTime };
							}),
						)
						.map(({ time, appearsAt, writesTime }, number) => ({
							time,
							appearsAt,
							entry: entryOf(kind, number, time, writesTime),
						})),
				}));
		});
}
