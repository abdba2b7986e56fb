import * as fc from 'fast-check';
import type { FeedHistory, FeedStep } from './historyOfFeed';
import { LAST_SCAN } from './historyOfFeed';
import { START } from './lifeOfFeed';
import type { ModelScan, PageFault, Traits } from './scanListTraits';

const MINUTE = 60;
const CODES = ['MAL', 'SUS', 'CLN', 'XYZ', ''];

const often = <T>(usual: T, ...others: T[]) =>
	fc.oneof(
		{ weight: 2, arbitrary: fc.constant(usual) },
		{ weight: 3, arbitrary: fc.constantFrom(usual, ...others) },
	);

const traits: fc.Arbitrary<Traits> = fc.record<Traits>({
	pageSize: fc.integer({ min: 1, max: 20 }),
	longestWindow: often(1e9, 3600, 300, 120),
	mostScans: often(1000, 10, 3),
	refusal: fc.constantFrom<Traits['refusal'][]>(
		...[400, 408, 413, 414, 422, 500, 502, 503, 504],
		'noAnswer',
		'answerCut',
		'noList',
		'partly',
	),
	exactSeconds: fc.boolean(),
	goesBy: often('creation', 'finish'),
	order: fc.constantFrom('created', 'reversed', 'shuffled'),
	next: fc.constantFrom('absolute', 'http', 'innerHost', 'relative', 'query', 'bareQuery'),
	lastPage: often('null', 'absent', 'empty', 'hasMoreOnly', 'repeats', 'startsAgain', 'emptyPages'),
	count: often('right', 'missing', 'null', 'ofPage', 'ofAll'),
	ids: fc.constantFrom(
		...([
			'text',
			'number',
			'composite',
			'compositeLater',
			'compositeFirst',
			'none',
			'later',
		] as const),
	),
	createdAt: fc.constantFrom('right', 'missing', 'null', 'earlier', 'later', 'local'),
	finishedAt: fc.constantFrom('iso', 'epoch', 'words'),
	unknown: fc.constantFrom('null', 'missing', 'empty'),
	date: often(
		...(['right', 'missing', 'year10000', 'before1970', 'yearAhead', 'ahead'] as const),
		// Where it stands still, some are never known to be settled: otherTime.test.ts.
		...(['behind', 'hoursBehind'] as const),
	),
});

interface ScanPlan {
	created: number;
	late: number;
	/** Whether it is dated by the machine whose clock is ahead, where there is one. */
	isAhead: boolean;
	takes?: number;
	code: string;
	changes: Array<{ after: number; code: string }>;
	failsAfter: number;
	failsFor?: number;
}

function planned(plan: ScanPlan, index: number, { date }: Traits): ModelScan {
	const submitted = START + plan.created;
	const created = submitted + (plan.isAhead && date === 'ahead' ? 30 * MINUTE : 0);
	const verdicts: ModelScan['verdicts'] = [];
	if (plan.takes !== undefined) {
		let at = submitted + plan.takes;
		verdicts.push({ at, code: plan.code });
		for (const { after, code } of plan.changes) verdicts.push({ at: (at += after), code });
	}
	return {
		id: `scan ${(index * 7919) % 1000} ${index + 1}`,
		created,
		listed: submitted + plan.late,
		verdicts,
		...(plan.failsFor !== undefined && {
			failsFrom: created + plan.failsAfter,
			failsUntil: created + plan.failsAfter + plan.failsFor,
		}),
	};
}

const seconds = (max: number) => fc.nat({ max });

function plans(changes: boolean): fc.Arbitrary<ScanPlan> {
	const change = fc.record({
		after: fc.oneof(seconds(5 * MINUTE), seconds(40 * MINUTE)),
		code: fc.constantFrom(...CODES),
	});
	return fc.record<ScanPlan>(
		{
			// Many in the same second, some before the start.
			created: fc.oneof(fc.integer({ min: -300, max: LAST_SCAN }), fc.constantFrom(0, 1200, 1201)),
			isAhead: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.constant(true)),
			late: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, seconds(600)),
			takes: fc.oneof(
				{ weight: 3, arbitrary: seconds(5 * MINUTE) },
				{ weight: 2, arbitrary: seconds(60 * MINUTE) },
				fc.constant(undefined),
			),
			code: fc.constantFrom(...CODES),
			changes: changes ? fc.array(change, { maxLength: 2 }) : fc.constant([]),
			failsAfter: fc.oneof(fc.constant(0), seconds(40 * MINUTE)),
			failsFor: fc.oneof(
				{ weight: 15, arbitrary: fc.constant(undefined) },
				fc.constantFrom(10 * MINUTE, 25 * MINUTE, Infinity),
			),
		},
		{ requiredKeys: ['created', 'late', 'isAhead', 'code', 'changes', 'failsAfter'] },
	);
}

const faults = fc.oneof(
	{ weight: 4, arbitrary: fc.constant<PageFault>('none') },
	fc.constantFrom<PageFault[]>(
		...[400, 401, 403, 404, 429, 500, 503],
		...(['endsEarly', 'repeats', 'leavesOut', 'wrongDate', 'noAnswer', 'answerCut'] as const),
		...(['unreachable', 'noList', 'partly'] as const),
	),
);

const step: fc.Arbitrary<FeedStep> = fc.record({
	after: fc.oneof(
		{ weight: 4, arbitrary: fc.constant(MINUTE) },
		fc.constantFrom(1, 5 * MINUTE, 30 * MINUTE),
	),
	fate: fc.constantFrom(
		...(['carriesOn', 'carriesOn', 'carriesOn', 'carriesOn', 'carriesOn', 'carriesOn'] as const),
		...(['isKilled', 'fails', 'fails', 'startsOver'] as const),
	),
	n8nAhead: fc.oneof(
		{ weight: 6, arbitrary: fc.constant(0) },
		fc.constantFrom(60, -60, 60 * MINUTE, -60 * MINUTE),
	),
	/** What executions that wait for verdicts have spent since the last poll. */
	rivals: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.constantFrom(5, 40, 200)),
	faults: fc.oneof(fc.constant<PageFault[]>([]), fc.array(faults, { maxLength: 8 })),
});

/** Any list of the family with any scans, and a life of n8n with faults, restarts and kills. */
export const feedHistories: fc.Arbitrary<FeedHistory> = fc
	.tuple(fc.boolean(), traits)
	.chain(([changes, list]) =>
		fc.record<FeedHistory>({
			traits: fc.constant(list),
			scans: fc
				.array(plans(changes), { maxLength: 30 })
				.map((all) =>
					all
						.map((plan, index) => planned(plan, index, list))
						.sort((a, b) => a.created - b.created),
				),
			chosen: fc.subarray(CODES),
			settings: fc.record({
				verdictChanges: fc.boolean(),
				watchSeconds: fc.constantFrom(20 * MINUTE, 40 * MINUTE, 60 * MINUTE),
				maxScans: fc.oneof(fc.constant(1000), fc.integer({ min: 1, max: 5 })),
			}),
			callsPerMinute: fc.constantFrom(20, 50, 100),
			savesSilentPolls: fc.boolean(),
			steps: fc.array(step, { maxLength: 25 }),
		}),
	);
