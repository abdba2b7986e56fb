import type { WaitOutcome } from '../../../../nodes/ContentScan/verdict/waitingScan';
import type { FakeClock } from '../../../support/fakeClock.cts';
import { Refusal } from '../support/fakeService';
import { macrotask } from '../../../support/macrotask.cts';
import { garbageCollector } from '../../../support/transport/memory.cts';
import { finished, list, running, SECOND, setUp, START } from '../support/fakeList';

/** What becomes of the waits where the first is ended after so many seconds. */
async function whenEnded(
	stop: AbortController,
	seconds: number,
	clock: FakeClock,
	waits: Array<Promise<WaitOutcome>>,
) {
	const outcomes = Promise.allSettled(waits);
	await clock.advance(seconds * SECOND);
	stop.abort();
	await clock.run();
	return await outcomes;
}

const firstAloneEnded = [
	{ reason: { message: expect.stringContaining('waited for its verdict') } },
	{ value: { finished: true } },
];

describe('a wait that is ended early', () => {
	it('stops, while the others go on', async () => {
		const stop = new AbortController();
		const { clock, wait } = setUp((_, now) =>
			list(running(1), now < START + 30 * SECOND ? running(2) : finished(2)),
		);
		const ended = wait('1', 300, { signal: stop.signal });
		const other = wait('2');
		expect(await whenEnded(stop, 5, clock, [ended, other])).toMatchObject(firstAloneEnded);
	});

	it('while it reads the list for all costs no other its last lookup', async () => {
		const stop = new AbortController();
		const { clock, wait, another } = setUp(async ({ context }, now): Promise<unknown> => {
			await clock.sleep(0.8 * SECOND, context.signal);
			if (context.signal?.aborted) return new Refusal(0, 'cancelledOnTheWay');
			return list(running(1), now < START + 8 * SECOND ? running(2) : finished(2));
		});
		const { signal } = stop;
		const ended = wait('1', 300, { signal });
		const other = wait('2', 10, another());
		expect(await whenEnded(stop, 9.2, clock, [ended, other])).toMatchObject(firstAloneEnded);
	});

	it('makes no further call when nobody waits any more', async () => {
		const stop = new AbortController();
		const { clock, wait, service } = setUp(() => list(running(1)));
		const ended = wait('1', 300, { signal: stop.signal }).catch(() => 'ended');
		await clock.advance(10 * SECOND);
		const before = service.sent.length;
		stop.abort();
		expect(await ended).toBe('ended');
		await macrotask();
		expect(clock.sleeping).toBe(0);
		expect(service.sent).toHaveLength(before);
	});

	it('does not begin when it is ended already', async () => {
		const { clock, wait, service } = setUp(() => list());
		await expect(wait('1', 300, { signal: AbortSignal.abort() })).rejects.toThrow(
			'waited for its verdict',
		);
		await clock.run();
		expect(service.sent).toHaveLength(0);
	});
});

it.each([
	['verdicts', finished(1)],
	['none', running(1)],
])('once all waits have ended (%s), nothing of their executions is kept', async (_, record) => {
	const { clock, wait, another, service } = setUp(() => list(record));
	const waitOnce = async () => {
		const execution = another();
		const outcome = wait('1', 30, execution);
		await clock.run();
		await outcome;
		return new WeakRef(execution.scans);
	};
	const held = await waitOnce();
	await macrotask();
	service.sent.length = 0;
	garbageCollector()();
	expect(held.deref()).toBeUndefined();
	await expect(waitOnce()).resolves.toBeDefined();
});
