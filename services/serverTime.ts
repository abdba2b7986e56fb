import type { Answer } from '../transport/call';
import { headerDate } from '../transport/headerDate';

/** A clock that differs from this computer's by more, in milliseconds, is not believed. */
const LARGEST_CLOCK_DIFFERENCE_MS = 24 * 60 * 60_000;

/** By how much the clock of a machine in between may be ahead, in milliseconds. */
const MOST_AHEAD_MS = 10 * 60_000;

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

/**
 * The time now, rather too early than too late: up to ten minutes apart, the earlier of the two counts, since the
 * server's may be that of a machine in between. Further apart, it is n8n's that is off.
 * @param serverTime As `believedTime` gives it, in milliseconds.
 * @param now By the computer's clock.
 */
export function earliestTime(serverTime: number, now: number): number {
	return serverTime - now < MOST_AHEAD_MS ? Math.min(serverTime, now) : serverTime;
}
