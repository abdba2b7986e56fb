import { hash } from 'crypto';
import { sleep } from 'n8n-workflow';
import { originOf } from './address';
import { ANSWER_BOUNDS, answerBytes, REFUSAL_BOUNDS } from './answerBytes';
import type { AnswerStream } from './answerBytes';
import type { Answer, Call } from './call';
import { statusFailure } from './errors/failure';
import type { CallFailure } from './errors/failure';
import { retryAfterMs } from './errors/retryAfter';
import { serverMessage } from './errors/serverMessage';
import { MOST_VALUES, parseExactJson } from './exactJson';
import { headerDate } from './headerDate';
import type { RequestEnd } from './requestEnd';
import { withoutTokens } from './withoutTokens';

type ReadAnswer =
	| { ok: true; answer: Omit<Answer, 'tookMs'> }
	| { ok: false; failure: CallFailure };

/** An answer as n8n gives it: its body is still on its way. */
export interface FullResponse {
	statusCode: number;
	headers: Record<string, unknown>;
	body: AnswerStream;
}

/** From this length on, in bytes, answers are opened one at a time, and have no digest. */
const LONG_ANSWER = 64 * 1024;

/** From this length on, in bytes, n8n does other work before and after, also where one comes alone. */
const VERY_LONG_ANSWER = 1024 * 1024;

/** What a value takes in memory at least, in bytes, where many are written in few. Ordinary records take more as text. */
const BYTES_OF_A_VALUE = 40;

/**
 * As many bytes a text that V8 does not hash counts more, so that one poll delivers a few hundred at most: n8n
 * has the texts of an execution as keys of one `Map` while it stores them.
 */
export const BYTES_OF_A_LONG_TEXT = 128 * 1024;

const NO_CONTENT = 204;

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

let longAnswers: Promise<unknown> = Promise.resolve();
let longInLine = 0;

/**
 * Opens long answers one at a time: ten that come at once must add up neither to one long standstill
 * nor to ten times the memory that opening takes. A page of an ordinary log that comes alone does
 * not wait: the pauses would take longer than the page.
 */
async function inTurn(length: number, open: () => ReadAnswer): Promise<ReadAnswer> {
	if (length < LONG_ANSWER) return open();
	const mustPause = longInLine++ > 0 || length >= VERY_LONG_ANSWER;
	const opening = longAnswers.then(async () => {
		if (mustPause) await sleep(1);
		const opened = open();
		// What is made of it may take as long again.
		if (mustPause) await sleep(1);
		return opened;
	});
	const turn = opening.finally(() => longInLine--);
	const letGo = () => undefined;
	longAnswers = turn.then(letGo, letGo);
	return await turn;
}

interface ReadOptions {
	/** Where the request went, to say where a redirect leads. */
	url: string;
	/** Time for the rest of the answer. */
	milliseconds: number;
	end: RequestEnd;
	/** What is cut out of the answer. */
	tokens: string[];
	call: Pick<Call, 'nextPageField' | 'knownDigest' | 'takesText'>;
	/** As `answerBytes` has it. */
	isUpload?: boolean;
}

export function failed(failure: CallFailure): { ok: false; failure: CallFailure } {
	return { ok: false, failure };
}

export async function readAnswer(
	{ statusCode: status, headers: given, body }: FullResponse,
	{ url, milliseconds, end, tokens, call, isUpload }: ReadOptions,
): Promise<ReadAnswer> {
	// Broken off, it fails at a time when nobody may be listening any more.
	(body as AnswerStream | undefined)?.on('error', () => undefined);
	const headers = plainHeaders(given);
	const kind = statusFailure(status);
	if (kind === 'redirect') {
		end.breakOff();
		return failed({ kind, status, detail: redirectTarget(headers.location, url) });
	}
	const bounds = kind ? REFUSAL_BOUNDS : ANSWER_BOUNDS;
	const time = Math.min(milliseconds, bounds.milliseconds);
	const read = await answerBytes(body, { ...bounds, milliseconds: time }, end, isUpload);
	if (kind) {
		const said = read.kind === 'read' ? Buffer.concat(read.chunks) : undefined;
		return failed({
			kind,
			status,
			detail: String(status),
			quote: said && messageIn(said, headers),
			withWebPage: said && isWebPage(said.toString(), headers),
			retryAfterMs: retryAfterMs(
				headers['retry-after'],
				headerDate(headers.date ?? '') || Date.now(),
			),
		});
	}
	switch (read.kind) {
		case 'read':
			if (read.length === 0 && announcesContent(status, headers)) {
				return failed({ kind: 'answerCut', status });
			}
			return await inTurn(read.length, () =>
				parsedAnswer(status, headers, Buffer.concat(read.chunks.splice(0)), {
					tokens,
					call,
				}),
			);
		case 'answerTooLarge':
			return failed({ kind: read.kind, status, detail: `${ANSWER_BOUNDS.bytes / 1024 / 1024} MB` });
		case 'answerTooSlow':
			return failed({ kind: read.kind, status, detail: inSeconds(time) });
		case 'answerCut':
			return failed({ kind: read.kind, status });
	}
}

