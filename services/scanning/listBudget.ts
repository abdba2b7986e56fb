import type { Clock } from '../../transport/clock';
import type { ScanService } from './scanService';

/** Part of a token's calls that watching the list of scans takes on average; the rest is the user's. */
const SHARE = 0.2;

/** Who watches the list: the triggers, and the executions that wait for verdicts. */
type Watcher = 'trigger' | 'wait';

/** So long after its last call, in milliseconds, a watcher counts as one that needs its half of the share. */
const NEEDED_FOR_MS = 300_000;

/**
 * Longest time, in milliseconds, for which calls beyond the budget are paid: a trigger must not wait for
 * hours because others with the same token have used up its calls.
 */
const LONGEST_DEBT_MS = 600_000;

/**
 * What watching the list of scans takes of a token's calls in this process: about a fifth on average. While
 * triggers and waits for verdicts both do, each has half of that, so that none holds up the other.
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
	/** When it has made its last call, by the same clock. */
	at: number;
}

type Spendings = Map<string, Spending>;

/** By `ScanService.tokenKey` and watcher. */
const spendings: Spendings = new Map();

/**
 * The budget of a watcher with the token behind a service.
 * @param spent Kept for the whole process; a test passes its own.
 */
export function listBudget(
	scans: Pick<ScanService, 'tokenKey' | 'callsPerMinute'>,
	watcher: Watcher,
	clock: Clock,
	spent: Spendings = spendings,
): ListBudget {
	const key = `${scans.tokenKey} ${watcher}`;
	const other = `${scans.tokenKey} ${watcher === 'trigger' ? 'wait' : 'trigger'}`;
	const callMs = () => {
		const isShared = (spent.get(other)?.at ?? -Infinity) + NEEDED_FOR_MS > clock.monotonic();
		return 60_000 / (scans.callsPerMinute * (isShared ? SHARE / 2 : SHARE));
	};
	return {
		get callMs() {
			return callMs();
		},
		waitMs: () => Math.max(0, (spent.get(key)?.until ?? 0) - clock.monotonic()),
		spend: () => {
			const now = clock.monotonic();
			for (const [one, { until, at }] of spent) {
				if (Math.max(until, at + NEEDED_FOR_MS) <= now) spent.delete(one);
			}
			const { until = now } = spent.get(key) ?? {};
			const latest = now + Math.max(LONGEST_DEBT_MS, callMs());
			const paid = Math.max(until, now) + callMs();
			spent.set(key, { until: Math.min(paid, latest), at: now });
		},
	};
}
