/**
 * A text as bytes of UTF-8, one character each, and for every byte from where to where in the
 * original it came. Letters of ASCII are small, and what encodings use for one another is one: "+", "-" and
 * the space, "_" and "/".
 */
export interface DecodedText {
	bytes: string;
	from: number[];
	to: number[];
}

/** Text is encoded more than twice by nobody who does not hide something. */
const MOST_DECODINGS = 3;

/** HTML's names for the signs of ASCII, each before its sign; as they are searched for, in small letters. */
const NAMES =
	'excl! quot" num# dollar$ percnt% amp& apos\' lpar( rpar) ast* midast* plus+ comma, hyphen- dash- period. sol/ colon: semi; lt< equals= gt> quest? commat@ lsqb[ lbrack[ bsol\\ rsqb] rbrack] hat^ lowbar_ underbar_ grave` lcub{ lbrace{ verbar| vert| rcub} rbrace}';

const NAMED = new Map(NAMES.split(' ').map((pair) => [pair.slice(0, -1), pair.slice(-1)]));

/** %41, \u0041, \x41, \n, &#65;, &#x41;, &quot; and the like, the semicolon of which browsers do without. */
const ESCAPE = new RegExp(
	String.raw`%([\da-f]{2})|\\u(d[89ab][\da-f]{2})\\u(d[c-f][\da-f]{2})|\\u([\da-f]{4})|\\x([\da-f]{2})|\\(["'\\/bfnrt])|&#0*(\d{1,6});?|&#x0*([\da-f]{1,6});?|&(${[...NAMED.keys()].join('|')});`,
	'g',
);

const CONTROLS: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** The bytes of a text, spelled so that they can be searched for. */
export function searchable(text: string): string {
	return (
		Buffer.from(text)
			.toString('latin1')
			// Of ASCII only: an escape of any other letter comes byte by byte.
			.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
			.replace(/[+-]/g, ' ')
			.replace(/_/g, '/')
	);
}

/** The same for a text that goes out in ISO-8859-1, as header values do, and is encoded from there. */
export function searchableLatin1(text: string): string {
	return [...text].map(folded).join('');
}

/** The text as it is, and with its escapes taken off, once for each time it was encoded. */
export function decodings(text: string): DecodedText[] {
	const texts = [undecoded(text)];
	for (let time = 0; time < MOST_DECODINGS; time++) {
		const last = texts[texts.length - 1];
		const next = decodedOnce(last);
		if (next.bytes.length === last.bytes.length) break;
		texts.push(next);
	}
	return texts;
}

class Builder {
	private readonly pieces: string[] = [];
	readonly from: number[] = [];
	readonly to: number[] = [];

	add(bytes: string, from: number, to: number): void {
		this.pieces.push(bytes);
		for (let byte = 0; byte < bytes.length; byte++) {
			this.from.push(from);
			this.to.push(to);
		}
	}

	built(): DecodedText {
		return { bytes: this.pieces.join(''), from: this.from, to: this.to };
	}
}

function undecoded(text: string): DecodedText {
	const builder = new Builder();
	let at = 0;
	for (const character of text) {
		builder.add(searchable(character), at, at + character.length);
		at += character.length;
	}
	return builder.built();
}

function decodedOnce({ bytes, from, to }: DecodedText): DecodedText {
	const builder = new Builder();
	const keep = (start: number, end: number) => {
		for (let at = start; at < end; at++) builder.add(bytes[at], from[at], to[at]);
	};
	let read = 0;
	for (const match of bytes.matchAll(ESCAPE)) {
		const end = match.index + match[0].length;
		keep(read, match.index);
		builder.add(meaning(match), from[match.index], to[end - 1]);
		read = end;
	}
	keep(read, bytes.length);
	return builder.built();
}

function meaning(match: RegExpMatchArray): string {
	const [, percent, high, low, unit, byte, escaped, decimal, hex, named] = match;
	const isByte = percent ?? byte;
	if (isByte !== undefined) return folded(String.fromCharCode(parseInt(isByte, 16)));
	if (high !== undefined) {
		return searchable(String.fromCharCode(parseInt(high, 16), parseInt(low, 16)));
	}
	if (escaped !== undefined) return folded(CONTROLS[escaped] ?? escaped);
	if (named !== undefined) return searchable(NAMED.get(named)!);
	const code = decimal === undefined ? parseInt(unit ?? hex, 16) : Number(decimal);
	return code > 0x10ffff ? '' : searchable(String.fromCodePoint(code));
}

/** As `searchable` does it, for one byte. */
function folded(byte: string): string {
	return byte.charCodeAt(0) < 0x80 ? searchable(byte) : byte;
}
