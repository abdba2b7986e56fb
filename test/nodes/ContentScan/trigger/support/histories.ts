import * as fc from 'fast-check';
import type { FeedSettings } from '../../../../../nodes/ContentScan/trigger/reading/feedReading';
import type { ListHabits, ModelScan, PageFault } from './modelList';

/** When the trigger of every history starts, in epoch seconds. */
export const START = Date.UTC(2026, 5, 15, 12) / 1000;

const MINUTE = 60;
const CODES = ['MAL', 'SUS', 'CLN', 'XYZ', ''];

export interface History {
	scans: ModelScan[];
	habits: ListHabits;
	chosen: string[];
	settings: Omit<FeedSettings, 'isChosen' | 'tellsUnfinished'>;
	callsPerPoll: number;
	savesSilentPolls: boolean;
	/** Seconds before each poll, and whether n8n was killed before it. */
	polls: Array<{ after: number; killed: boolean }>;
	/** For the pages that are asked for one after the other, while the service is not well. */
	faults: PageFault[];
}

interface ScanPlan {
	created: number;
	late: number;
	takes?: number;
	code: string;
	changes: Array<{ after: number; code: string }>;
}

function planned(plan: ScanPlan, index: number): ModelScan {
	const created = START + plan.created;
	const verdicts: ModelScan['verdicts'] = [];
	if (plan.takes !== undefined) {
		let at = created + plan.takes;
		verdicts.push({ at, code: plan.code });
		for (const { after, code } of plan.changes) verdicts.push({ at: (at += after), code });
	}
	return {
		id: `scan ${(index * 7919) % 1000} ${index}`,
		created,
		listed: created + plan.late,
		verdicts,
	};
}

const seconds = (max: number) => fc.nat({ max });

/** @param changes Whether verdicts change after they were first told. */
export function histories(changes: boolean): fc.Arbitrary<History> {
	const plan = fc.record<ScanPlan>(
		{
			// Many in the same second, some before the start.
			created: fc.oneof(fc.integer({ min: -300, max: 5400 }), fc.constantFrom(0, 1200, 1201)),
			late: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, seconds(600)),
			takes: fc.oneof(
				{ weight: 3, arbitrary: seconds(5 * MINUTE) },
				{ weight: 2, arbitrary: seconds(90 * MINUTE) },
				fc.constant(undefined),
			),
			code: fc.constantFrom(...CODES),
			changes: changes
				? fc.array(fc.record({ after: seconds(40 * MINUTE), code: fc.constantFrom(...CODES) }), {
						maxLength: 2,
					})
				: fc.constant([]),
		},
		{ requiredKeys: ['created', 'late', 'code', 'changes'] },
	);
	return fc.record<History>({
		scans: fc
			.array(plan, { maxLength: 40 })
			.map((plans) => plans.map(planned).sort((a, b) => a.created - b.created)),
		habits: fc.record<ListHabits>({
			pageSize: fc.integer({ min: 1, max: 20 }),
			longestWindow: fc.constantFrom(1e9, 1e9, 3600, 300, 120),
			mostScans: fc.constantFrom(1000, 1000, 10, 3),
			exactSeconds: fc.boolean(),
			countsAll: fc.constant(false),
			order: fc.constantFrom('created', 'reversed', 'shuffled'),
		}),
		chosen: fc.subarray(CODES),
		settings: fc.record({
			verdictChanges: fc.constant(changes),
			watchSeconds: fc.constantFrom(20 * MINUTE, 60 * MINUTE, 90 * MINUTE),
			maxScans: fc.oneof(fc.constant(1000), fc.integer({ min: 1, max: 5 })),
		}),
		callsPerPoll: fc.integer({ min: 2, max: 10 }),
		savesSilentPolls: fc.boolean(),
		polls: fc.array(
			fc.record({
				after: fc.oneof(
					{ weight: 4, arbitrary: fc.constant(MINUTE) },
					fc.constantFrom(1, 5 * MINUTE, 30 * MINUTE),
				),
				killed: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
			}),
			{ maxLength: 40 },
		),
		faults: fc.array(
			fc.oneof(
				{ weight: 3, arbitrary: fc.constant<PageFault>('none') },
				fc.constantFrom<PageFault>('endsEarly', 'repeats', 'fails'),
			),
			{ maxLength: 60 },
		),
	});
}