/** Compressed content that is cut early unpacks to nothing, and n8n's HTTP client calls that its end. */
function announcesContent(status: number, headers: Record<string, string>): boolean {
	return status !== NO_CONTENT && Number(headers['content-length']) > 0;
}

function inSeconds(milliseconds: number): string {
	const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
	return seconds === 1 ? '1 second' : `${seconds} seconds`;
}

function plainHeaders(headers: Record<string, unknown>): Record<string, string> {
	return Object.fromEntries(
		Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
	);
}

function messageIn(bytes: Buffer, headers: Record<string, string>): string | undefined {
	const parsed = parseJson(bytes);
	if (typeof parsed === 'object') return serverMessage(parsed.value);
	return isPlainText(headers) ? serverMessage(bytes.toString()) : undefined;
}

function isPlainText(headers: Record<string, string>): boolean {
	return headers['content-type']?.toLowerCase().startsWith('text/plain') ?? false;
}

function parsedAnswer(
	status: number,
	headers: Record<string, string>,
	bytes: Buffer,
	{ tokens, call }: Pick<ReadOptions, 'tokens' | 'call'>,
): ReadAnswer {
	const digest = bytes.length < LONG_ANSWER ? hash('sha256', bytes, 'base64') : undefined;
	const answer = { status, headers, body: undefined, bytes: bytes.length, digest };
	if (digest !== undefined && digest === call.knownDigest) return { ok: true, answer };
	const parsed = parseJson(bytes);
	if (typeof parsed === 'object') {
		const body = withoutTokens(parsed.value, tokens, bytes, call.nextPageField);
		const { values, longTexts } = parsed;
		const least = Math.max(bytes.length, values * BYTES_OF_A_VALUE);
		const size = least + longTexts * BYTES_OF_A_LONG_TEXT;
		return { ok: true, answer: { ...answer, body, bytes: size } };
	}
	if (parsed === 'tooManyValues') {
		const detail = `${MOST_VALUES.toLocaleString('en-US')} values`;
		return failed({ kind: 'answerTooLarge', status, detail });
	}
	const text = bytes.toString().trim();
	if (text === '') return { ok: true, answer: { status, headers, body: undefined, bytes: 0 } };
	if (isWebPage(text, headers)) return failed({ kind: 'webPage', status });
	if (call.takesText && isPlainText(headers)) {
		return { ok: true, answer: { ...answer, body: withoutTokens(text, tokens, bytes) } };
	}
	// Some proxies end what they cut off as if it were whole.
	const isCut = /^[[{]/.test(text) && !/[\]}]$/.test(text);
	return failed({ kind: isCut ? 'answerCut' : 'notJson', status });
}

function isWebPage(text: string, headers: Record<string, string>): boolean {
	return /^\s*</.test(text) || (headers['content-type'] ?? '').includes('text/html');
}

function parseJson(bytes: Buffer): ReturnType<typeof parseExactJson> | 'notJson' {
	try {
		const hasMark = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
		return parseExactJson(hasMark ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes);
	} catch {
		return 'notJson';
	}
}

function redirectTarget(location: string | undefined, url: string): string {
	if (location === undefined) return 'an address it does not name';
	const target = originOf(location, url);
	return target === originOf(url) ? 'another path' : target;
}
