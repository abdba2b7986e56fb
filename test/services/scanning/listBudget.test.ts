import { listBudget } from '../../../services/scanning/listBudget';
import { FakeClock } from '../../support/fakeClock.cts';

const token = (tokenKey: string, callsPerMinute = 100) => ({ tokenKey, callsPerMinute });

describe('the budget for watching the list', () => {
	it('is a fifth of the calls per minute', async () => {
		const clock = new FakeClock();
		const budget = listBudget(token('a'), clock, new Map());
		let calls = 0;
		for (const end = clock.now() + 600_000; clock.now() < end; calls++) {
			budget.spend();
			await clock.advance(budget.waitMs());
		}
		expect(calls).toBe(200);
	});

	it('is one for all that watch with the same token, whatever rate each was told', () => {
		const clock = new FakeClock();
		const readings = new Map();
		listBudget(token('a', 50), clock, readings).spend();
		expect(listBudget(token('a', 100), clock, readings).waitMs()).toBe(6000);
		expect(listBudget(token('b', 100), clock, readings).waitMs()).toBe(0);
		// The smallest rate counts.
		listBudget(token('a', 100), clock, readings).spend();
		expect(listBudget(token('a', 100), clock, readings).waitMs()).toBe(12_000);
	});

	it('lets a reading of many pages go through, and pays for it afterwards', () => {
		const budget = listBudget(token('a'), new FakeClock(), new Map());
		for (let page = 0; page < 10; page++) budget.spend();
		expect(budget.waitMs()).toBe(30_000);
	});

	it('remembers nothing of tokens that owe nothing', async () => {
		const clock = new FakeClock();
		const readings = new Map();
		listBudget(token('a'), clock, readings).spend();
		await clock.advance(3000);
		listBudget(token('b'), clock, readings).spend();
		expect([...readings.keys()]).toStrictEqual(['b']);
	});
});

it('is not owed for longer than ten minutes, however much was spent', () => {
	const clock = new FakeClock();
	const budget = listBudget(token('a'), clock, new Map());
	for (let calls = 0; calls < 10_000; calls++) budget.spend();
	expect(budget.waitMs()).toBe(600_000);
	const slow = listBudget(token('b', 1), clock, new Map());
	for (let calls = 0; calls < 3; calls++) slow.spend();
	expect(slow.waitMs()).toBe(600_000);
});
