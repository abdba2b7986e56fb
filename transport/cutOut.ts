/** What stands in the place of a secret. */
export const REDACTED = '[redacted]';

/** Places in a text, in characters; the second is the first behind it. */
export type Range = [from: number, to: number];

/** Where a text holds another. */
export function* occurrences(text: string, needle: string): Generator<number> {
	let at = text.indexOf(needle);
	while (at >= 0) {
		yield at;
		at = text.indexOf(needle, at + needle.length);
	}
}

/** The text with all of these ranges cut out, also where one is inside another. */
export function cutOut(text: string, ranges: Range[]): string {
	const pieces: string[] = [];
	let read = 0;
	for (const [from, to] of ranges.sort(([a], [b]) => a - b)) {
		if (from >= read) pieces.push(text.slice(read, from), REDACTED);
		read = Math.max(read, to);
	}
	return pieces.join('') + text.slice(read);
}
