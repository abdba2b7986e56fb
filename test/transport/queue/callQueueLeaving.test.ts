import { CallQueue } from '../../../transport/queue/callQueue';
import { FakeClock } from '../../support/fakeClock.cts';
import { answer, MINUTE, refusal, SECOND, timedQueue } from '../support/timedQueue';

/** An AbortController that counts the listeners of its signal. */
function countedSignal() {
	const controller = new AbortController();
	const { signal } = controller;
	let listeners = 0;
	const add = signal.addEventListener.bind(signal);
	const remove = signal.removeEventListener.bind(signal);
	signal.addEventListener = (...parameters: Parameters<typeof add>) => {
		listeners += 1;
		add(...parameters);
	};
	signal.removeEventListener = (...parameters: Parameters<typeof remove>) => {
		listeners -= 1;
		remove(...parameters);
	};
	return { controller, signal, listeners: () => listeners };
}

describe('deadlines', () => {
	test('a call that is not sent before its deadline leaves, and says how long it waited', async () => {
		const { clock, start, queue, run, namesSent } = timedQueue();
		void queue.run(async () => {
			await clock.sleep(10);
			return refusal(SECOND);
		});
		await clock.advance(20);
		const late = run('a', [], { deadline: start + SECOND });
		await clock.advance(SECOND);
		expect(await late).toEqual({ kind: 'expired', waitedMs: 0, retryAfterMs: 990, refusals: 0 });
		expect(namesSent()).toBe('');
	});

	test('it leaves at its deadline when only an answer could give it its turn', async () => {
		const { clock, start, queue, run } = timedQueue({ callsPerMinute: 10 });
		let refused = false;
		void queue.run(async () => {
			await clock.sleep(refused ? MINUTE : 10);
			if (refused) return answer('slow');
			refused = true;
			return refusal(SECOND);
		});
		await clock.advance(2 * SECOND);
		let left = 0;
		const late = run('a', [], { deadline: start + 5 * SECOND });
		void late.then(() => (left = clock.monotonic() - start));
		await clock.run();
		expect(await late).toMatchObject({ kind: 'expired', waitedMs: 3 * SECOND });
		expect(left).toBe(5 * SECOND);
	});

	test('it leaves at once when a pause is known to last longer', async () => {
		const { clock, start, run } = timedQueue({ callsPerMinute: 10 });
		const refused = run('a', [refusal(60 * MINUTE)], { deadline: start + 2 * MINUTE });
		await clock.advance(10);
		expect(await refused).toEqual({
			kind: 'expired',
			waitedMs: 0,
			retryAfterMs: 60 * MINUTE,
			refusals: 1,
		});
		expect(clock.sleeping).toBe(0);
	});

	test('it leaves at once when no place becomes free in time', async () => {
		const { clock, start, run, namesSent } = timedQueue({ callsPerMinute: 1 });
		void run('a');
		await clock.advance(SECOND);
		const late = await run('b', [], { deadline: start + 30 * SECOND });
		expect(late).toMatchObject({ kind: 'expired', waitedMs: 0, refusals: 0 });
		expect(late).toHaveProperty('retryAfterMs', MINUTE + 50 + 10 - SECOND);
		expect(namesSent()).toBe('a');
	});

	test('it stays while a place may become free in time', async () => {
		const { clock, start, run, timesSent } = timedQueue({ callsPerMinute: 1 });
		void run('a');
		const kept = run('b', [], { deadline: start + MINUTE + SECOND });
		await clock.run();
		expect((await kept).kind).toBe('answered');
		expect(timesSent()[1]).toBeLessThan(MINUTE + SECOND);
	});

	test('a deadline that has passed already lets nothing out', async () => {
		const { start, run, namesSent } = timedQueue();
		expect(await run('a', [], { deadline: start })).toEqual({
			kind: 'expired',
			waitedMs: 0,
			retryAfterMs: 0,
			refusals: 0,
		});
		expect(namesSent()).toBe('');
	});
});

