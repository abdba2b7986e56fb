import type { ExecutionStatus } from 'n8n-workflow';
import { deliveryFaults, deliveryFigures, receivedCount } from '../e2e/queueMode/deliveries.cts';

const execution = (status: ExecutionStatus, ...ids: string[]) => ({
	status,
	handedOver: ids,
	kept: ids,
});

const delivery = (...ids: string[]) => ({ execution: '', ids });

const faults = (
	executions: Array<ReturnType<typeof execution>>,
	deliveries: Array<ReturnType<typeof delivery>>,
	interrupted: number[] = [],
) =>
	deliveryFaults(
		deliveryFigures(
			['a', 'b'],
			new Map(executions.map((one, id) => [id, one])),
			deliveries,
			new Set(interrupted),
		),
	).join('; ');

describe('comparing the console, the executions and the receiver', () => {
	it('finds nothing where each entry went one way', () => {
		expect(
			faults(
				[execution('success', 'a'), execution('success', 'b')],
				[delivery('a'), delivery('b')],
			),
		).toBe('');
	});

	it.each([
		['lost', [execution('success', 'a')], [delivery('a')], /handed to no execution, the first b/],
		[
			'handed over twice',
			[execution('success', 'a', 'b'), execution('success', 'b')],
			[delivery('a', 'b')],
			/handed to more than one execution, the first b/,
		],
		[
			'received twice',
			[execution('success', 'a', 'b')],
			[delivery('a', 'b'), delivery('b')],
			/received more than once, the first b/,
		],
		['not received', [execution('success', 'a', 'b')], [delivery('a')], /not received, .* b/],
		[
			'received from nowhere',
			[execution('success', 'a', 'b')],
			[delivery('a', 'b', 'x')],
			/received, but handed to no execution, the first x/,
		],
		['failed', [execution('error', 'a', 'b')], [delivery('a', 'b')], /execution 0: error/],
	])('finds what was %s', (_what, executions, deliveries, said) => {
		expect(faults(executions, deliveries)).toMatch(said);
	});

	it('excuses what was with an interrupted execution, but not that it went twice', () => {
		const lost = [execution('success', 'a'), execution('error', 'b')];
		expect(faults(lost, [delivery('a')], [1])).toBe('');
		const again = [execution('success', 'a', 'b'), execution('error', 'b')];
		expect(faults(again, [delivery('a', 'b')], [1])).toMatch(/handed to more than one/);
	});
});

describe('counting what the receiver got when workers were killed', () => {
	it('tells what never came, what came again after a kill, and what came again without one', () => {
		const executions = new Map([
			[1, execution('error', 'a', 'b')],
			[2, execution('success', 'a', 'b')],
			[3, execution('success', 'b')],
			[4, execution('success')],
		]);
		const deliveries = [
			{ execution: '1', ids: ['a', 'b'] },
			{ execution: '2', ids: ['a', 'b'] },
			{ execution: '3', ids: ['b'] },
		];
		expect(receivedCount(['a', 'b', 'c'], executions, deliveries, new Set([1]))).toStrictEqual({
			produced: 3,
			lost: ['c'],
			twice: ['a', 'b'],
			twiceAfterItsEnd: ['b'],
			executions: 4,
			withoutEntries: 1,
			interrupted: 1,
			entriesInInterrupted: 2,
		});
	});
});
