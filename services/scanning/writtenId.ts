/** No ID has so many characters; each text that names it would grow by as many. */
export const LONGEST_ID = 200;

/**
 * An ID as text, if there is one. Where it comes late, or not at all, a word may stand in its place; known IDs are
 * integers, or hold digits (docs/interface.md, Scan).
 */
export function writtenId(value: unknown): string | undefined {
	if (typeof value !== 'number' && typeof value !== 'string') return undefined;
	if (String(value).length > LONGEST_ID) return undefined;
	const text = String(value).trim();
	return /\d/.test(text) ? text : undefined;
}

/** Whether an ID is one: before a scan has its own, 0, -1 or zeros with dashes may stand in its place. */
export function isAssigned(id: string): boolean {
	return /[1-9]/.test(id) && !/^-\d+$/.test(id);
}
