import * as fc from 'fast-check';
import { propertyRuns } from '../../../support/propertyRuns.cts';
import type { Crash, Mode, Work } from './modelN8n';
import { ModelN8n } from './modelN8n';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

type Event =
	| { do: 'append'; count: number; lateMs: number }
	| { do: 'tick'; isAbandoned: boolean; olderBy: number }
	| { do: 'pass'; ms: number }
	| { do: 'work'; work: Work }
	| { do: 'crash'; at: Crash }
	| { do: 'kill' | 'restart' | 'republish' }
	| { do: 'rename'; isOff: boolean }
	| { do: 'service'; isSlow: boolean }
	| { do: 'setClock'; aheadMs: number }
	| { do: 'rewind'; by: number };

const work: fc.Arbitrary<Work> = fc.record({
	ending: fc.constantFrom<Work['ending']>(
		...(['success', 'success', 'success', 'error', 'waiting', 'deadWorker'] as const),
		...(['stopped', 'timedOut', 'shutdown', 'never'] as const),
	),
	takes: fc.constantFrom(0, 100, 2000, 100_000, 390_000),
});

const event: fc.Arbitrary<Event> = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.record({
			do: fc.constant('append' as const),
			count: fc.integer({ min: 1, max: 9 }),
			lateMs: fc.constantFrom(0, 0, 1000, 10 * MINUTE),
		}),
	},
	{
		weight: 6,
		arbitrary: fc.record({
			do: fc.constant('tick' as const),
			isAbandoned: fc.constantFrom(false, false, false, true),
			olderBy: fc.constantFrom(0, 0, 0, 1, 2),
		}),
	},
	{
		weight: 6,
		arbitrary: fc.record({
			do: fc.constant('pass' as const),
			ms: fc.constantFrom(0, 150, 1000, 10_000, MINUTE, MINUTE, 10 * MINUTE, HOUR),
		}),
	},
	{ weight: 2, arbitrary: fc.record({ do: fc.constant('work' as const), work }) },
	{
		weight: 1,
		arbitrary: fc.record({
			do: fc.constant('crash' as const),
			at: fc.constantFrom<Crash>('beforeSaving', 'stateSavedOnly', 'executionStartedOnly'),
		}),
	},
	{
		weight: 3,
		arbitrary: fc.record({ do: fc.constantFrom('kill', 'restart', 'restart', 'republish') }),
	},
	{
		weight: 1,
		arbitrary: fc.record({ do: fc.constant('rename' as const), isOff: fc.boolean() }),
	},
	{
		weight: 1,
		arbitrary: fc.record({ do: fc.constant('service' as const), isSlow: fc.boolean() }),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			do: fc.constant('setClock' as const),
			aheadMs: fc.constantFrom(MINUTE, -MINUTE, HOUR, -HOUR, 2 * DAY, -2 * DAY),
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			do: fc.constant('rewind' as const),
			by: fc.integer({ min: 1, max: 4 }),
		}),
	},
);

async function happens(n8n: ModelN8n, event: Event): Promise<void> {
	switch (event.do) {
		case 'append':
			return n8n.append(event.count, event.lateMs);
		case 'tick':
			return n8n.tick(event);
		case 'pass':
			return await n8n.pass(event.ms);
		case 'work':
			n8n.work = event.work;
			return;
		case 'crash':
			n8n.crash = event.at;
			n8n.tick();
			await n8n.pass(MINUTE);
			return await n8n.kill();
		case 'service':
			n8n.isServiceSlow = event.isSlow;
			return;
		case 'setClock':
			return n8n.clock.set(n8n.clock.now() + event.aheadMs);
		case 'kill':
			return await n8n.kill();
		case 'restart':
			return await n8n.restartOrderly();
		case 'republish':
			return await n8n.activate(false);
		case 'rename':
			return await n8n.rename(event);
		case 'rewind':
			n8n.rewind(event.by);
			return await n8n.kill();
	}
}

/** From now on everything succeeds: what is left has to come, within the longest of all pauses. */
async function end(n8n: ModelN8n): Promise<void> {
	n8n.work = { ending: 'success', takes: 100 };
	n8n.isServiceSlow = false;
	await n8n.settle();
	await n8n.pass(DAY);
	// As long as it comes: a poll has time for a few batches only.
	for (let left = Infinity; n8n.missing.length < left; ) {
		left = n8n.missing.length;
		for (let poll = 0; poll < 4; poll++) {
			n8n.tick();
			await n8n.settle();
			await n8n.pass(HOUR);
		}
	}
}

describe.each<Mode>(['default', 'durable'])('in %s mode', (mode) => {
	it.each(['finished', 'succeeded'] as const)(
		'%s: nothing is lost, and nothing comes twice but what was under way at a kill',
		async (moveOn) => {
			await fc.assert(
				fc.asyncProperty(
					fc.array(event, { minLength: 5, maxLength: 40 }),
					fc.integer({ min: 1, max: 12 }),
					async (events, batchSize) => {
						const n8n = new ModelN8n(mode, moveOn, batchSize);
						await n8n.activate(false);
						for (const one of events) await happens(n8n, one);
						await end(n8n);
						expect([n8n.missing, n8n.faults]).toEqual([[], []]);
					},
				),
				propertyRuns(150),
			);
		},
	);
});
