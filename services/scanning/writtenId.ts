/** How a service may write that there is none. */
const NO_ID = /^(null|none|nil|undefined|unknown|nan|n\/a|-+)?$/i;

/** An ID as text, if there is one: where it comes late, another word may stand in its place. */
export function writtenId(value: unknown): string | undefined {
	if (typeof value !== 'number' && typeof value !== 'string') return undefined;
	const text = String(value).trim();
	return NO_ID.test(text) ? undefined : text;
}
