import { sleep } from 'n8n-workflow';
import { originOf } from './address';
import { ANSWER_BOUNDS, answerText, REFUSAL_BOUNDS } from './answerText';
import type { AnswerStream } from './answerText';
import type { Answer } from './call';
import { statusFailure } from './errors/failure';
import type { CallFailure } from './errors/failure';
import { retryAfterMs } from './errors/retryAfter';
import { serverMessage } from './errors/serverMessage';
import { MOST_VALUES, parseExactJson } from './exactJson';
import { withoutTokens } from './withoutTokens';

/** What came of one request. */
export type Exchange =
	| { ok: true; answer: Omit<Answer, 'tookMs'> }
	| { ok: false; failure: CallFailure };

/** An answer as n8n gives it: its body is still on its way. */
export interface FullResponse {
	statusCode: number;
	headers: Record<string, unknown>;
	body: AnswerStream;
}

/** From this length on, in characters, n8n does other work between two answers. */
const LONG_TEXT = 256 * 1024;

let longTexts: Promise<unknown> = Promise.resolve();

/** Reads long texts one at a time: ten that come at once must not add up to one long standstill. */
async function inTurn(text: string, read: () => Exchange): Promise<Exchange> {
	if (text.length < LONG_TEXT) return read();
	const exchange = longTexts.then(async () => {
		await sleep(1);
		return read();
	});
	longTexts = exchange.catch(() => undefined);
	return await exchange;
}

interface ReadOptions {
	/** Where the request went, to say where a redirect leads. */
	url: string;
	/** Time left. */
	milliseconds: number;
	/** Ends the request. */
	breakOff: () => void;
	/** What is cut out of the answer. */
	tokens: string[];
}

export function failed(failure: CallFailure): Exchange {
	return { ok: false, failure };
}

/**
 * Reads an answer to its end, within its bounds; every outcome is a value.
 */
export async function readAnswer(
	{ statusCode: status, headers: given, body }: FullResponse,
	{ url, milliseconds, breakOff, tokens }: ReadOptions,
): Promise<Exchange> {
	// Broken off, it fails at a time when nobody may be listening any more.
	(body as AnswerStream | undefined)?.on('error', () => undefined);
	const headers = plainHeaders(given);
	const kind = statusFailure(status);
	if (kind === 'redirect') {
		breakOff();
		return failed({ kind, status, detail: redirectTarget(headers.location, url) });
	}
	const bounds = kind ? REFUSAL_BOUNDS : ANSWER_BOUNDS;
	const time = Math.min(milliseconds, bounds.milliseconds);
	const read = await answerText(body, { ...bounds, milliseconds: time }, breakOff);
	if (kind) {
		return failed({
			kind,
			status,
			detail: String(status),
			quote: read.kind === 'text' ? messageIn(read.text, headers) : undefined,
			retryAfterMs: retryAfterMs(headers['retry-after'], Date.parse(headers.date) || Date.now()),
		});
	}
	switch (read.kind) {
		case 'text':
			return await inTurn(read.text, () => parsedAnswer(status, headers, read.text, tokens));
		case 'answerTooLarge':
			return failed({ kind: read.kind, status, detail: `${ANSWER_BOUNDS.bytes / 1024 / 1024} MB` });
		case 'answerTooSlow':
			return failed({ kind: read.kind, status, detail: inSeconds(time) });
		case 'answerCut':
			return failed({ kind: read.kind, status });
	}
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

function messageIn(text: string, headers: Record<string, string>): string | undefined {
	const parsed = parseJson(text);
	if (typeof parsed === 'object') return serverMessage(parsed.value);
	return headers['content-type']?.startsWith('text/plain') ? serverMessage(text) : undefined;
}

function parsedAnswer(
	status: number,
	headers: Record<string, string>,
	text: string,
	tokens: string[],
): Exchange {
	if (text.trim() === '') return { ok: true, answer: { status, headers, body: undefined } };
	const parsed = parseJson(text);
	if (typeof parsed === 'object') {
		const body = withoutTokens(parsed.value, tokens, text);
		return { ok: true, answer: { status, headers, body } };
	}
	if (parsed === 'tooManyValues') {
		const detail = `${MOST_VALUES.toLocaleString('en-US')} values`;
		return failed({ kind: 'answerTooLarge', status, detail });
	}
	const isWebPage = /^\s*</.test(text) || (headers['content-type'] ?? '').includes('text/html');
	return failed({ kind: isWebPage ? 'webPage' : 'notJson', status });
}

function parseJson(text: string): ReturnType<typeof parseExactJson> | 'notJson' {
	try {
		return parseExactJson(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
	} catch {
		return 'notJson';
	}
}

function redirectTarget(location: string | undefined, url: string): string {
	if (location === undefined) return 'an address it does not name';
	const target = originOf(location, url);
	return target === originOf(url) ? 'another path' : target;
}
