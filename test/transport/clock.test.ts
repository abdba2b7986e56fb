import { sleep } from 'n8n-workflow';
import { systemClock } from '../../transport/clock';
import { macrotask } from '../support/macrotask.cts';
import { garbageCollector } from '../support/transport/memory.cts';

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

	test('has a monotonic time that nobody sets', () => {
		const wallClock = jest.spyOn(Date, 'now');
		const before = systemClock.monotonic();
		wallClock.mockReturnValue(0);
		expect(systemClock.monotonic()).toBeGreaterThanOrEqual(before);
		wallClock.mockReturnValue(Number.MAX_SAFE_INTEGER);
		expect(systemClock.monotonic() - before).toBeLessThan(60_000);
		wallClock.mockRestore();
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

	test('holds nothing after an abort, also where the timer of n8n runs on', async () => {
		const timers: Array<() => void> = [];
		n8nSleep.mockImplementation(
			async () => await new Promise((resolve) => timers.push(() => resolve())),
		);
		const held = await (async () => {
			const controller = new AbortController();
			const item = { file: Buffer.alloc(1024) };
			controller.signal.addEventListener('abort', () => expect(item.file).toHaveLength(1024));
			const slept = systemClock.sleep(60_000, controller.signal);
			controller.abort();
			await slept;
			return new WeakRef(item);
		})();
		n8nSleep.mockClear();
		await macrotask();
		garbageCollector()();
		expect(held.deref()).toBeUndefined();
		expect(timers).toHaveLength(1);
		timers[0]();
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
