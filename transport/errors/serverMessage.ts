import { isRecord } from '../isRecord';
import type { Redactor } from './redaction';

const LONGEST_QUOTATION = 500;

/** As much of a text is looked at, in characters: to search for secrets takes time. */
const LONGEST_TEXT = 64 * 1024;

/** Characters that one of a secret may become: `\u0041`, `%252F`, `&amp;amp;#x6b;`. */
const LONGEST_ESCAPE = 16;

/** Keys under which services put their sentence (public material: `detail`, `error`, `message`). */
const SENTENCE_KEYS = ['detail', 'message', 'error_description', 'error', 'title'];

/** A hostile answer nests without end, and in breadth; a sentence does not. */
const DEEPEST_SENTENCE = 4;
const MOST_PARTS = 1000;

/**
 * What a service says of a call it refused, as it says it.
 * The body of an error is not documented, so every shape seen in public material is read:
 * `{"detail": …}`, `{"field": ["…"]}`, `{"error": …}`, `{"message": …}` and a bare string.
 */
export function serverMessage(body: unknown): string | undefined {
	let looked = 0;
	const sentenceIn = (part: unknown, depth: number): string | undefined => {
		if (looked++ >= MOST_PARTS) return undefined;
		if (typeof part === 'string') return part.trim() || undefined;
		if (depth === DEEPEST_SENTENCE) return undefined;
		const inside = (inner: unknown) => sentenceIn(inner, depth + 1);
		if (Array.isArray(part)) {
			const said = part.slice(0, MOST_PARTS).map(inside);
			return said.filter(Boolean).join(' ') || undefined;
		}
		if (!isRecord(part)) return undefined;
		for (const key of SENTENCE_KEYS) {
			const message = inside(part[key]);
			if (message) return message;
		}
		// Field errors: {"path": ["This field is required."]}
		return (
			Object.entries(part)
				.slice(0, MOST_PARTS)
				.filter(([field]) => !SENTENCE_KEYS.includes(field))
				.map(([field, value]) => [field, inside(value)])
				.filter(([, message]) => message)
				.map(([field, message]) => `${field}: ${message}`)
				.join('; ') || undefined
		);
	};
	return sentenceIn(body, 0);
}

/** Control characters, spaces without width, and what turns the direction of writing. */
const INVISIBLE = /[\p{Cc}\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\s]+/gu;

/**
 * Words that others wrote, as one line to quote. n8n shows descriptions of errors as HTML, so nothing in it is a
 * tag. Secrets go first, while they are still whole: the end that is cut off could else leave half of one. For
 * the same reason nothing is quoted of a long text of which hardly anything is left.
 */
export function quotation(text: string, redact: Redactor): string {
	// Of what is left, half is enough to quote although the last secret may be cut.
	const enough = 2 * (LONGEST_QUOTATION + LONGEST_ESCAPE * redact.longest);
	const looked = Math.min(LONGEST_TEXT, enough);
	const isLong = text.length > looked;
	const redacted = redact(text.slice(0, looked));
	const line = redacted.replace(INVISIBLE, ' ').replace(/</g, '‹').replace(/>/g, '›').trim();
	if (isLong && line.length < looked / 2) return '…';
	return line.length > LONGEST_QUOTATION ? `${line.slice(0, LONGEST_QUOTATION)}…` : line;
}
