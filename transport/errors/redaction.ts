import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';
import type { Range } from '../cutOut';
import { cutOut, occurrences, REDACTED } from '../cutOut';
import { basicPairs } from './basicPair';
import type { DecodedText } from './decodedText';
import { decodings, searchable, searchableLatin1 } from './decodedText';

/** Shorter values ("1", "true") are no secrets, but would tear holes into sentences. */
const SHORTEST_INSIDE_WORDS = 4;

/** Parts of a header value ("Bearer …", "session=…; lang=en") of this length are secrets themselves. */
const SHORTEST_PART = 8;

/** Characters of secrets together. */
const MOST_TO_SEARCH = 100_000;

/** Spellings of secrets and of their parts together: to search 64 KB for so many takes about a second. */
const MOST_NEEDLES = 15_000;

/** A shorter piece of base64 or hex could be part of any word. */
const SHORTEST_ENCODED = 8;

/**
 * A token that n8n renewed during the call is in no list of secrets yet; its scheme gives it away.
 * The digit and the length keep "token authentication" and the like readable.
 */
const AFTER_SCHEME = /\b(bearer|basic|token)(\s+|%20|\+)(?=\S{0,64}\d)[\w.~+/%=-]{16,}/gi;

/**
 * Cuts secrets out of a text that others wrote: the service's own words, n8n's error messages. A service may echo what
 * it was sent, as it is or encoded: the escapes of an address, of JSON and of HTML, also several times over, base64
 * and hex.
 */
export interface Redactor {
	(text: string): string;
	/** How long the longest of them is, in characters. */
	readonly longest: number;
}

/** What a text is searched for. */
interface Needles {
	plain: string[];
	encoded: string[];
	/** How long the longest secret is, in characters. */
	longest: number;
}

function needlesOf(secrets: string[]): Needles {
	const values = secrets.map((secret) => secret.trim()).filter((secret) => secret !== '');
	const all = new Set(values.flatMap(withParts));
	// A secret may itself look escaped: taking the escapes off the text then changes it, too.
	const plain = [
		...new Set([
			...[...all]
				.flatMap(inAnyCase)
				.flatMap(decodings)
				.map(({ bytes }) => bytes),
			...[...all]
				.filter(differsInLatin1)
				.flatMap((secret) => [searchableLatin1(secret), ...misread(secret).map(searchable)]),
		]),
	];
	const encoded = [...new Set([...all].flatMap(encodings))];
	return { plain, encoded, longest: Math.max(0, ...values.map(({ length }) => length)) };
}

function redactorFor({ plain, encoded, longest }: Needles): Redactor {
	const redact = (text: string) =>
		withoutRanges(text, plain, encoded).replace(AFTER_SCHEME, `$1$2${REDACTED}`);
	return Object.assign(redact, { longest });
}

const showsNothing: Redactor = Object.assign(() => '…', { longest: 0 });

/** For the secrets of hundreds of items, to search takes too long, so that nothing is shown. */
export function redactor(secrets: string[]): Redactor {
	const different = [...new Set(secrets)];
	const length = different.reduce((sum, secret) => sum + secret.length, 0);
	if (length > MOST_TO_SEARCH) return showsNothing;
	const needles = needlesOf(different);
	return needles.plain.length + needles.encoded.length > MOST_NEEDLES
		? showsNothing
		: redactorFor(needles);
}

/** The same, which keeps the last it has made: that takes longer than to use it, and most have the same secrets. */
export function redactorMaker(): (secrets: string[]) => Redactor {
	let made: { secrets: string[]; redact: Redactor } | undefined;
	return (secrets) => {
		const { secrets: last = [] } = made ?? {};
		const isSame = last.length === secrets.length && last.every((one, at) => one === secrets[at]);
		if (!made || !isSame) made = { secrets, redact: redactor(secrets) };
		return made.redact;
	};
}

/** `decodings` takes care of the letters of ASCII only. */
function inAnyCase(secret: string): string[] {
	return [secret, secret.toLowerCase(), secret.toUpperCase()];
}

/** Header values are sent in ISO-8859-1: from there a service encodes them. */
function differsInLatin1(secret: string): boolean {
	return /[\x80-\xff]/.test(secret) && !/[^\0-\xff]/.test(secret);
}

