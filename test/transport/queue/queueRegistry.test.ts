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
	const queue = registry.queueFor('a', 100);
	void queue.run(answered);
	expect(registry.queueFor('b', 100)).not.toBe(queue);
	expect(registry.queueFor('a', 100)).toBe(queue);
});

test('an edited limit applies to the queue there is', async () => {
	const { clock, registry } = setUp();
	let sent = 0;
	for (let n = 0; n < 3; n++) {
		void registry.queueFor('a', 1).run(async () => {
			sent += 1;
			return await answered();
		});
	}
	registry.queueFor('a', 3);
	await clock.advance(1);
	expect(sent).toBe(3);
});

test('a queue is dropped when nothing of it matters any more, and not before', async () => {
	const { clock, registry } = setUp();
	const queue = registry.queueFor('a', 1);
	void queue.run(answered);
	await clock.advance(60_000);
	registry.queueFor('b', 1);
	expect(registry.queueFor('a', 1)).toBe(queue);
	await clock.advance(60);
	registry.queueFor('c', 1);
	expect(registry.queueFor('a', 1)).not.toBe(queue);
});

test('a queue that pauses or has learned a rate is kept', async () => {
	const { clock, registry } = setUp();
	const queue = registry.queueFor('a', 10);
	let refused = false;
	void queue.run(async () => {
		if (refused) return await answered();
		refused = true;
		return { kind: 'refused', retryAfterMs: 90_000 };
	});
	await clock.advance(80_000);
	registry.queueFor('b', 10);
	expect(registry.queueFor('a', 10)).toBe(queue);
	await clock.advance(80_000);
	registry.queueFor('c', 10);
	expect(registry.queueFor('a', 10)).toBe(queue);
});

test('a pause outlives the calls that met it', async () => {
	const { clock, registry } = setUp();
	const queue = registry.queueFor('a', 10);
	const outcome = queue.run(
		async () => await Promise.resolve({ kind: 'refused', retryAfterMs: 10 * 60_000 }),
		{ deadline: clock.now() + 60_000 },
	);
	await clock.advance(5 * 60_000);
	expect((await outcome).kind).toBe('expired');
	registry.queueFor('b', 10);
	expect(registry.queueFor('a', 10)).toBe(queue);
	await clock.advance(5 * 60_000);
	registry.queueFor('c', 10);
	expect(registry.queueFor('a', 10)).not.toBe(queue);
});

test('two thousand tokens used once do not stay in memory', async () => {
	const { clock, registry } = setUp();
	for (let n = 0; n < 2_000; n += 100) {
		for (let token = n; token < n + 100; token++) {
			void registry.queueFor(`token ${token}`, 100).run(answered);
		}
		await clock.advance(61_000);
	}
	expect(registry.size).toBeLessThanOrEqual(100);
});

test('the process has its own registry', () => {
	const queue = queueFor('some digest', 100);
	void queue.run(answered);
	expect(queueFor('some digest', 100)).toBe(queue);
});
