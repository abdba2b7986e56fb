/**
 * An ID as text, if there is one. Where it comes late, or not at all, a word may stand in its place; known IDs are
 * integers, or hold digits (docs/interface.md, Scan).
 */
export function writtenId(value: unknown): string | undefined {
	if (typeof value !== 'number' && typeof value !== 'string') return undefined;
	const text = String(value).trim();
	return /\d/.test(text) ? text : undefined;
}
