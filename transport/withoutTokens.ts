import { isRecord } from './isRecord';

/** A shorter one may be part of anything, and is no token. */
const SHORTEST_TOKEN = 8;

const REDACTED = '[redacted]';

/**
 * An answer without the tokens that it was asked for with, which a service may echo: they would end
 * up in items. Only exact occurrences are replaced: entries and records are to be passed on as sent.
 * @param bytes What the answer was parsed from.
 */
export function withoutTokens(answer: unknown, tokens: string[], bytes: Buffer): unknown {
	const wanted = tokens.filter((token) => token.length >= SHORTEST_TOKEN);
	if (wanted.length === 0) return answer;
	// Looking at every value takes as long as all the rest, and few answers hold one.
	const plain = unescaped(bytes.toString());
	if (!wanted.some((token) => plain.includes(token))) return answer;
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

/** JSON as text in which what is escaped stands as it reads. */
function unescaped(text: string): string {
	return text.replace(/\\(?:u([\da-f]{4})|(.))/gi, (_, code: string | undefined, sign: string) =>
		code === undefined ? sign : String.fromCharCode(Number.parseInt(code, 16)),
	);
}

function cut(text: string, tokens: string[]): string {
	return tokens.reduce((rest, token) => rest.replaceAll(token, REDACTED), text);
}
