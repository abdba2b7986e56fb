import { answer, MINUTE, refusal, SECOND, timedQueue } from '../support/timedQueue';

describe('pace', () => {
	test('as many calls as the license allows go out at once', async () => {
		const { clock, run, timesSent } = timedQueue({ callsPerMinute: 3 });
		for (const name of 'abc') void run(name);
		await clock.advance(1);
		expect(timesSent()).toEqual([0, 0, 0]);
	});

	test('the next one follows a minute after the answer to the first, and not much later', async () => {
		const { clock, run, timesSent } = timedQueue({ callsPerMinute: 3 });
		for (const name of 'abcd') void run(name);
		await clock.run();
		expect(timesSent()[3]).toBeGreaterThan(10 + MINUTE);
		expect(timesSent()[3]).toBeLessThanOrEqual(10 + MINUTE + 50);
	});

	test('a call keeps its place as long as it is on the wire', async () => {
		const { clock, start, queue } = timedQueue({ callsPerMinute: 1 });
		void queue.run(async () => {
			await clock.sleep(10 * MINUTE);
			return answer(1);
		});
		let sentAt = 0;
		void queue.run(async () => {
			sentAt = clock.monotonic() - start;
			return answer(2);
		});
		await clock.run();
		expect(sentAt).toBeGreaterThan(11 * MINUTE);
	});

	test('without a license limit every call goes out at once', async () => {
		const { clock, run, timesSent } = timedQueue();
		for (let n = 0; n < 500; n++) void run('x');
		await clock.run();
		expect(timesSent().every((atMs) => atMs === 0)).toBe(true);
	});

	test('a call of a poll goes before those of executions, which leave it a slot', async () => {
		const { clock, run, sent } = timedQueue({ callsPerMinute: 10 });
		const poll = { isUrgent: true };
		void run('p', [], poll);
		for (let n = 0; n < 30; n++) void run('x');
		await clock.advance(30 * SECOND);
		void run('q', [], poll);
		await clock.advance(1);
		expect(sent.map(([name]) => name).join('')).toBe('pxxxxxxxq');
		for (const name of 'rs') void run(name, [], poll);
		await clock.advance(70 * SECOND);
		expect(sent.map(([name]) => name).join('')).toMatch(/^px{7}qrxsx{4}/);
	});

	test('where all have to wait, polls and executions go in turn', async () => {
		const { clock, run, sent } = timedQueue({ callsPerMinute: 100 });
		void run('r', [refusal(1000)]);
		await clock.advance(20);
		for (let n = 0; n < 20; n++) {
			void run('p', [], { isUrgent: true });
			void run('x');
		}
		await clock.advance(5 * MINUTE);
		expect(sent.map(([name]) => name).join('')).toMatch(/^rr(px){20}$/);
	});

	test('so they do where many calls were refused together', async () => {
		const { clock, run, sent } = timedQueue({ callsPerMinute: 100 });
		for (let n = 0; n < 20; n++) void run('x', [refusal(1000)]);
		void run('p', [refusal(1000)], { isUrgent: true });
		await clock.advance(20);
		for (let n = 0; n < 9; n++) void run('p', [], { isUrgent: true });
		await clock.advance(5 * MINUTE);
		expect(sent.map(([name]) => name).join('')).toMatch(/^x{20}p(xp){10}x{10}$/);
	});

	test('so they do where polls would take all calls that the license allows', async () => {
		const { clock, run, sent } = timedQueue({ callsPerMinute: 10 });
		for (let n = 0; n < 40; n++) {
			void run('p', [], { isUrgent: true });
			if (n === 20) for (const name of 'xyz') void run(name);
			await clock.advance(4 * SECOND);
		}
		expect(sent.map(([name]) => name).join('')).toMatch(/^p+xpypzp+$/);
	});

	test.each([
		[24 * 60, 8],
		[26 * 60, 10],
	])('%p minutes after the last poll, executions have %p slots', async (minutes, slots) => {
		const { clock, run, sent } = timedQueue({ callsPerMinute: 10 });
		void run('p', [], { isUrgent: true });
		await clock.advance(minutes * MINUTE);
		for (let n = 0; n < 30; n++) void run('x');
		await clock.advance(1);
		expect(sent).toHaveLength(1 + slots);
	});

	test.each([0, -5, 0.4, Number.NaN])('a limit of %p counts as 1', async (callsPerMinute) => {
		const { clock, run, timesSent } = timedQueue({ callsPerMinute });
		void run('a');
		void run('b');
		await clock.run();
		expect(timesSent()[0]).toBe(0);
		expect(timesSent()[1]).toBeGreaterThan(MINUTE);
	});

	test('a raised limit lets the waiting calls go at once', async () => {
		const { clock, queue, run, timesSent } = timedQueue({ callsPerMinute: 1 });
		for (const name of 'abc') void run(name);
		await clock.advance(5 * SECOND);
		queue.setCallsPerMinute(2);
		await clock.advance(1);
		queue.setCallsPerMinute(undefined);
		await clock.advance(1);
		expect(timesSent()).toEqual([0, 5 * SECOND, 5 * SECOND + 1]);
	});

	test('a lowered limit holds for the minute that has begun', async () => {
		const { clock, queue, run, timesSent } = timedQueue({ callsPerMinute: 3 });
		for (const name of 'ab') void run(name);
		await clock.advance(5 * SECOND);
		queue.setCallsPerMinute(2);
		void run('c');
		await clock.run();
		expect(timesSent()[2]).toBeGreaterThan(MINUTE);
	});

	test('a wall clock that is set forward lets nobody out early', async () => {
		const { clock, run, sent } = timedQueue({ callsPerMinute: 100 });
		for (let n = 0; n < 200; n++) void run('x');
		await clock.advance(57);
		clock.set(clock.now() + 61 * SECOND);
		void run('x');
		await clock.advance(SECOND);
		expect(sent).toHaveLength(100);
	});

	test('a wall clock that is set back holds nobody up', async () => {
		const { clock, run, sent } = timedQueue({ callsPerMinute: 1 });
		const begun = clock.now();
		void run('a');
		void run('b');
		await clock.advance(30 * SECOND);
		clock.set(clock.now() - 60 * MINUTE);
		await clock.advance(31 * SECOND);
		expect(sent.map(([name]) => name)).toEqual(['a', 'b']);
		expect(clock.now()).toBe(begun + MINUTE + SECOND - 60 * MINUTE);
	});
});

