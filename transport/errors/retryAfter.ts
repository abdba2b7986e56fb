import { headerDate } from '../headerDate';

/** Longest wait that is taken from a header, in milliseconds: a day. Longer ones are cut to it. */
const LONGEST_WAIT_MS = 24 * 60 * 60 * 1000;

/** A year, in seconds. */
const LONGEST_SECONDS = 365 * 24 * 60 * 60;

/**
 * The wait that a `Retry-After` header asks for, in milliseconds (RFC 9110, section 10.2.3: seconds
 * or a date). No source shows the header for these services, so it is obeyed when present and never
 * needed.
 *
 * @param now The server's own time where it sent one, since a date is meant by its clock.
 * @returns `undefined` for a missing or unreadable header, and for a number that is an epoch time.
 */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
	const text = header?.trim();
	if (!text) return undefined;
	const seconds = /^\d+(\.\d+)?$/.test(text);
	// So long is no wait, but a time: which unit it has is not known.
	if (seconds && Number(text) > LONGEST_SECONDS) return undefined;
	const ms = seconds ? Number(text) * 1000 : headerDate(text) - now;
	return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, Math.ceil(ms)), LONGEST_WAIT_MS);
}
