import { alternate, median, speedAgainst } from '../../bench/comparison/contenders.cts';
import { ratioFinding, valueFinding } from '../../bench/results/finding.cts';
import { missesOf, resultsPage } from '../../bench/results/resultsPage.cts';

describe('contenders', () => {
	it('take turns, each of them first in turn, and keep their times', async () => {
		const order: string[] = [];
		const contender = (name: string, milliseconds: number) => ({
			name,
			run: async () => {
				order.push(name);
				return { milliseconds: milliseconds * order.length };
			},
		});
		const { whole } = await alternate([contender('a', 1), contender('b', 10)], 2, () => {});
		expect(order).toStrictEqual(['a', 'b', 'b', 'a']);
		expect(whole).toStrictEqual({ a: [1, 4], b: [20, 30] });
	});

	it('are compared round by round: twice the time of the other is half its speed', () => {
		const times = { a: [200, 100], b: [100, 300] };
		expect(speedAgainst(times, 'a', 'b')).toStrictEqual([0.5, 3]);
	});

	test.each([
		[[3, 1, 2], 2],
		[[4, 1, 2, 3], 2.5],
		[[7], 7],
	])('the middle of %p is %p', (numbers, middle) => {
		expect(median(numbers)).toBe(middle);
	});
});

describe('a finding', () => {
	it('is met by the middle ratio, and shows the spread', () => {
		expect(ratioFinding('a', [0.5, 1.5, 0.95], { atLeast: 0.9 })).toStrictEqual({
			subject: 'a',
			figure: '0.95 × (0.50 to 1.50)',
			goal: 'at least 0.90 ×',
			met: true,
			stable: false,
		});
		expect(ratioFinding('a', [0.5, 1.5, 0.85], { atLeast: 0.9 }).met).toBe(false);
	});

	it('is missed beyond either bound', () => {
		const exactly = { atLeast: 1, atMost: 1, stable: true };
		expect(valueFinding('requests', 1, '', exactly)).toMatchObject({
			goal: 'exactly 1',
			met: true,
			stable: true,
		});
		expect(valueFinding('requests', 2, '', exactly).met).toBe(false);
		expect(valueFinding('requests', 0, '', exactly).met).toBe(false);
	});

	it('is for the record without a goal', () => {
		expect(valueFinding('size', 12_345, 'KB')).toStrictEqual({
			subject: 'size',
			figure: '12,345 KB',
			stable: false,
		});
	});
});

it('shows a goal that is missed at the head of the page', () => {
	const findings = [
		valueFinding('packed', 95, 'KB', { atMost: 80 }),
		valueFinding('dependencies', 0, '', { atMost: 0 }),
	];
	const figures = { what: 'Size', against: '', goal: 'small', findings, n8n: '2', node: '24' };
	const measured = { date: '2026-01-31', machine: 'm', command: 'npm run bench', figures };
	expect(missesOf(figures)).toStrictEqual(['Size: packed: 95 KB; the goal is at most 80 KB.']);
	const page = resultsPage(['size'], { size: measured });
	expect(page).toContain('- Size: packed: 95 KB; the goal is at most 80 KB.');
	expect(page).toMatch(/\| \[Size\]\(#size\) \| small +\| \*\*1 of 2\*\* \| 2026-01-31 \| m +\|/);
	expect(page).toContain('| **no** |');
});