describe('a very long queue', () => {
	test('of 200,000 calls overflows nothing when its time is over', async () => {
		const { clock, start, queue, run } = timedQueue({ callsPerMinute: 1 });
		void run('a');
		const call = async () => await Promise.resolve(answer(1));
		const deadline = start + 50 * SECOND + 2 * MINUTE;
		const outcomes = Array.from(
			{ length: 200_000 },
			async () => await queue.run(call, { deadline }),
		);
		await clock.run();
		const kinds = (await Promise.all(outcomes)).map(({ kind }) => kind);
		expect(kinds.filter((kind) => kind === 'answered')).toHaveLength(2);
		expect(kinds.filter((kind) => kind === 'expired')).toHaveLength(199_998);
	}, 120_000);
});

describe('a failing attempt', () => {
	test('fails for its caller only', async () => {
		const { clock, queue, run } = timedQueue({ callsPerMinute: 2 });
		const failed = queue.run(async () => await Promise.reject(new Error('cut off')));
		const others = [run('a'), run('b')];
		await Promise.all([expect(failed).rejects.toThrow('cut off'), clock.run()]);
		expect((await Promise.all(others)).map(({ kind }) => kind)).toEqual(['answered', 'answered']);
	});

	test('also when it throws before it gives a promise', async () => {
		const { queue, clock, run } = timedQueue();
		const failed = queue.run(() => {
			throw new Error('no address');
		});
		await expect(failed).rejects.toThrow('no address');
		const next = run('a');
		await clock.run();
		expect((await next).kind).toBe('answered');
	});

	test('takes a place: the service may have counted it', async () => {
		const { clock, queue, run, timesSent } = timedQueue({ callsPerMinute: 1 });
		queue.run(async () => await Promise.reject(new Error('cut off'))).catch(() => undefined);
		void run('a');
		await clock.run();
		expect(timesSent()[0]).toBeGreaterThan(MINUTE);
	});

	test('ahead of the others after a pause, it lets the next one go ahead', async () => {
		const { clock, queue, run, namesSent } = timedQueue();
		let sentBefore = false;
		const failed = queue.run(async () => {
			if (sentBefore) throw new Error('cut off');
			sentBefore = true;
			return refusal(SECOND);
		});
		void run('b');
		await Promise.all([expect(failed).rejects.toThrow('cut off'), clock.run()]);
		expect(namesSent()).toBe('b');
	});
});
