import type { Answer } from '../transport/call';
import { headerDate } from '../transport/headerDate';

/** A clock that differs from this computer's by more, in milliseconds, is not believed. */
const LARGEST_CLOCK_DIFFERENCE_MS = 24 * 60 * 60_000;

/** The server's clock when it answered, in milliseconds, as it says; `undefined` where it does not. */
export function toldTime({ headers }: Answer): number | undefined {
	const time = headerDate(headers.date ?? '');
	return Number.isNaN(time) ? undefined : time;
}

/**
 * The time that the server told, `undefined` where it cannot be true. It is better than that of the
 * computer, which may be minutes off.
 * @param now By the computer's clock, in milliseconds.
 */
export function believedTime(told: number | undefined, now: number): number | undefined {
	if (told === undefined) return undefined;
	return Math.abs(told - now) > LARGEST_CLOCK_DIFFERENCE_MS ? undefined : told;
}
