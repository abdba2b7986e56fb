const dayMs = 86_400_000;
const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

let cachedDay = NaN;
let cachedText = '';

/**
 * `YYYY-MM-DDThh:mm:ss.mmmZ`, as `Date.prototype.toISOString` has it, but quick for the many
 * moments of one day that a page holds.
 */
export function isoTime(ms: number): string {
	const day = Math.floor(ms / dayMs);
	if (day !== cachedDay) {
		cachedDay = day;
		cachedText = new Date(day * dayMs).toISOString().slice(0, 11);
	}
	const rest = ms - day * dayMs;
	const seconds = Math.floor(rest / 1000);
	const millis = String(rest % 1000).padStart(3, '0');
	const hour = twoDigits[Math.floor(seconds / 3600)];
	const minute = twoDigits[Math.floor(seconds / 60) % 60];
	return `${cachedText}${hour}:${minute}:${twoDigits[seconds % 60]}.${millis}Z`;
}
