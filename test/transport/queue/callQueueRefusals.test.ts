import type { Attempt } from '../../../transport/queue/callQueue';
import { answer, MINUTE, refusal, SECOND, timedQueue } from '../support/timedQueue';

describe('refusals', () => {
	test('the refused call goes first again, after the time the service asked for', async () => {
		const { clock, run, namesSent, timesSent } = timedQueue({ callsPerMinute: 10 });
		void run('a', [refusal(7 * SECOND)]);
		await clock.advance(20);
		void run('b');
		await clock.run();
		expect(namesSent()).toBe('aab');
		expect(timesSent()[1]).toBe(10 + 7 * SECOND);
	});

	test('several refused calls go back to the head in the order they had', async () => {
		const { clock, queue, run, namesSent } = timedQueue();
		const sentLast: string[] = [];
		const slow = async (name: string, ms: number) => {
			let refused = false;
			await queue.run(async () => {
				if (refused) sentLast.push(name);
				await clock.sleep(ms);
				if (refused) return answer(name);
				refused = true;
				return refusal(SECOND);
			});
		};
		void slow('a', 300);
		void slow('b', 100);
		void slow('c', 200);
		await clock.advance(350);
		void run('d');
		await clock.run();
		expect(sentLast).toEqual(['a', 'b', 'c']);
		expect(namesSent()).toBe('d');
	});

	test('after a pause one call goes ahead, and no other until it is accepted', async () => {
		const { clock, run, sent } = timedQueue({ callsPerMinute: 100 });
		void run('a', [refusal(SECOND), refusal(SECOND)]);
		await clock.advance(20);
		for (const name of 'bcd') void run(name);
		await clock.advance(SECOND + 5);
		expect(sent.slice(1)).toEqual([['a', SECOND + 10]]);
		await clock.run();
		expect(sent.slice(2)[0]).toEqual(['a', 2 * SECOND + 20]);
		expect(sent.slice(3).every(([, atMs]) => atMs >= 2 * SECOND + 30)).toBe(true);
	});

	test('while the answer to that call takes long, as that of an upload, the others go on', async () => {
		const { clock, start, queue, run, timesSent } = timedQueue({ callsPerMinute: 100 });
		const upload: number[] = [];
		void queue.run(async (): Promise<Attempt<string>> => {
			upload.push(clock.monotonic() - start);
			if (upload.length === 1) return refusal(SECOND);
			await clock.sleep(10 * MINUTE);
			return answer('uploaded');
		});
		await clock.advance(20);
		for (const name of 'bcd') void run(name);
		await clock.advance(30 * SECOND);
		expect(upload).toEqual([0, SECOND]);
		expect(timesSent()).toHaveLength(3);
		expect(Math.min(...timesSent())).toBeGreaterThanOrEqual(10 * SECOND);
	});

	test('then the others follow at once, where no rate could be measured', async () => {
		const { clock, run, timesSent } = timedQueue();
		void run('a', [refusal(SECOND)]);
		await clock.advance(20);
		for (let n = 0; n < 20; n++) void run('x');
		await clock.run();
		expect(timesSent().slice(1)).toEqual([SECOND + 10, ...Array<number>(20).fill(SECOND + 20)]);
	});

	test('where a rate was measured, slow answers do not hold the others up', async () => {
		const { clock, start, queue, run } = timedQueue({ callsPerMinute: 60 });
		for (let n = 0; n < 30; n++) void run('x');
		await clock.advance(20);
		await Promise.all([run('a', [refusal(SECOND)]), clock.advance(2 * SECOND)]);
		const sent: number[] = [];
		for (let n = 0; n < 20; n++) {
			void queue.run(async () => {
				sent.push(clock.monotonic() - start);
				await clock.sleep(MINUTE);
				return answer(n);
			});
		}
		await clock.advance(20 * SECOND);
		expect(sent.length).toBeGreaterThan(15);
	});

	test('calls refused together are one refusal: the pause does not grow with their number', async () => {
		const { clock, run, timesSent } = timedQueue({ random: 1 });
		for (let n = 0; n < 20; n++) void run('x', [refusal()]);
		await clock.run();
		expect(timesSent()[20]).toBe(10 + SECOND);
	});

	test('a late refusal of the round before still makes its own Retry-After heard', async () => {
		const { clock, start, queue, run, sent } = timedQueue();
		void run('a', [refusal(SECOND)]);
		let refused = false;
		void queue.run(async () => {
			sent.push(['b', clock.monotonic() - start]);
			await clock.sleep(500);
			if (refused) return answer('b');
			refused = true;
			return refusal(30 * SECOND);
		});
		await clock.run();
		expect(sent.slice(2)).toEqual([
			['a', 30 * SECOND + 500],
			['b', 30 * SECOND + 510],
		]);
	});

	test.each([
		['the most', 1, [1, 2, 4, 8, 16, 32, 60, 60]],
		['the least', 0, [0.5, 1, 2, 4, 8, 16, 30, 30]],
	])('without Retry-After it backs off, with jitter: %s', async (_, random, seconds) => {
		const { clock, run, timesSent } = timedQueue({ random });
		void run('a', Array<Attempt<never>>(8).fill(refusal()));
		await clock.run();
		const pauses = timesSent().map((atMs, n) => (atMs - (timesSent()[n - 1] ?? 0) - 10) / SECOND);
		expect(pauses.slice(1)).toEqual(seconds);
	});

	test('the back-off begins anew after a success', async () => {
		const { clock, run, timesSent } = timedQueue({ random: 1 });
		await Promise.all([run('a', [refusal(), refusal()]), clock.run()]);
		const before = clock.now();
		await Promise.all([run('b', [refusal()]), clock.run()]);
		expect(clock.now() - before).toBe(SECOND + 20);
		expect(timesSent()).toHaveLength(5);
	});

	test.each([0, -3, Number.NaN, Infinity])(
		'a Retry-After of %p ms is none',
		async (retryAfterMs) => {
			const { clock, run, timesSent } = timedQueue({ random: 1 });
			void run('a', [refusal(retryAfterMs)]);
			await clock.run();
			expect(timesSent()[1]).toBe(10 + SECOND);
		},
	);

	test('a service that keeps naming too short a time is asked less and less often', async () => {
		const { clock, run, timesSent } = timedQueue({ random: 1 });
		void run('a', Array<Attempt<never>>(6).fill(refusal(100)));
		await clock.run();
		const pauses = timesSent().map((atMs, n) => atMs - (timesSent()[n - 1] ?? 0) - 10);
		expect(pauses.slice(1)).toEqual([100, 100, SECOND, 2 * SECOND, 4 * SECOND, 8 * SECOND]);
	});

	test('a day of Retry-After is waited for', async () => {
		const { clock, run, timesSent } = timedQueue({ callsPerMinute: 10 });
		void run('a', [refusal(24 * 60 * MINUTE)]);
		await clock.run();
		expect(timesSent()[1]).toBe(10 + 24 * 60 * MINUTE);
	});

	test('the answer says how long the call waited and how often it was refused', async () => {
		const { clock, run } = timedQueue({ callsPerMinute: 10 });
		const outcome = run('a', [refusal(7 * SECOND), refusal(8 * SECOND)]);
		await clock.run();
		expect(await outcome).toEqual({
			kind: 'answered',
			value: 'a',
			waitedMs: 15 * SECOND,
			refusals: 2,
		});
	});
});

