/** A secret in one of the forms in which it could stand somewhere. */
export interface SecretForm {
	/** What to search for. */
	bytes: Buffer;
	/** How the secret is written there; never the secret. */
	form: string;
}

/** base64 groups three bytes, so what stands before a text decides how the text is written. */
const ALIGNMENTS = [0, 1, 2];

/** The value as it is, in base64 wherever it stands in a longer text, percent-encoded, and in hex. */
export function formsOf(value: string): SecretForm[] {
	const inside = ALIGNMENTS.map((before) => base64Inside(value, before));
	const forms: Array<[form: string, text: string]> = [
		['as it is', value],
		['percent-encoded', encodeURIComponent(value)],
		['in JSON', JSON.stringify(value).slice(1, -1)],
		['in hex', Buffer.from(value).toString('hex')],
		...inside.map((text): [string, string] => ['in base64', text]),
		...inside.map((text): [string, string] => ['in base64url', urlSafe(text)]),
	];
	const seen = new Set<string>();
	return forms.flatMap(([form, text]) => {
		if (seen.has(text)) return [];
		seen.add(text);
		return [{ form, bytes: Buffer.from(text) }];
	});
}

/** The characters that depend on the value alone, so many bytes after the beginning of a group. */
function base64Inside(value: string, before: number): string {
	const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(value)]);
	const text = bytes.toString('base64').replace(/=+$/, '');
	const shared = bytes.length % 3 === 0 ? 0 : 1;
	return text.slice(before === 0 ? 0 : before + 1, text.length - shared);
}

function urlSafe(base64: string): string {
	return base64.replaceAll('+', '-').replaceAll('/', '_');
}