/** What becomes of its bytes in ISO-8859-1 where they are read as UTF-8 or ASCII, letter by letter or not. */
function misread(secret: string): string[] {
	const asciiWith = (unknown: string) => secret.replace(/[^\0-\x7f]/g, unknown);
	return [Buffer.from(secret, 'latin1').toString(), asciiWith('\ufffd'), asciiWith('?')];
}

function withoutRanges(text: string, plain: string[], encoded: string[]): string {
	if (plain.length === 0) return text;
	const ranges: Range[] = [];
	for (const decoded of decodings(text)) {
		const take = (at: number, end: number) => ranges.push([decoded.from[at], decoded.to[end - 1]]);
		for (const needle of plain) {
			for (const at of occurrences(decoded.bytes, needle)) {
				if (standsAlone(decoded, at, needle)) take(at, at + needle.length);
			}
		}
		// For each character of a run that was found: where the run ends. So each is walked through once.
		const ends = new Uint32Array(decoded.bytes.length + 1);
		for (const needle of encoded) {
			for (const at of occurrences(decoded.bytes, needle)) {
				const end = at + needle.length;
				if (end <= ends[at]) continue;
				const from = ends[at] > 0 ? at : runStart(decoded.bytes, at);
				const to = ends[end] > 0 ? ends[end] : runEnd(decoded.bytes, end);
				ends.fill(to, from, to);
				take(from, to);
			}
		}
	}
	return cutOut(text, ranges);
}

function standsAlone({ bytes }: DecodedText, at: number, needle: string): boolean {
	if (needle.length >= SHORTEST_INSIDE_WORDS) return true;
	return !/\w/.test(bytes.charAt(at - 1)) && !/\w/.test(bytes.charAt(at + needle.length));
}

/** Of what base64 and hex are written with, but for "+" and "-", which are spaces by then. */
function isInRun(bytes: string, at: number): boolean {
	return /[\w/=]/.test(bytes.charAt(at));
}

/** Where the run begins that `at` is in: the characters around an encoded secret hold its first and last bits. */
function runStart(bytes: string, at: number): number {
	let from = at;
	while (isInRun(bytes, from - 1)) from--;
	return from;
}

/** The first place from `at` on that is in no run. */
function runEnd(bytes: string, at: number): number {
	let to = at;
	while (isInRun(bytes, to)) to++;
	return to;
}

function withParts(secret: string): string[] {
	const words = secret.split(/[\s;,]+/);
	const pieces = words.flatMap((word) => [word, ...word.split(/[=:"']+/)]);
	const parts = pieces.filter((part) => part.length >= SHORTEST_PART);
	const decodedParts = parts
		.flatMap(basicPairs)
		.flatMap(({ pair, secret }) => [pair, secret])
		.filter((part) => part.length >= SHORTEST_INSIDE_WORDS);
	return [secret, ...parts, ...decodedParts];
}

function encodings(secret: string): string[] {
	const latin1 = differsInLatin1(secret) ? [Buffer.from(secret, 'latin1')] : [];
	return [Buffer.from(secret), ...latin1]
		.flatMap((bytes) => [
			bytes.toString('hex'),
			...[0, 1, 2].map((before) => base64Inside(bytes, before)),
		])
		.map(searchable)
		.filter((encoding) => encoding.length >= SHORTEST_ENCODED);
}

/**
 * What base64 makes of these bytes in the middle of others, as far as the others do not matter.
 * @param before How many bytes stand before them in their group of three.
 */
function base64Inside(bytes: Buffer, before: number): string {
	const text = Buffer.concat([Buffer.alloc(before), bytes])
		.toString('base64')
		.replace(/=+$/, '');
	const first = Math.ceil((before * 8) / 6);
	const isWhole = (before + bytes.length) % 3 === 0;
	return text.slice(first, isWhole ? undefined : -1);
}

/** The tokens that n8n holds for an OAuth2 credential, without what it stores beside them. */
export function oauthTokens({ oauthTokenData }: ICredentialDataDecryptedObject): string[] {
	const { access_token, refresh_token, id_token } = (oauthTokenData ?? {}) as IDataObject;
	return [access_token, refresh_token, id_token]
		.filter((token) => typeof token === 'string' || typeof token === 'number')
		.map(String);
}
