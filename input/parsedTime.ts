/** Numbers up to here are seconds since the epoch (year 5138), larger ones a finer unit. */
const LARGEST_SECONDS = 1e11;

/**
 * A number stands for a time between these (2001 and 2200), in milliseconds: others are digits of a date
 * ("20261128120000") or count from another year than 1970.
 */
const EARLIEST_EPOCH = 1e12;
const LATEST_EPOCH = Date.UTC(2200, 0);

/** The last millisecond that ISO 8601 writes with four digits for the year. */
const LAST_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const ISO_8601 =
	/^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,12})?)?) ?(Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?)?$/i;

/** `LARGEST_SECONDS` in nanoseconds, the finest unit. */
const LARGEST_TIME = LARGEST_SECONDS * 1e9;

/** Seconds, milliseconds, microseconds or nanoseconds since the epoch, told apart by their size. */
function epochTime(number: number): number {
	if (!(number > 0 && number < LARGEST_TIME)) return NaN;
	let milliseconds = number < LARGEST_SECONDS ? number * 1000 : number;
	while (milliseconds >= LARGEST_SECONDS * 1000) milliseconds /= 1000;
	const isTime = milliseconds >= EARLIEST_EPOCH && milliseconds < LATEST_EPOCH;
	return isTime ? Math.floor(milliseconds) : NaN;
}

/** Milliseconds of the offset at the end of a text: "+05:30", "-0800", "+01"; 0 where there is none. */
export function offsetMs(text: string): number {
	const [, sign, hours = 0, minutes = 0, seconds = 0] =
		/([+-])(\d\d):?(\d\d)?:?(\d\d)?$/.exec(text) ?? [];
	const ahead = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
	return sign === '-' ? -ahead : ahead;
}

/** What most services write, on a day that every month has: nothing of it needs a closer look. */
const USUAL_TIME = /^\d{4}-\d\d-(?:[01]\d|2[0-8])T\d\d:\d\d:\d\d\.\d{3}Z$/;

function isoTimeOf(text: string, withoutZone: (utc: number) => number): number {
	if (USUAL_TIME.test(text)) return Date.parse(text);
	const [, date = '', time = '00:00', zone = ''] = ISO_8601.exec(text) ?? [];
	const day = Date.parse(`${date}T00:00Z`);
	// Date.parse takes the 30th of February for the 1st of March.
	if (new Date(day).getUTCDate() !== Number(date.slice(-2))) return NaN;
	const utc = Date.parse(`${date}T${time.replace(',', '.')}Z`);
	return zone === '' && Number.isFinite(utc) ? withoutZone(utc) : utc - offsetMs(zone);
}

/**
 * A time in milliseconds since the epoch, rounded down: ISO 8601, or a number since the epoch. A
 * text without a zone is UTC, as all times of the audit log are (docs/interface.md, Endpoints).
 * @param withoutZone What a text without a zone means, given what it would mean in UTC.
 * @returns `undefined` for what is no time.
 */
export function parsedTime(
	value: unknown,
	withoutZone: (utc: number) => number = (utc) => utc,
): number | undefined {
	let time = NaN;
	if (typeof value === 'number') {
		time = epochTime(value);
	} else if (typeof value === 'string') {
		const isNumber = /^\d{10,19}$/.test(value);
		time = isNumber ? epochTime(Number(value)) : isoTimeOf(value, withoutZone);
	}
	return time <= LAST_TIME ? time : undefined;
}
