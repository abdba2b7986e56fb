import type { ExecutionStatus } from 'n8n-workflow';
import { countDeliveries } from '../e2e/kill/deliveryCount.cts';

const row = (id: number, status: ExecutionStatus, ...ids: string[]) => ({
	id,
	status,
	createdAt: 0,
	entries: ids.map((auditlogId) => ({ auditlogId })),
});

const nothing = { crashed: 0, ranAgain: 0, left: 0, entries: 0 };

describe('counting what was delivered', () => {
	it('finds what is in no row, in two rows, and in a row only', () => {
		const rows = [row(1, 'success', 'a', 'b'), row(2, 'success', 'b', 'x')];
		expect(countDeliveries(['a', 'b', 'c'], rows, new Set())).toStrictEqual({
			produced: 3,
			delivered: 2,
			lost: ['c'],
			twice: ['b'],
			twiceAfterItsEnd: ['b'],
			invented: ['x'],
			executions: 2,
			withoutEntries: 0,
			interrupted: nothing,
			failed: 0,
		});
	});

	it('finds an entry that one execution holds twice', () => {
		expect(countDeliveries(['a'], [row(1, 'success', 'a', 'a')], new Set()).twice).toStrictEqual([
			'a',
		]);
	});

	it('counts interrupted executions by what n8n made of them, and their entries as delivered', () => {
		const rows = [
			row(1, 'crashed', 'a', 'b'),
			row(2, 'success', 'c'),
			row(3, 'new', 'd'),
			row(4, 'success', 'e'),
		];
		const count = countDeliveries(['a', 'b', 'c', 'd', 'e'], rows, new Set([1, 2, 3]));
		expect(count.interrupted).toStrictEqual({ crashed: 1, ranAgain: 1, left: 1, entries: 3 });
		expect(count).toMatchObject({ delivered: 5, lost: [], twice: [] });
	});

	it('counts what comes again after a kill apart from what comes again after its end', () => {
		const rows = [row(1, 'crashed', 'a', 'b'), row(2, 'success', 'a', 'b'), row(3, 'success', 'b')];
		const count = countDeliveries(['a', 'b'], [...rows, row(4, 'success')], new Set([1]));
		expect(count).toMatchObject({ twice: ['a', 'b'], twiceAfterItsEnd: ['b'], withoutEntries: 1 });
	});

	it('counts an error apart from an interruption', () => {
		const rows = [row(1, 'error'), row(2, 'error', 'a')];
		expect(countDeliveries(['a'], rows, new Set([2])).failed).toBe(1);
	});
});