describe('cancellation', () => {
	test('a waiting call leaves at once', async () => {
		const { clock, run, namesSent } = timedQueue({ callsPerMinute: 1 });
		const { controller, signal } = countedSignal();
		void run('a');
		const waiting = run('b', [], { signal });
		await clock.advance(3 * SECOND);
		controller.abort();
		expect(await waiting).toEqual({ kind: 'cancelled', waitedMs: 3 * SECOND });
		await clock.run();
		expect(namesSent()).toBe('a');
	});

	test('so does a refused one', async () => {
		const { clock, run, namesSent } = timedQueue();
		const { controller, signal } = countedSignal();
		const refused = run('a', [refusal(MINUTE)], { signal });
		await clock.advance(4 * SECOND);
		controller.abort();
		expect(await refused).toEqual({ kind: 'cancelled', waitedMs: 4 * SECOND - 10 });
		await clock.run();
		expect(namesSent()).toBe('a');
	});

	test('what is on the wire is answered all the same', async () => {
		const { clock, run } = timedQueue();
		const { controller, signal } = countedSignal();
		const onTheWire = run('a', [], { signal });
		controller.abort();
		await clock.run();
		expect((await onTheWire).kind).toBe('answered');
	});

	test('but what is refused after that does not come back', async () => {
		const { clock, run, namesSent } = timedQueue();
		const { controller, signal } = countedSignal();
		const onTheWire = run('a', [refusal(SECOND)], { signal });
		controller.abort();
		await clock.run();
		expect((await onTheWire).kind).toBe('cancelled');
		expect(namesSent()).toBe('a');
	});

	test('a signal that has aborted already lets nothing out', async () => {
		const { run, namesSent } = timedQueue();
		const outcome = await run('a', [], { signal: AbortSignal.abort() });
		expect(outcome).toEqual({ kind: 'cancelled', waitedMs: 0 });
		expect(namesSent()).toBe('');
	});

	test('one listener serves all calls of a signal, and none stays behind', async () => {
		const { clock, start, run } = timedQueue({ callsPerMinute: 2 });
		const { signal, listeners } = countedSignal();
		for (let n = 0; n < 5; n++) void run('x', [refusal(SECOND)], { signal });
		void run('late', [], { signal, deadline: start + 90 * SECOND });
		await clock.advance(10);
		expect(listeners()).toBe(1);
		await clock.run();
		expect(listeners()).toBe(0);
	});

	test('a cancelled workflow takes its calls and its timer along, and no one else', async () => {
		const { clock, run, namesSent } = timedQueue({ callsPerMinute: 1 });
		const { controller, signal, listeners } = countedSignal();
		void run('a');
		await clock.advance(20);
		for (const name of 'bcd') void run(name, [], { signal });
		const other = run('e');
		controller.abort();
		expect(listeners()).toBe(0);
		expect(clock.sleeping).toBe(1);
		await clock.run();
		expect((await other).kind).toBe('answered');
		expect(namesSent()).toBe('ae');
	});
});

describe('timers', () => {
	test('the timer of a queue goes with the last call that waits', async () => {
		const { clock, run } = timedQueue({ callsPerMinute: 1 });
		const { controller, signal } = countedSignal();
		void run('a');
		await clock.advance(20);
		void run('b', [], { signal });
		expect(clock.sleeping).toBe(1);
		controller.abort();
		await clock.advance(0);
		expect(clock.sleeping).toBe(0);
	});

	test('an earlier deadline takes the place of the timer there is', async () => {
		const { clock, start, queue, run } = timedQueue();
		let refused = false;
		void queue.run(async () => {
			if (refused) return await new Promise(() => undefined);
			refused = true;
			return refusal(SECOND);
		});
		await clock.advance(2 * SECOND);
		const left: number[] = [];
		for (const seconds of [9, 8, 7]) {
			const late = run('x', [], { deadline: start + seconds * SECOND });
			void late.then(() => left.push((clock.monotonic() - start) / SECOND));
		}
		await clock.advance(0);
		expect(clock.sleeping).toBe(1);
		await clock.run();
		expect(left).toEqual([7, 8, 9]);
	});

	test('a queue sleeps at most once at a time, and not at all when nobody waits', async () => {
		const { clock, start, queue } = timedQueue({ callsPerMinute: 1 });
		const instantly = async () => await Promise.resolve(answer(1));
		void queue.run(instantly);
		for (let n = 0; n < 20; n++) void queue.run(instantly, { deadline: start + (40 - n) * MINUTE });
		await clock.advance(1);
		expect(clock.sleeping).toBe(1);
		await clock.run();
		expect(clock.sleeping).toBe(0);
		expect(queue.isIdle()).toBe(false);
		await clock.advance(MINUTE + 50);
		expect(queue.isIdle()).toBe(true);
	});

	test('it wakes only for a turn or a deadline', async () => {
		const clock = new FakeClock();
		const sleep = jest.spyOn(clock, 'sleep');
		const queue = new CallQueue({ callsPerMinute: 1, clock, random: () => 0 });
		for (let n = 0; n < 10; n++) void queue.run(async () => await Promise.resolve(answer(n)));
		await clock.run();
		expect(sleep).toHaveBeenCalledTimes(9);
	});
});
