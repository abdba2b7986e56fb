import pLimit from 'p-limit';
import { describeFailure } from '../actionableError.cts';
import { duration, type Say } from '../progress.cts';

export interface Step {
	name: string;
	/** Names of earlier steps without which this one makes no sense. */
	needs?: string[];
	/** Whether its output is worth reading when it passes. */
	showOutput?: boolean;
	/** Returns its output. @throws when the step fails, with its output in the error's message */
	run(): Promise<string>;
}

export interface StepResult {
	name: string;
	outcome: 'passed' | 'failed' | 'skipped';
	milliseconds: number;
}

/**
 * Runs the steps in their order, `atOnce` of them at a time. A step's output is shown in one piece,
 * when it ends; a step is skipped when one that it needs has not passed.
 */
export async function runSteps(
	steps: readonly Step[],
	atOnce: number,
	say: Say,
): Promise<StepResult[]> {
	const limit = pLimit(atOnce);
	const results = new Map<string, Promise<StepResult>>();
	for (const step of steps) {
		const needed = (step.needs ?? []).map((name) => results.get(name));
		const result = Promise.all(needed).then(async (before) => {
			if (before.every((one) => one?.outcome === 'passed')) return await limit(runStep, step, say);
			say(`◌ ${step.name}: skipped`);
			return { name: step.name, outcome: 'skipped' as const, milliseconds: 0 };
		});
		results.set(step.name, result);
	}
	return await Promise.all(results.values());
}

async function runStep(step: Step, say: Say): Promise<StepResult> {
	say(`▸ ${step.name} …`);
	const started = Date.now();
	const end = (outcome: 'passed' | 'failed', sign: string, output: string): StepResult => {
		const milliseconds = Date.now() - started;
		say(`${sign} ${step.name}: ${outcome} in ${duration(milliseconds)}`);
		if (output.trim()) say(`\n${output.trimEnd()}\n`);
		return { name: step.name, outcome, milliseconds };
	};
	try {
		const output = await step.run();
		return end('passed', '✓', step.showOutput ? output : '');
	} catch (error) {
		return end('failed', '✗', describeFailure(error));
	}
}

/** One line per step, and one for all. */
export function stepTable(results: readonly StepResult[], totalMs: number): string {
	const rows = [
		...results.map(({ name, outcome, milliseconds }) => [name, outcome, duration(milliseconds)]),
		['all', allPassed(results) ? 'passed' : 'failed', duration(totalMs)],
	];
	const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column].length)));
	return rows
		.map(([name, outcome, time]) =>
			[name.padEnd(widths[0]), outcome.padEnd(widths[1]), time].join('  '),
		)
		.join('\n');
}

export function allPassed(results: readonly StepResult[]): boolean {
	return results.every(({ outcome }) => outcome === 'passed');
}
