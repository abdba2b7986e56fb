import type { Clock } from '../../transport/clock';
import type { ScanService } from './scanService';

/** Part of a token's calls that watching the list of scans takes on average; the rest is the user's. */
const SHARE = 0.2;

/**
 * Longest time, in milliseconds, for which calls beyond the budget are paid: a trigger must not wait for
 * hours because many have waited for verdicts.
 */
const LONGEST_DEBT_MS = 600_000;

/**
 * What watching the list of scans takes of a token's calls: about a fifth on average, shared by
 * everything in this process that watches it (the wait for verdicts and the trigger).
 */
export interface ListBudget {
	/** Milliseconds until the next reading of the list may begin; 0: now. */
	waitMs(): number;
	/** Counts one call that is about to be made. A reading of many pages is paid for afterwards. */
	spend(): void;
	/** Milliseconds between calls that keep within it. */
	readonly callMs: number;
}

interface Spending {
	/** When the next reading may begin, in milliseconds of the monotonic clock. */
	until: number;
	/** The smallest rate that a credential with this token was given. */
	callsPerMinute: number;
}

/** By `ScanService.tokenKey`. */
const spendings = new Map<string, Spending>();

/**
 * The budget of the token behind a service.
 * @param spent Kept for the whole process; a test passes its own.
 */
export function listBudget(
	{ tokenKey, callsPerMinute }: Pick<ScanService, 'tokenKey' | 'callsPerMinute'>,
	clock: Clock,
	spent: Map<string, Spending> = spendings,
): ListBudget {
	return {
		callMs: 60_000 / (callsPerMinute * SHARE),
		waitMs: () => Math.max(0, (spent.get(tokenKey)?.until ?? 0) - clock.monotonic()),
		spend: () => {
			const now = clock.monotonic();
			for (const [key, { until }] of spent) if (until <= now) spent.delete(key);
			const before = spent.get(tokenKey) ?? { until: now, callsPerMinute };
			const rate = Math.min(before.callsPerMinute, callsPerMinute);
			const callMs = 60_000 / (rate * SHARE);
			const latest = now + Math.max(LONGEST_DEBT_MS, callMs);
			spent.set(tokenKey, {
				until: Math.min(before.until + callMs, latest),
				callsPerMinute: rate,
			});
		},
	};
}
