import { e2eOptions } from '../e2e/options.cts';
import type { Part } from '../e2e/part.cts';

const parts: Part[] = ['first', 'second', 'third'].map((name) => ({
	name,
	title: name,
	run: async () => {},
}));
const chosen = (...args: string[]): string[] =>
	e2eOptions(args, parts).parts.map(({ name }) => name);

describe('the parts of the proof in a real n8n', () => {
	it('all run when none is named', () => {
		expect(chosen()).toEqual(['first', 'second', 'third']);
	});

	it('run in their own order, whatever order they are named in', () => {
		expect(chosen('third', 'first')).toEqual(['first', 'third']);
	});

	it('are refused when they do not exist', () => {
		expect(() => chosen('fourth')).toThrow("There is no part 'fourth'.");
		expect(() => chosen('--fourth')).toThrow();
	});

	it('are kept with the command that runs them again', () => {
		expect(e2eOptions(['second', '--record'], parts).command).toBe(
			'npm run test:e2e -- second --record',
		);
	});
});
