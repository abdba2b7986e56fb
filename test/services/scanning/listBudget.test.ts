import { listBudget } from '../../../services/scanning/listBudget';
import { FakeClock } from '../../support/fakeClock.cts';

const token = (tokenKey: string, callsPerMinute = 100) => ({ tokenKey, callsPerMinute });

const MINUTE = 60_000;

describe('the budget for watching the list', () => {
	it('is a fifth of the calls per minute', async () => {
		const clock = new FakeClock();
		const budget = listBudget(token('a'), 'trigger', clock, new Map());
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
		listBudget(token('a', 50), 'trigger', clock, readings).spend();
		expect(listBudget(token('a', 100), 'trigger', clock, readings).waitMs()).toBe(6000);
		expect(listBudget(token('b', 100), 'trigger', clock, readings).waitMs()).toBe(0);
	});

	it('follows the calls per minute, whether they rise or fall', async () => {
		const clock = new FakeClock();
		const scans = token('a', 10);
		const budget = listBudget(scans, 'trigger', clock, new Map());
		budget.spend();
		expect(budget.waitMs()).toBe(30_000);
		await clock.advance(30_000);
		scans.callsPerMinute = 100;
		budget.spend();
		expect(budget.waitMs()).toBe(3000);
		scans.callsPerMinute = 50;
		budget.spend();
		expect(budget.waitMs()).toBe(9000);
	});

	it('lets a reading of many pages go through, and pays for it afterwards', () => {
		const budget = listBudget(token('a'), 'trigger', new FakeClock(), new Map());
		for (let page = 0; page < 10; page++) budget.spend();
		expect(budget.waitMs()).toBe(30_000);
	});

	it('remembers nothing of tokens that owe nothing', async () => {
		const clock = new FakeClock();
		const readings = new Map();
		listBudget(token('a'), 'trigger', clock, readings).spend();
		await clock.advance(5 * MINUTE);
		listBudget(token('b'), 'trigger', clock, readings).spend();
		expect([...readings.keys()]).toStrictEqual(['b trigger']);
	});
});

it('is not owed for longer than ten minutes, however much was spent', () => {
	const clock = new FakeClock();
	const budget = listBudget(token('a'), 'trigger', clock, new Map());
	for (let calls = 0; calls < 10_000; calls++) budget.spend();
	expect(budget.waitMs()).toBe(600_000);
	const slow = listBudget(token('b', 1), 'trigger', clock, new Map());
	for (let calls = 0; calls < 3; calls++) slow.spend();
	expect(slow.waitMs()).toBe(600_000);
});

describe('triggers and waits for verdicts', () => {
	/** Calls that a trigger makes in ten minutes in which waits make so many each minute. */
	async function triggerCalls(waitCalls: number): Promise<number> {
		const clock = new FakeClock();
		const spent = new Map();
		const wait = listBudget(token('a'), 'wait', clock, spent);
		const trigger = listBudget(token('a'), 'trigger', clock, spent);
		let calls = 0;
		for (let minute = 0; minute < 10; minute++) {
			for (let one = 0; one < waitCalls; one++) wait.spend();
			for (const end = clock.now() + MINUTE; clock.now() < end; calls++) {
				trigger.spend();
				await clock.advance(trigger.waitMs());
			}
		}
		return calls;
	}

	it('have half of it each, however much the others have spent', async () => {
		expect(await triggerCalls(1)).toBe(100);
		expect(await triggerCalls(1000)).toBe(100);
	});

	it('have all of it where the others need none', async () => {
		expect(await triggerCalls(0)).toBe(200);
		const clock = new FakeClock();
		const spent = new Map();
		listBudget(token('a'), 'wait', clock, spent).spend();
		const trigger = listBudget(token('a'), 'trigger', clock, spent);
		expect(trigger.callMs).toBe(6000);
		await clock.advance(5 * MINUTE);
		expect(trigger.callMs).toBe(3000);
	});
});
