import type { Answering, Tenant } from '../support/busyTenant';
import { BUSY, live } from '../support/busyTenant';

/**
 * What waiting for verdicts comes to in an hour of a busy tenant, whatever its list of scans is like. The bounds
 * leave room above what was measured: whoever changes the lookups sees here what it costs the others.
 */

const WELL: Answering = { after: 0.3 };
const NEVER: Answering = { after: Infinity };
const FEW_CALLS: Partial<Tenant> = { callsPerMinute: 20, scansPerMinute: 2 };
/** Scans that take up to fifty minutes, each waited for an hour. */
const SLOW_SCANS: Partial<Tenant> = { takes: [600, 3000], waits: 3600 };

interface Case {
	list: string;
	tenant?: Partial<Tenant>;
	answering: Parameters<typeof live>[1];
	/** At most. Times are in seconds. */
	most: { withoutVerdict: number; median: number; p95: number };
}

const CASES: Case[] = [
	{
		list: 'that is well',
		answering: () => WELL,
		most: { withoutVerdict: 0, median: 5, p95: 15 },
	},
	{
		list: 'that takes 25 seconds for each answer',
		answering: () => ({ after: 25 }),
		most: { withoutVerdict: 0, median: 60, p95: 90 },
	},
	{
		list: 'that takes 0.2 seconds for each scan',
		answering: ({ scans }) => ({ after: 0.3 + scans * 0.2 }),
		most: { withoutVerdict: 0, median: 25, p95: 40 },
	},
	{
		list: 'that never answers for one moment',
		answering: ({ now, from, to }) => (now >= 1200 && from <= 1200 && to >= 1200 ? NEVER : WELL),
		most: { withoutVerdict: 5, median: 35, p95: 180 },
	},
	{
		list: 'that loses one answer, with few calls and slow scans',
		tenant: { ...FEW_CALLS, ...SLOW_SCANS },
		answering: ({ now }) => (now > 1800 && now < 1820 ? NEVER : WELL),
		most: { withoutVerdict: 0, median: 20, p95: 45 },
	},
	{
		list: 'that loses three answers in a thousand',
		answering: (_, random) => (random < 0.003 ? NEVER : WELL),
		most: { withoutVerdict: 0, median: 5, p95: 20 },
	},
	{
		list: 'that loses three answers in a hundred',
		answering: (_, random) => (random < 0.03 ? NEVER : WELL),
		most: { withoutVerdict: 0, median: 40, p95: 110 },
	},
	{
		list: 'behind a gateway that fails for ten minutes, with few calls',
		tenant: FEW_CALLS,
		answering: ({ now }) => (now >= 1800 && now < 2400 ? { after: 0.3, status: 503 } : WELL),
		// Half of what ended during the failure waits for its end.
		most: { withoutVerdict: 0, median: 20, p95: 600 },
	},
	...[
		{ status: 400, after: 0.3, median: 15, p95: 30 },
		{ status: 504, after: 10, median: 15, p95: 90 },
		{ status: 504, after: 50, median: 20, p95: 60 },
	].map(({ status, after, ...delays }) => ({
		list: `that answers ${status} for more than 30 scans, after ${after} seconds`,
		answering: ({ scans }: { scans: number }) => (scans > 30 ? { after, status } : WELL),
		most: { withoutVerdict: 0, ...delays },
	})),
];

describe('an hour of waits for verdicts in a list', () => {
	it.each(CASES)('$list', async ({ tenant, answering, most }) => {
		const lived = await live({ ...BUSY, ...tenant }, answering);
		const { callsPerMinute } = { ...BUSY, ...tenant };
		expect(lived.waits).toBeGreaterThan(100);
		expect(lived.withoutVerdict).toBeLessThanOrEqual(most.withoutVerdict);
		expect(lived.median).toBeLessThanOrEqual(most.median);
		expect(lived.p95).toBeLessThanOrEqual(most.p95);
		expect(lived.callsInAMinute).toBeLessThanOrEqual(callsPerMinute);
		expect(lived.callsOnAverage).toBeLessThanOrEqual(callsPerMinute / 3);
	});
});
