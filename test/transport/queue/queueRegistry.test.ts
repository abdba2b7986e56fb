import type { Attempt } from '../../../transport/queue/callQueue';
import { QueueRegistry, queueFor } from '../../../transport/queue/queueRegistry';
import { FakeClock } from '../../support/fakeClock.cts';

const answered = async (): Promise<Attempt<number>> =>
	await Promise.resolve({ kind: 'answered', value: 1 });

function setUp() {
	const clock = new FakeClock();
	return { clock, registry: new QueueRegistry(clock, () => 0) };
}

test('a token has one queue, another token another one', () => {
	const { registry } = setUp();
	const queue = registry.queueFor('a', 100, 'credential 1');
	void queue.run(answered);
	expect(registry.queueFor('b', 100, 'credential 1')).not.toBe(queue);
	expect(registry.queueFor('a', 100, 'credential 1')).toBe(queue);
});

test('an edited limit applies to the queue there is', async () => {
	const { clock, registry } = setUp();
	let sent = 0;
	for (let n = 0; n < 3; n++) {
		void registry.queueFor('a', 1, 'credential 1').run(async () => {
			sent += 1;
			return await answered();
		});
	}
	registry.queueFor('a', 3, 'credential 1');
	await clock.advance(1);
	expect(sent).toBe(3);
});

test('of two credentials with one token the smaller limit counts, whichever comes last', async () => {
	const { clock, registry } = setUp();
	let sent = 0;
	const run = (limit: number | undefined, credential: string) =>
		void registry.queueFor('a', limit, credential).run(async () => {
			sent += 1;
			return await answered();
		});
	run(2, 'careful');
	for (let n = 0; n < 5; n++) run(100, 'generous');
	run(undefined, 'boundless');
	await clock.advance(1);
	expect(sent).toBe(2);
	expect(registry.queueFor('a', 50, 'careful').callsPerMinute).toBe(50);
});

test('a queue is dropped when nothing of it matters any more, and not before', async () => {
	const { clock, registry } = setUp();
	const queue = registry.queueFor('a', 1, 'credential 1');
	void queue.run(answered);
	await clock.advance(60_000);
	registry.queueFor('b', 1, 'credential 1');
	expect(registry.queueFor('a', 1, 'credential 1')).toBe(queue);
	await clock.advance(60);
	registry.queueFor('c', 1, 'credential 1');
	expect(registry.queueFor('a', 1, 'credential 1')).not.toBe(queue);
});

test('a queue that pauses or has learned a rate is kept', async () => {
	const { clock, registry } = setUp();
	const queue = registry.queueFor('a', 10, 'credential 1');
	let refused = false;
	void queue.run(async () => {
		if (refused) return await answered();
		refused = true;
		return { kind: 'refused', retryAfterMs: 90_000 };
	});
	await clock.advance(80_000);
	registry.queueFor('b', 10, 'credential 1');
	expect(registry.queueFor('a', 10, 'credential 1')).toBe(queue);
	await clock.advance(80_000);
	registry.queueFor('c', 10, 'credential 1');
	expect(registry.queueFor('a', 10, 'credential 1')).toBe(queue);
});

test('a pause outlives the calls that met it', async () => {
	const { clock, registry } = setUp();
	const queue = registry.queueFor('a', 10, 'credential 1');
	const outcome = queue.run(
		async () => await Promise.resolve({ kind: 'refused', retryAfterMs: 10 * 60_000 }),
		{ deadline: clock.monotonic() + 60_000 },
	);
	await clock.advance(5 * 60_000);
	expect((await outcome).kind).toBe('expired');
	registry.queueFor('b', 10, 'credential 1');
	expect(registry.queueFor('a', 10, 'credential 1')).toBe(queue);
	await clock.advance(5 * 60_000);
	registry.queueFor('c', 10, 'credential 1');
	expect(registry.queueFor('a', 10, 'credential 1')).not.toBe(queue);
});

test('two thousand tokens used once do not stay in memory', async () => {
	const { clock, registry } = setUp();
	for (let n = 0; n < 2_000; n += 100) {
		for (let token = n; token < n + 100; token++) {
			void registry.queueFor(`token ${token}`, 100, 'credential 1').run(answered);
		}
		await clock.advance(61_000);
	}
	expect(registry.size).toBeLessThanOrEqual(100);
});

test('the process has its own registry', () => {
	const queue = queueFor('some digest', 100, 'credential 1');
	void queue.run(answered);
	expect(queueFor('some digest', 100, 'credential 1')).toBe(queue);
});
