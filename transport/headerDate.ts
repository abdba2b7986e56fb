/** The three forms of an HTTP date, and ISO 8601; `Date.parse` alone takes "-5" for a date. */
const DATE = /^([A-Z][a-z]{2,8},? |\d{4}-\d\d-\d\dT)/;

const ZONE = /(?:[A-Z]{1,4}|[+-]\d\d:?\d\d)$/;

/**
 * A date of a header, in milliseconds; NaN for what is none. One without a zone is of Greenwich, as the
 * form of asctime always is (RFC 9110, section 5.6.7).
 */
export function headerDate(text: string): number {
	if (!DATE.test(text)) return NaN;
	return Date.parse(ZONE.test(text) ? text : `${text}${text.includes('T') ? 'Z' : ' GMT'}`);
}
