import type { Clock } from '../../transport/clock';
import type { ScanService } from './scanService';

/** Part of a token's calls that watching the list of scans may take; the rest is the user's. */
const SHARE = 0.2;

/**
 * What a token may spend on watching the list of scans: a fifth of its calls per minute, shared by
 * everything in this process that watches it (the wait for verdicts and the trigger).
 */
export interface ListBudget {
	/** Milliseconds until the next reading of the list may begin; 0: now. */
	waitMs(): number;
	/** Counts one call that is about to be made. A reading of many pages is paid for afterwards. */
	spend(): void;
}

/** When the next reading may begin, by `ScanService.tokenKey`, in milliseconds of the monotonic clock. */
const nextReadings = new Map<string, number>();

/**
 * The budget of the token behind a service.
 * @param readings Kept for the whole process; a test passes its own.
 */
export function listBudget(
	{ tokenKey, callsPerMinute }: Pick<ScanService, 'tokenKey' | 'callsPerMinute'>,
	clock: Clock,
	readings: Map<string, number> = nextReadings,
): ListBudget {
	const callMs = 60_000 / (callsPerMinute * SHARE);
	return {
		waitMs: () => Math.max(0, (readings.get(tokenKey) ?? 0) - clock.monotonic()),
		spend: () => {
			const now = clock.monotonic();
			for (const [key, time] of readings) if (time <= now) readings.delete(key);
			readings.set(tokenKey, (readings.get(tokenKey) ?? now) + callMs);
		},
	};
}
