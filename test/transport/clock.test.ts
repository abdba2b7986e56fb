import { sleep } from 'n8n-workflow';
import { SteadyTime, systemClock } from '../../transport/clock';
import { FakeClock } from '../support/fakeClock.cts';

jest.mock('n8n-workflow', () => ({ sleep: jest.fn() }));

const n8nSleep = jest.mocked(sleep);

/** n8n's sleep as it is now: it rejects when the signal aborts. */
const rejecting: typeof sleep = async (_, signal) =>
	await new Promise((_resolve, reject) => {
		signal?.addEventListener('abort', () => reject(new Error('aborted')));
	});

/** n8n's sleep as it was: it knows no signal. */
const deaf: typeof sleep = async () => await new Promise(() => undefined);

beforeEach(() => n8nSleep.mockReset().mockResolvedValue());

describe('the clock of the machine', () => {
	test('tells the time', () => {
		expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(1_000);
	});

	test('sleeps with the timer of n8n', async () => {
		await systemClock.sleep(1_234);
		expect(n8nSleep).toHaveBeenCalledTimes(1);
		expect(n8nSleep.mock.calls[0][0]).toBe(1_234);
	});

	test.each([
		['that rejects on abort', rejecting],
		['that ignores the signal', deaf],
	])('ends a sleep when the signal aborts, with a sleep of n8n %s', async (_, implementation) => {
		n8nSleep.mockImplementation(implementation);
		const controller = new AbortController();
		const slept = systemClock.sleep(60_000, controller.signal);
		controller.abort();
		await expect(slept).resolves.toBeUndefined();
	});

	test('does not begin to sleep when the signal has aborted already', async () => {
		await systemClock.sleep(60_000, AbortSignal.abort());
		expect(n8nSleep).not.toHaveBeenCalled();
	});

	test('leaves no listener behind', async () => {
		const { signal } = new AbortController();
		const remove = jest.spyOn(signal, 'removeEventListener');
		const add = jest.spyOn(signal, 'addEventListener');
		await systemClock.sleep(5, signal);
		expect(add).toHaveBeenCalledTimes(1);
		expect(remove.mock.calls[0][1]).toBe(add.mock.calls[0][1]);
	});

	test('sleeps 60 days, though a timer of Node.js knows only 24.8', async () => {
		const day = 24 * 60 * 60_000;
		await systemClock.sleep(60 * day);
		const parts = n8nSleep.mock.calls.map(([ms]) => ms);
		expect(Math.max(...parts)).toBeLessThan(2 ** 31);
		expect(parts.reduce((sum, ms) => sum + ms, 0)).toBe(60 * day);
	});
});

describe('steady time', () => {
	test('goes on with the clock', async () => {
		const clock = new FakeClock();
		const time = new SteadyTime(clock);
		const start = time.now();
		await clock.advance(500);
		expect(time.now() - start).toBe(500);
		expect(time.at(clock.now() + 70) - start).toBe(570);
	});

	test('does not go back when the clock is set back, and goes on from there', async () => {
		const clock = new FakeClock();
		const time = new SteadyTime(clock);
		const start = time.now();
		clock.set(clock.now() - 3_600_000);
		expect(time.now()).toBe(start);
		await clock.advance(500);
		expect(time.now() - start).toBe(500);
		expect(time.at(clock.now() + 70) - start).toBe(570);
	});

	test('takes a sleep that ended for the time it was to end at', () => {
		const clock = new FakeClock();
		const time = new SteadyTime(clock);
		const start = time.now();
		clock.set(clock.now() - 3_600_000);
		time.onSlept(start + 60_000);
		expect(time.now()).toBe(start + 60_000);
	});

	test('lets a timer be a little early', () => {
		const clock = new FakeClock();
		const time = new SteadyTime(clock);
		const start = time.now();
		time.onSlept(start + 2);
		expect(time.now()).toBe(start);
	});
});
