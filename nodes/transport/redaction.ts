/** What stands in place of a secret. */
const REDACTED = '[redacted]';

/** Shorter values ("1", "true") are no secrets, but would tear holes into words. */
const SHORTEST_INSIDE_WORDS = 4;

function escapeForRegExp(text: string): string {
	return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function uriSpelling(secret: string): string {
	try {
		return encodeURIComponent(secret);
	} catch {
		return secret;
	}
}

/** The ways in which an address or a JSON text spells a value. */
function spellings(secret: string): string[] {
	const json = JSON.stringify(secret).slice(1, -1);
	return [secret, json, uriSpelling(secret)];
}

/**
 * A function that removes a credential's values from text that others wrote: the service's own
 * words, n8n's error messages. A service may echo what it was sent.
 */
export function redactor(secrets: string[]): (text: string) => string {
	const patterns = [...new Set(secrets.map((secret) => secret.trim()).flatMap(spellings))]
		.filter((spelling) => spelling !== '')
		.sort((a, b) => b.length - a.length)
		.map((spelling) =>
			spelling.length < SHORTEST_INSIDE_WORDS
				? `(?<!\\w)${escapeForRegExp(spelling)}(?!\\w)`
				: escapeForRegExp(spelling),
		);
	if (patterns.length === 0) return (text) => text;
	const pattern = new RegExp(patterns.join('|'), 'g');
	return (text) => text.replace(pattern, REDACTED);
}
