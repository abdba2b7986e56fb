import { CallQueue, type Attempt, type RunOptions } from '../../../transport/queue/callQueue';
import { FakeClock } from '../../support/fakeClock.cts';

export const SECOND = 1_000;
export const MINUTE = 60_000;

export const answer = <T>(value: T): Attempt<T> => ({ kind: 'answered', value });
export const refusal = (retryAfterMs?: number): Attempt<never> => ({
	kind: 'refused',
	retryAfterMs,
});

/** A queue under a fake clock that notes when each call is sent. Each call is on the wire for 10 ms. */
export function timedQueue(
	options: { callsPerMinute?: number; random?: number; clock?: FakeClock } = {},
) {
	const clock = options.clock ?? new FakeClock();
	const start = clock.monotonic();
	const queue = new CallQueue({
		callsPerMinute: options.callsPerMinute,
		clock,
		random: () => options.random ?? 0,
	});
	const sent: Array<[name: string, atMs: number]> = [];
	/** Runs a call that gets the given results in turn, then answers. */
	const run = async (name: string, results: Array<Attempt<never>> = [], more: RunOptions = {}) => {
		const left = [...results];
		return await queue.run(async () => {
			sent.push([name, clock.monotonic() - start]);
			await clock.sleep(10);
			return left.shift() ?? answer(name);
		}, more);
	};
	const namesSent = () => sent.map(([name]) => name).join('');
	const timesSent = () => sent.map(([, atMs]) => atMs);
	return { clock, start, queue, run, sent, namesSent, timesSent };
}
