import type { Sent } from './fakeService';
import { scan } from './runNode';

/** Submissions that wait for their verdict, and a fake service that lists what the test says. */

export const finished = { finished_at: '2026-11-01T08:00:09Z', verbose_verdict: 'MAL' };
export const clean = { finished_at: '2026-11-01T08:00:09Z', verbose_verdict: 'CLN' };
export const list = (...results: object[]) => ({ results, next: null, has_more: false });

/** Accepts submissions as 1, 2, 3 …, and lists what the test says. */
export function serviceWith(records: (sent: Sent) => unknown) {
	let last = 0;
	return (sent: Sent) => (sent.call?.method === 'POST' ? { scan_id: ++last } : records(sent));
}

/** Parameters of a submission that waits. */
export const waiting = (options: object = {}, more: object = {}) =>
	scan('scanUrl', { url: 'x', options, ...more });
