/**
 * Compares two names in alphabetical order, in any case. Without the language's own rules: the first
 * use of those would make n8n's start 20 ms longer.
 */
export function alphabetical(one: string, other: string): number {
	return one.toLowerCase() < other.toLowerCase() ? -1 : 1;
}
