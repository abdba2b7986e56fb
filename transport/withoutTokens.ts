import { isRecord } from './isRecord';

/** A shorter one may be part of anything, and is no token. */
const SHORTEST_TOKEN = 8;

const REDACTED = '[redacted]';

/**
 * An answer without the tokens that it was asked for with, which a service may echo: they would end
 * up in items. Only exact occurrences are replaced: entries and records are to be passed on as sent.
 * @param text What the answer was parsed from.
 */
export function withoutTokens(answer: unknown, tokens: string[], text: string): unknown {
	const wanted = tokens.filter((token) => token.length >= SHORTEST_TOKEN);
	const mayHold = /\\[u/]/.test(text) || wanted.some((token) => text.includes(token));
	if (wanted.length === 0 || !mayHold) return answer;
	const clean = (value: unknown): unknown => {
		if (typeof value === 'string') return cut(value, wanted);
		if (!isRecord(value) && !Array.isArray(value)) return value;
		for (const [key, inside] of Object.entries(value)) {
			const [name, cleaned] = [cut(key, wanted), clean(inside)];
			// What is defined anew takes several times the memory, so only what has changed is.
			if (name === key && cleaned === inside) continue;
			if (name !== key) delete (value as Record<string, unknown>)[key];
			// Not an assignment: a key may be "__proto__".
			const writable = { configurable: true, enumerable: true, writable: true };
			Object.defineProperty(value, name, { ...writable, value: cleaned });
		}
		return value;
	};
	return clean(answer);
}

function cut(text: string, tokens: string[]): string {
	return tokens.reduce((rest, token) => rest.replaceAll(token, REDACTED), text);
}
