import * as fc from 'fast-check';
import { propertyRuns } from '../../../support/propertyRuns.cts';
import type { ModelTrigger } from './modelWorkflow';
import { ModelWorkflow } from './modelWorkflow';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

type Event =
	| { do: 'append'; of: number; count: number }
	| { do: 'tick'; of: number }
	| { do: 'pass'; ms: number }
	| { do: 'work'; ending: 'success' | 'error'; takes: number }
	| { do: 'change' | 'rename' | 'swapNames' | 'disable' | 'enable' | 'startOver'; of: number }
	| { do: 'moveOn'; of: number; moveOn: ModelTrigger['moveOn'] }
	| { do: 'kill' | 'restart' | 'unpublish' | 'publish' };

const which = fc.nat({ max: 2 });

const moveOn = fc.constantFrom<ModelTrigger['moveOn'][]>(
	'handedOver',
	'handedOver',
	'finished',
	'succeeded',
);

const event: fc.Arbitrary<Event> = fc.oneof(
	{
		weight: 6,
		arbitrary: fc.record({
			do: fc.constant('append' as const),
			of: which,
			count: fc.integer({ min: 1, max: 7 }),
		}),
	},
	{ weight: 10, arbitrary: fc.record({ do: fc.constant('tick' as const), of: which }) },
	{
		weight: 6,
		arbitrary: fc.record({
			do: fc.constant('pass' as const),
			ms: fc.constantFrom(10, 25, 60, 500, 3000, MINUTE, MINUTE, 10 * MINUTE),
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			do: fc.constant('work' as const),
			ending: fc.constantFrom('success', 'success', 'error'),
			takes: fc.constantFrom(0, 100, 2000, 15_000, 15_000),
		}),
	},
	{
		weight: 5,
		arbitrary: fc.record({
			do: fc.constantFrom(
				'change',
				'change',
				'rename',
				'swapNames',
				'disable',
				'enable',
				'enable',
				'startOver',
			),
			of: which,
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({ do: fc.constant('moveOn' as const), of: which, moveOn }),
	},
	{
		weight: 4,
		arbitrary: fc.record({
			do: fc.constantFrom('kill', 'restart', 'restart', 'unpublish', 'publish', 'publish'),
		}),
	},
);

const trigger = (id: string): fc.Arbitrary<ModelTrigger> =>
	fc.record({
		id: fc.constant(id),
		name: fc.constant(`Trigger ${id}`),
		moveOn,
		isLong: fc.boolean(),
		readMs: fc.constantFrom(5, 100, 2000),
		startOver: fc.constant(''),
		startsNow: fc.boolean(),
		isOff: fc.constant(false),
	});

let names = 0;

async function happens(workflow: ModelWorkflow, event: Event): Promise<void> {
	const { triggers } = workflow;
	const one = 'of' in event ? triggers[event.of % triggers.length] : triggers[0];
	switch (event.do) {
		case 'append':
			return workflow.append(one, event.count);
		case 'tick':
			return workflow.tick(one);
		case 'pass':
			return await workflow.clock.advance(event.ms);
		case 'work':
			workflow.work = event;
			return;
		case 'change':
			one.readMs += 1;
			return await workflow.publish();
		case 'rename':
			// A long position is asked for under its former name, if the trigger was off.
			if (!workflow.isRegistered(one)) return;
			// What ended in a poll under the old name may come again after a kill.
			if (workflow.isPolling && one.moveOn !== 'handedOver') return;
			one.name = `Name ${names++}`;
			return await workflow.publish();
		case 'swapNames': {
			if (!triggers.every((each) => workflow.isRegistered(each)) || workflow.isPolling) return;
			const [first, second] = triggers;
			[first.name, second.name] = [second.name, first.name];
			return await workflow.publish();
		}
		case 'startOver':
			// One that is off starts when it is published.
			if (!workflow.isRegistered(one)) return;
			workflow.startOver(one);
			return await workflow.publish();
		case 'moveOn':
			workflow.moveOnWhen(one, event.moveOn);
			return await workflow.publish();
		case 'disable':
		case 'enable':
			one.isOff = event.do === 'disable';
			return await workflow.publish();
		default:
			return await workflow[event.do]();
	}
}

test('several triggers of a workflow lose nothing of each other', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.tuple(trigger('a'), trigger('b')),
			fc.array(event, { minLength: 5, maxLength: 40 }),
			async (triggers, events) => {
				const workflow = new ModelWorkflow(triggers.map((one) => ({ ...one })));
				await workflow.publish();
				for (const one of events) await happens(workflow, one);
				workflow.work = { ending: 'success', takes: 100 };
				await workflow.settle();
				for (const one of workflow.triggers) one.isOff = false;
				await workflow.publish();
				await workflow.settle();
				await workflow.clock.advance(DAY);
				for (let poll = 0; poll < 12; poll++) {
					for (const one of workflow.triggers) workflow.tick(one);
					await workflow.settle();
				}
				expect(workflow.faults).toEqual([]);
			},
		),
		propertyRuns(300),
	);
});
