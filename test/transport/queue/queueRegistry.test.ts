import type { Attempt } from '../../../transport/queue/callQueue';
import { QueueRegistry, queueFor } from '../../../transport/queue/queueRegistry';
import { queueKey } from '../../../transport/queueKey';
import { expectCost } from '../../support/expectCost.cts';
import { FakeClock } from '../../support/fakeClock.cts';

const answered = async (): Promise<Attempt<number>> =>
	await Promise.resolve({ kind: 'answered', value: 1 });

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

function setUp() {
	const clock = new FakeClock();
	const registry = new QueueRegistry(clock, () => 0);
	/** What a node asks for that has read the credential just now. */
	const queueFor = (key: string, callsPerMinute?: number, credentialId = 'credential 1') =>
		registry.queueFor(key, { credentialId, callsPerMinute, statedAt: clock.monotonic() });
	return { clock, registry, queueFor };
}

test('a token has one queue, another token another one', () => {
	const { queueFor } = setUp();
	const queue = queueFor('a');
	expect(queueFor('b')).not.toBe(queue);
	expect(queueFor('a')).toBe(queue);
});

test('a key tells addresses and tokens apart, and shows neither', () => {
	const key = queueKey('https://a.example', ['token 1']);
	expect(queueKey('https://a.example', ['token 1'])).toBe(key);
	expect(queueKey('https://a.example', ['token 2'])).not.toBe(key);
	expect(queueKey('https://b.example', ['token 1'])).not.toBe(key);
	expect(key).not.toMatch(/token|example/);
});

describe('the limit', () => {
	test('that was edited applies to the queue there is', async () => {
		const { clock, queueFor } = setUp();
		let sent = 0;
		for (let n = 0; n < 3; n++) {
			void queueFor('a', 1).run(async () => {
				sent += 1;
				return await answered();
			});
		}
		queueFor('a', 3);
		await clock.advance(1);
		expect(sent).toBe(3);
	});

	test('can be asked for: it is what the newest reading of each credential says', async () => {
		const { clock, registry, queueFor } = setUp();
		expect(registry.callsPerMinute('a')).toBeUndefined();
		queueFor('a', 10);
		queueFor('a', 100, 'another');
		expect(registry.callsPerMinute('a')).toBe(10);
		await clock.advance(1);
		queueFor('a', 600);
		expect(registry.callsPerMinute('a')).toBe(100);
	});

	test('of two credentials with one token is the smaller, whichever comes last', async () => {
		const { clock, queueFor } = setUp();
		let sent = 0;
		const run = (limit: number | undefined, credential: string) =>
			void queueFor('a', limit, credential).run(async () => {
				sent += 1;
				return await answered();
			});
		run(2, 'careful');
		for (let n = 0; n < 5; n++) run(100, 'generous');
		run(undefined, 'boundless');
		await clock.advance(1);
		expect(sent).toBe(2);
		expect(queueFor('a', 50, 'careful').callsPerMinute).toBe(50);
	});

	test.each([
		['lowered', 100, 10],
		['raised', 10, 100],
	])('%s in the credential stays, whatever an older execution has read', async (_, old, edited) => {
		const { clock, registry, queueFor } = setUp();
		const older = {
			credentialId: 'credential 1',
			callsPerMinute: old,
			statedAt: clock.monotonic(),
		};
		registry.queueFor('a', older);
		await clock.advance(1000);
		queueFor('a', edited);
		for (let hour = 0; hour < 30; hour++) {
			expect(registry.queueFor('a', older).callsPerMinute).toBe(edited);
			await clock.advance(HOUR);
		}
	});

	test('of a credential that is used no more is forgotten after a day', async () => {
		const { clock, queueFor } = setUp();
		queueFor('a', 2, 'deleted');
		await clock.advance(DAY);
		expect(queueFor('a', 100, 'used').callsPerMinute).toBe(2);
		await clock.advance(60_000);
		expect(queueFor('a', 100, 'used').callsPerMinute).toBe(100);
	});
});

test('a queue is dropped a day after it was used last, and not before', async () => {
	const { clock, registry, queueFor } = setUp();
	const queue = queueFor('a', 1);
	void queue.run(answered);
	await clock.advance(DAY);
	queueFor('b');
	expect(registry.size).toBe(2);
	expect(queueFor('a', 1)).toBe(queue);
	await clock.advance(DAY + 1);
	queueFor('c');
	expect(registry.size).toBe(1);
});

test('a pause outlives the calls that met it, and so do calls that still wait', async () => {
	const { clock, queueFor } = setUp();
	const queue = queueFor('a', 10);
	let sent = 0;
	const attempt = async (): Promise<Attempt<number>> =>
		await Promise.resolve(sent++ === 0 ? { kind: 'refused', retryAfterMs: 3 * DAY } : answered());
	const outcome = queue.run(attempt, { deadline: clock.monotonic() + 60_000 });
	await clock.advance(2 * DAY);
	expect((await outcome).kind).toBe('expired');
	queueFor('b');
	expect(queueFor('a', 10)).toBe(queue);
	void queue.run(attempt);
	await clock.advance(DAY - 1);
	queueFor('b');
	expect(queueFor('a', 10)).toBe(queue);
	expect(sent).toBe(1);
});

test('two thousand tokens used once do not stay in memory', async () => {
	const { clock, registry, queueFor } = setUp();
	for (let token = 0; token < 2000; token++) {
		void queueFor(`token ${token}`, 100).run(answered);
		await clock.advance(HOUR);
	}
	expect(registry.size).toBeLessThanOrEqual(26);
});

test('a header that differs at each call leaves no queue behind, unless its call was refused', async () => {
	const { clock, registry, queueFor } = setUp();
	for (let call = 0; call < 1000; call++) {
		void queueFor(`nonce ${call}`).run(answered);
		await clock.advance(60_000);
	}
	expect(registry.size).toBeLessThanOrEqual(13);
	const refused: Attempt<number> = { kind: 'refused', retryAfterMs: DAY };
	const ends = { deadline: clock.monotonic() + 60_000 };
	void queueFor('refused').run(async () => await Promise.resolve(refused), ends);
	await clock.advance(HOUR);
	queueFor('a', 1);
	expect(registry.size).toBe(2);
});

test('twenty thousand tokens in use cost no more each than one', async () => {
	await expectCost(1, () => {
		const { queueFor } = setUp();
		for (let token = 0; token < 20_000; token++) queueFor(`token ${token}`);
	});
});

test('the process has its own registry', () => {
	const stated = { credentialId: 'credential 1', callsPerMinute: 100, statedAt: 0 };
	const queue = queueFor('some digest', stated);
	expect(queueFor('some digest', stated)).toBe(queue);
});