describe('a lower rate after a refusal', () => {
	/** Has some calls accepted and then one refused without Retry-After. */
	async function afterARefusal(accepted: number, laterMs: number) {
		const world = timedQueue({ callsPerMinute: 100 });
		for (let n = 0; n < accepted; n++) void world.run('x');
		await world.clock.advance(laterMs);
		void world.run('a', [refusal()]);
		await world.clock.advance(SECOND);
		/** When calls are sent that come together at `atMs`, as distances from that time. */
		const sentAfter = async (atMs: number, count: number) => {
			await world.clock.advance(world.start + atMs - world.clock.monotonic());
			const before = world.sent.length;
			for (let n = 0; n < count; n++) void world.run('x');
			await world.clock.advance(MINUTE);
			return world
				.timesSent()
				.slice(before)
				.map((sentAtMs) => sentAtMs - atMs);
		};
		return { ...world, sentAfter };
	}

	test('spreads the calls evenly', async () => {
		const { sentAfter } = await afterARefusal(40, 50 * SECOND);
		const [first, second, third] = await sentAfter(60 * SECOND, 3);
		expect(second - first).toBeGreaterThan(SECOND);
		expect(third - second).toBe(second - first);
	});

	test.each([
		['many calls', 40, 3],
		['a single call', 1, 6],
	])('is forgotten within minutes, also after %s', async (_, accepted, minutes) => {
		const { sentAfter } = await afterARefusal(accepted, 50 * SECOND);
		expect(await sentAfter(minutes * MINUTE, 5)).toEqual([0, 0, 0, 0, 0]);
	});
});
