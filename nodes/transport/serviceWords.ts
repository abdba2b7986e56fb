/** Longest quotation of the service in an error text, in characters. */
const LONGEST_QUOTATION = 500;

/** Keys under which services put their sentence (public material: `detail`, `error`, `message`). */
const SENTENCE_KEYS = ['detail', 'message', 'error_description', 'error', 'title'];

/** A hostile answer nests without end; a sentence does not. */
const DEEPEST_SENTENCE = 4;

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sentence(value: unknown, depth = 0): string | undefined {
	if (typeof value === 'string') return value.trim() || undefined;
	if (depth === DEEPEST_SENTENCE) return undefined;
	const inside = (part: unknown) => sentence(part, depth + 1);
	if (Array.isArray(value)) return value.map(inside).filter(Boolean).join(' ') || undefined;
	if (!isRecord(value)) return undefined;
	for (const key of SENTENCE_KEYS) {
		const words = inside(value[key]);
		if (words) return words;
	}
	// Field errors: {"path": ["This field is required."]}
	return (
		Object.entries(value)
			.map(([field, words]) => [field, inside(words)])
			.filter(([, words]) => words)
			.map(([field, words]) => `${field}: ${words}`)
			.join('; ') || undefined
	);
}

/**
 * What a service says of a call it refused, as it says it.
 * No body is documented (interface.md, Errors: "error bodies … not shown"), so every shape seen in
 * public material is read: `{"detail": …}`, `{"field": ["…"]}`, `{"error": …}`, `{"message": …}`
 * and a bare string.
 */
export function serviceWords(body: unknown): string | undefined {
	return sentence(body);
}

/**
 * Words that others wrote, as one line to quote. Secrets go first, while they are still whole: the
 * end that is cut off could else leave half of one.
 */
export function quotation(words: string, redact: (text: string) => string): string {
	const line = redact(words).replace(/\s+/g, ' ').trim();
	return line.length > LONGEST_QUOTATION ? `${line.slice(0, LONGEST_QUOTATION)}…` : line;
}
