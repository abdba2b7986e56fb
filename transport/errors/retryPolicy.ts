import { failures } from './failure';
import type { CallFailure } from './failure';

/** Redirects that may follow a call that was carried out; the others ask for it elsewhere. */
const LEADS_TO_A_RESULT = [302, 303];

/**
 * Longest `Retry-After` that is waited for before a retry, in milliseconds. Longer ones end the call,
 * and n8n's own back-off goes by them. (After a 429 the call queue waits, as long as the call may.)
 */
const LONGEST_ASKED_WAIT_MS = 60_000;

/** Waits before the second, third and fourth attempt, in milliseconds, before jitter. */
const WAITS_MS = [1000, 3000, 8000];

/**
 * How long to wait before a failed call is sent again, in milliseconds; `undefined` when it must
 * not be, or no attempt is left. A call with an effect is repeated only where it cannot have been
 * carried out: a submission is never silently sent twice.
 *
 * @param attempt Attempts made so far, from 1.
 * @param random A number from 0 (inclusive) to 1, for jitter of up to a quarter of the wait.
 */
export function waitBeforeRetry(
	failure: CallFailure,
	idempotent: boolean,
	attempt: number,
	random: number,
): number | undefined {
	if (!failures[failure.kind].isRetried) return undefined;
	if (isUnclear(failure, idempotent)) return undefined;
	// Whoever answered had the request: a 407 need not be that of a proxy.
	if (!idempotent && failure.status !== undefined) return undefined;
	const wait = WAITS_MS[attempt - 1];
	const askedFor = failure.retryAfterMs ?? 0;
	if (wait === undefined || askedFor > LONGEST_ASKED_WAIT_MS) return undefined;
	return Math.max(askedFor, Math.round(wait * (1 + random / 4)));
}

/** Whether a call with an effect may have been carried out although it ended in this failure. */
export function isUnclear(failure: CallFailure, idempotent: boolean): boolean {
	if (idempotent) return false;
	const { mayBeDone = false } = failures[failure.kind];
	return mayBeDone || LEADS_TO_A_RESULT.includes(failure.status ?? 0);
}
