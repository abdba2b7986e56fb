import { UserError } from 'n8n-workflow';
import { refusedValue } from './enteredValues';
import { offsetMs, parsedTime } from './parsedTime';

interface LuxonLike {
	toMillis(): number;
}

function isLuxonLike(value: unknown): value is LuxonLike {
	return (
		typeof value === 'object' &&
		value !== null &&
		'toMillis' in value &&
		// A duration has it too.
		!('shiftTo' in value) &&
		typeof value.toMillis === 'function'
	);
}

/** How far a zone is ahead of UTC at a moment, in milliseconds. */
function zoneOffset(moment: number, timeZone: string): number {
	const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
	return offsetMs(format.format(moment));
}

const DAY_MS = 86_400_000;

/**
 * The moment at which clocks of a zone show what a UTC clock would show at `wallClock`: the first, where
 * they are set back, and show it twice.
 */
function inZone(wallClock: number, timezone: string): number {
	const moments = [-DAY_MS, DAY_MS]
		.map((distance) => wallClock - zoneOffset(wallClock + distance, timezone))
		.filter((moment) => moment + zoneOffset(moment, timezone) === wallClock);
	// Where they are set forward, none shows it.
	return moments.length > 0
		? Math.min(...moments)
		: wallClock - zoneOffset(wallClock - DAY_MS, timezone);
}

/** A date object may hold none, as `new Date(undefined)` does. */
function validTime(milliseconds: number): number | undefined {
	return Number.isFinite(milliseconds) ? milliseconds : undefined;
}

function timeOf(value: unknown, timezone: string): number | undefined {
	if (isLuxonLike(value)) return validTime(value.toMillis());
	if (value instanceof Date) return validTime(value.getTime());
	return parsedTime(typeof value === 'string' ? value.trim() : value, (wallClock) =>
		inZone(wallClock, timezone),
	);
}

/**
 * A time that a user entered, in milliseconds since the epoch: text with or without an offset, or
 * what an expression gives. Without an offset it is meant in the workflow's time zone, as n8n's date
 * picker shows it.
 * @param label The field's display name.
 * @throws UserError for what is no time, an empty field included.
 */
export function enteredTime(value: unknown, label: string, timezone: string): number {
	const time = timeOf(value, timezone);
	if (time !== undefined) return time;
	throw refusedValue(
		`'${label}' is not a date`,
		value,
		'Enter a date and time, e.g. "2026-01-31T12:00:00.000Z".',
	);
}

/** Whether a field holds nothing that could be a time. */
export function isNoTime(value: unknown): value is undefined | null | '' {
	return value === undefined || value === null || value === '';
}

/** A time as an error shows it: "2026-03-02T01:00:00 (Europe/Berlin)". */
export function zonedTime(time: number, timezone: string): string {
	const wallClock = new Date(time + zoneOffset(time, timezone)).toISOString().slice(0, 19);
	return `${wallClock} (${timezone})`;
}

/** A clock of n8n that is this far behind the server's, in milliseconds, is no mistake of the user. */
const CLOCK_TOLERANCE_MS = 10 * 60_000;

/**
 * Refuses a time range that begins in the future, as one may that was meant in another zone: it holds nothing.
 * @param time When the wanted time range begins, and `now`, in milliseconds since the epoch.
 * @param label The field's display name.
 * @throws UserError that shows how the time was understood.
 */
export function refuseFuture(time: number, label: string, now: number, timezone: string): void {
	if (time <= now + CLOCK_TOLERANCE_MS) return;
	throw new UserError(`'${label}' is in the future: ${zonedTime(time, timezone)}`, {
		description:
			'Enter an earlier time. For another time zone, switch the field to Expression, and add an offset such as +02:00.',
	});
}
