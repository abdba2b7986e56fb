import { ActionableError } from '../../scripts/actionableError.cts';
import { allPassed, runSteps, stepTable, type Step } from '../../scripts/steps/runSteps.cts';

const passing = (name: string, needs?: string[]): Step => ({
	name,
	needs,
	run: async () => 'fine',
});
const failing = (name: string): Step => ({
	name,
	run: async () => {
		throw new ActionableError('It broke.', 'Mend it.');
	},
});

describe('the steps of npm test', () => {
	const lines: string[] = [];
	const say = (line: string) => lines.push(line);
	beforeEach(() => lines.splice(0));

	it('passes when every step passes', async () => {
		const results = await runSteps([passing('build'), passing('tests', ['build'])], 2, say);

		expect(results.map(({ name, outcome }) => [name, outcome])).toEqual([
			['build', 'passed'],
			['tests', 'passed'],
		]);
		expect(allPassed(results)).toBe(true);
	});

	it('skips what needs a failed step, and what needs a skipped one, but nothing else', async () => {
		const steps = [failing('build'), passing('pack', ['build']), passing('scan', ['pack'])];
		const results = await runSteps([...steps, passing('lint')], 2, say);

		expect(results.map(({ outcome }) => outcome)).toEqual([
			'failed',
			'skipped',
			'skipped',
			'passed',
		]);
		expect(allPassed(results)).toBe(false);
	});

	it('shows what a failed step said and advised', async () => {
		await runSteps([failing('build')], 1, say);

		expect(lines.join('\n')).toContain('It broke.\nMend it.');
	});

	it('shows the output of a passed step only when it is worth reading', async () => {
		await runSteps([passing('lint'), { ...passing('tests'), showOutput: true }], 1, say);

		expect(lines.filter((line) => line.includes('fine'))).toHaveLength(1);
	});

	it('never runs more steps at once than it is told', async () => {
		let running = 0;
		let most = 0;
		const counted = (name: string): Step => ({
			name,
			run: async () => {
				most = Math.max(most, ++running);
				await Promise.resolve();
				running--;
				return '';
			},
		});
		await runSteps(['a', 'b', 'c', 'd'].map(counted), 2, say);

		expect(most).toBe(2);
	});

	it('ends with a table of names, outcomes and durations', () => {
		const table = stepTable(
			[
				{ name: 'build', outcome: 'passed', milliseconds: 6_100 },
				{ name: 'tests', outcome: 'failed', milliseconds: 65_000 },
			],
			71_000,
		);

		expect(table.split('\n')).toEqual([
			'build  passed  6 s',
			'tests  failed  1 min 05 s',
			'all    failed  1 min 11 s',
		]);
	});
});
