/**
 * What the credentials of a Basic header say, "user:password", in UTF-8 and ISO-8859-1 (RFC 7617 leaves the
 * encoding open).
 * @returns Nothing where the base64 holds no such pair.
 */
export function basicPairs(base64: string): string[] {
	return (['utf8', 'latin1'] as const)
		.map((encoding) => Buffer.from(base64, 'base64').toString(encoding))
		.filter((pair) => /^[^\p{C}\ufffd]+:[^\p{C}\ufffd]+$/u.test(pair));
}

export function passwordOf(pair: string): string {
	return pair.slice(pair.indexOf(':') + 1);
}
