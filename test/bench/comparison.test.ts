import { alternate, median, speedAgainst } from '../../bench/comparison/contenders.cts';
import { straightLine } from '../../bench/growingLog/straightLine.cts';
import { timeByCause } from '../../bench/inN8n/cpuProfile.cts';
import { ratioFinding, valueFinding } from '../../bench/results/finding.cts';
import { missesOf, resultsPage } from '../../bench/results/resultsPage.cts';

describe('contenders', () => {
	it('take turns, and each keeps its times', async () => {
		const order: string[] = [];
		const contender = (name: string, milliseconds: number) => ({
			name,
			run: async () => {
				order.push(name);
				return { milliseconds: milliseconds * order.length };
			},
		});
		const { whole } = await alternate([contender('a', 1), contender('b', 10)], 2, () => {});
		expect(order).toStrictEqual(['a', 'b', 'a', 'b']);
		expect(whole).toStrictEqual({ a: [1, 3], b: [20, 40] });
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

it('fits the line on which the costs lie', () => {
	const costs = [1_000, 10_000, 1_000_000].map((entries) => ({
		entries,
		milliseconds: 500 + entries * 0.03,
	}));
	const { fixed, perEntry } = straightLine(costs);
	expect(fixed).toBeCloseTo(500);
	expect(perEntry).toBeCloseTo(0.03);
});

it('counts the time of a profile for the innermost function that a cause knows', () => {
	const frame = (id: number, functionName: string, url: string, children: number[] = []) => ({
		id,
		callFrame: { functionName, url },
		children,
	});
	const profile = {
		nodes: [
			frame(1, '(root)', '', [2, 5]),
			frame(2, 'poll', 'package.js', [3]),
			frame(3, 'send', 'http.js', [4]),
			frame(4, 'native', ''),
			frame(5, 'other', 'n8n.js'),
		],
		samples: [2, 4, 5],
		timeDeltas: [1000, 2000, 4000],
	};
	const causes = [
		{ name: 'HTTP', knows: ({ url }: { url: string }) => url === 'http.js' },
		{ name: 'package', knows: ({ url }: { url: string }) => url === 'package.js' },
	];
	expect(Object.fromEntries(timeByCause(profile, causes, 'rest'))).toStrictEqual({
		HTTP: 2,
		package: 1,
		rest: 4,
	});
});

it('shows a goal that is missed at the head of the page', () => {
	const findings = [
		valueFinding('packed', 95, 'KB', { atMost: 80 }),
		valueFinding('dependencies', 0, '', { atMost: 0 }),
	];
	expect(missesOf(findings)).toStrictEqual(['packed: 95 KB; the goal is at most 80 KB.']);
	const figures = { what: 'Size', against: '', goal: 'small', findings, n8n: '2', node: '24' };
	const measured = { date: '2026-01-31', machine: 'm', command: 'npm run bench', figures };
	const page = resultsPage(['size'], { size: measured });
	expect(page).toContain('- packed: 95 KB; the goal is at most 80 KB.');
	expect(page).toContain('| **no** |');
	expect(page).toContain('2026-01-31, `npm run bench`, on m');
});
