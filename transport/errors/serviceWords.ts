import { isRecord } from '../isRecord';

/** Longest quotation of the service in an error text, in characters. */
const LONGEST_QUOTATION = 500;

/** Keys under which services put their sentence (public material: `detail`, `error`, `message`). */
const SENTENCE_KEYS = ['detail', 'message', 'error_description', 'error', 'title'];

/** A hostile answer nests without end; a sentence does not. */
const DEEPEST_SENTENCE = 4;

/**
 * What a service says of a call it refused, as it says it.
 * No body is documented (interface.md, Errors: "error bodies … not shown"), so every shape seen in
 * public material is read: `{"detail": …}`, `{"field": ["…"]}`, `{"error": …}`, `{"message": …}`
 * and a bare string.
 * @param depth How deep in the body this is.
 */
export function serviceWords(body: unknown, depth = 0): string | undefined {
	if (typeof body === 'string') return body.trim() || undefined;
	if (depth === DEEPEST_SENTENCE) return undefined;
	const inside = (part: unknown) => serviceWords(part, depth + 1);
	if (Array.isArray(body)) return body.map(inside).filter(Boolean).join(' ') || undefined;
	if (!isRecord(body)) return undefined;
	for (const key of SENTENCE_KEYS) {
		const words = inside(body[key]);
		if (words) return words;
	}
	// Field errors: {"path": ["This field is required."]}
	return (
		Object.entries(body)
			.map(([field, words]) => [field, inside(words)])
			.filter(([, words]) => words)
			.map(([field, words]) => `${field}: ${words}`)
			.join('; ') || undefined
	);
}

/**
 * Words that others wrote, as one line to quote. Secrets go first, while they are still whole: the
 * end that is cut off could else leave half of one.
 */
export function quotation(words: string, redact: (text: string) => string): string {
	const line = redact(words).replace(/\s+/g, ' ').trim();
	return line.length > LONGEST_QUOTATION ? `${line.slice(0, LONGEST_QUOTATION)}…` : line;
}
