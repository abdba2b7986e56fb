import fc from 'fast-check';
import { PriorityQueue } from '../../../transport/queue/priorityQueue';
import { propertyRuns } from '../../support/propertyRuns.cts';

type Step = { add: number } | { removeFirst: true } | { remove: number };

const steps: fc.Arbitrary<Step[]> = fc.array(
	fc.oneof(
		fc.record({ add: fc.nat(20) }),
		fc.constant<Step>({ removeFirst: true }),
		fc.record({ remove: fc.nat(30) }),
	),
);

test('it gives what a sorted list gives, whatever is added and taken out', () => {
	fc.assert(
		fc.property(steps, (script) => {
			const queue = new PriorityQueue<{ rank: number }>(({ rank }) => rank);
			const added: Array<{ rank: number }> = [];
			let list: Array<{ rank: number }> = [];
			const remove = (item?: { rank: number }) => {
				if (item) queue.remove(item);
				list = list.filter((other) => other !== item);
			};
			for (const step of script) {
				if ('add' in step) {
					const item = { rank: step.add };
					queue.add(item);
					added.push(item);
					list.push(item);
				} else {
					remove('remove' in step ? added[step.remove] : queue.first());
				}
				expect(queue.size).toBe(list.length);
				const lowest = list.length === 0 ? undefined : Math.min(...list.map(({ rank }) => rank));
				expect(queue.first()?.rank).toBe(lowest);
			}
		}),
		propertyRuns(500),
	);
});
