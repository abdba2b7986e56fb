import type { WaitRequest, WaitOutcome } from '../../../../nodes/ContentScan/verdict/waitingScan';
import { VerdictLookups } from '../../../../nodes/ContentScan/verdict/verdictLookups';
import { FakeClock } from '../../../support/fakeClock.cts';
import { FakeService, scanService } from './fakeService';
import type { Sent } from './fakeService';

/** Lookups of a fake list of scans, on a clock that goes on only when told. */

export const START = 1_700_000_000_000;
export const SECOND = 1000;

export type Reply = (sent: Sent, now: number) => unknown;

export function setUp(reply: Reply, callsPerMinute = 100) {
	const clock = new FakeClock({ start: START });
	const service = new FakeService((sent) => reply(sent, clock.now()));
	const scans = scanService(service, {}, callsPerMinute);
	const lookups = new VerdictLookups(clock);
	const execution = { scans };
	const wait = (scanId: string, seconds = 300, more: Partial<WaitRequest> = {}) => {
		const waitUntil = clock.monotonic() + seconds * SECOND;
		const listTo = (more.listFrom ?? START) + 120 * SECOND;
		return lookups.waitFor({ scanId, listFrom: START, listTo, waitUntil, ...execution, ...more });
	};
	/** Another execution with the same token. */
	const another = () => ({ scans: { ...scans } });
	return { clock, service, wait, another };
}

export function list(...results: object[]) {
	return { count: results.length, results, next: null, has_more: false };
}

export const finished = (id: unknown, code = 'CLN') => ({
	id,
	finished_at: '2026-11-01T08:00:00Z',
	verbose_verdict: code,
});
export const running = (id: unknown) => ({ id, finished_at: null });

/** Seconds after the start at which the service was asked. */
export function askedAt(reply: Reply): { reply: Reply; seconds: number[] } {
	const seconds: number[] = [];
	return {
		seconds,
		reply: (sent, now) => {
			seconds.push((now - START) / SECOND);
			return reply(sent, now);
		},
	};
}

export async function outcomesOf(waits: Array<Promise<WaitOutcome>>, clock: FakeClock) {
	const settled = Promise.allSettled(waits);
	await clock.run();
	return await settled;
}
