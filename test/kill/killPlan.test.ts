import { describeMoment, killPlan } from '../e2e/kill/killPlan.cts';

describe('the plan of the kills', () => {
	it('is the same for the same seed and another for another', () => {
		expect(killPlan(30, 7)).toStrictEqual(killPlan(30, 7));
		expect(killPlan(30, 7)).not.toStrictEqual(killPlan(30, 8));
	});

	it('begins alike, however many kills follow', () => {
		expect(killPlan(30, 7).slice(0, 3)).toStrictEqual(killPlan(3, 7));
	});

	it('aims half of the kills at the write of the state, and some at every other time', () => {
		const kinds = killPlan(30, 1).map(({ kind }) => kind);
		expect(kinds.filter((kind) => kind === 'write')).toHaveLength(15);
		expect(new Set(kinds)).toStrictEqual(new Set(['write', 'execution', 'anywhere', 'answer']));
	});

	it('tells each moment in words', () => {
		expect(describeMoment({ kind: 'anywhere', delayMs: 5 })).toBe('5 ms after the start');
		expect(describeMoment({ kind: 'answer', poll: 2, delayMs: 5 })).toBe(
			'5 ms after the console answered poll 2',
		);
	});
});
