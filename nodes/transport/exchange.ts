import type { IHttpRequestOptions } from 'n8n-workflow';
import { isSameOrigin } from './address';
import type { Answer, Call } from './call';
import type { Connection, RequestContext } from './connect';
import { answerText, LONGEST_ANSWER, LONGEST_READING_MS } from './answerText';
import type { AnswerStream } from './answerText';
import { parseExactJson } from './exactJson';
import type { CallFailure } from './failure';
import { statusFailure } from './failure';
import { multipartForm } from './multipart';
import { networkFailure } from './networkFailure';
import { retryAfterMs } from './retryAfter';
import { serviceWords } from './serviceWords';

/** Longest silence on a connection before it is given up, in milliseconds. */
const LONGEST_SILENCE_MS = 120_000;

/** What came of one request. */
export type Exchange = { ok: true; answer: Answer } | { ok: false; failure: CallFailure };

interface FullResponse {
	statusCode: number;
	headers: Record<string, unknown>;
	body: AnswerStream;
}

async function requestBody(call: Call): Promise<Pick<IHttpRequestOptions, 'body' | 'headers'>> {
	switch (call.body?.type) {
		case undefined:
			return {};
		case 'form':
			return {
				headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
				body: new URLSearchParams(call.body.fields).toString(),
			};
		case 'json':
			return { headers: { 'Content-Type': 'application/json' }, body: call.body.text };
		case 'multipart':
			return { body: (await multipartForm(call.body)) as IHttpRequestOptions['body'] };
	}
}

/**
 * Sends one request and reads its answer; every outcome is a value.
 *
 * Redirects are off: n8n's helper would carry the credential to the other host. No status is
 * thrown, since n8n sends a request a second time after a thrown 401, except with OAuth2, where
 * that is how n8n renews the token (and where only GET is sent).
 *
 * @param milliseconds Time left for the whole exchange. A call with an effect is not broken off by
 * it once it is on its way, since that would leave its outcome open.
 */
export async function exchange(
	context: RequestContext,
	connection: Connection,
	call: Call,
	url: string,
	milliseconds: number,
	redact: (text: string) => string,
): Promise<Exchange> {
	if (connection.readOnly && call.method !== 'GET') return failed({ kind: 'writeToConsole' });
	if (!isSameOrigin(connection.origin, url)) {
		return failed({ kind: 'foreignAddress', detail: originOf(url) });
	}
	let response: FullResponse;
	try {
		const { body, headers } = await requestBody(call);
		response = (await context.helpers.httpRequestWithAuthentication.call(
			context,
			connection.credentialType,
			{
				method: call.method as IHttpRequestOptions['method'],
				url,
				headers: { Accept: 'application/json', ...headers },
				body,
				encoding: 'stream',
				returnFullResponse: true,
				disableFollowRedirect: true,
				ignoreHttpStatusErrors: connection.renewsToken ? { ignore: true, except: [401] } : true,
				timeout: LONGEST_SILENCE_MS,
				...(call.idempotent ? { abortSignal: AbortSignal.timeout(Math.max(1, milliseconds)) } : {}),
			},
		)) as FullResponse;
	} catch (error) {
		return failed(networkFailure(error, connection.origin, redact));
	}
	return await readAnswer(response, call, milliseconds, redact);
}

function failed(failure: CallFailure): Exchange {
	return { ok: false, failure };
}

function originOf(url: string): string {
	return url.replace(/^([a-z]+:\/\/)?(?:[^/@]*@)?([^/?#]*).*$/is, '$1$2');
}

function plainHeaders(headers: Record<string, unknown>): Record<string, string> {
	return Object.fromEntries(
		Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
	);
}

async function readAnswer(
	response: FullResponse,
	call: Call,
	milliseconds: number,
	redact: (text: string) => string,
): Promise<Exchange> {
	const headers = plainHeaders(response.headers);
	const status = response.statusCode;
	const kind = statusFailure(status);
	const read = await answerText(response.body, call.idempotent ? milliseconds : LONGEST_READING_MS);
	if (kind) {
		const body = read.kind === 'text' ? parseJson(read.text) : undefined;
		return failed({
			kind,
			status,
			detail: kind === 'redirect' ? redirectTarget(headers.location) : String(status),
			words: redactedWords(body, redact),
			retryAfterMs: retryAfterMs(headers['retry-after'], Date.parse(headers.date) || Date.now()),
		});
	}
	if (read.kind !== 'text') return failed({ kind: read.kind, status, detail: boundOf(read.kind) });
	return parsedAnswer(status, headers, read.text);
}

function parsedAnswer(status: number, headers: Record<string, string>, text: string): Exchange {
	if (text.trim() === '') return { ok: true, answer: { status, headers, body: undefined } };
	const body = parseJson(text);
	if (body !== undefined) return { ok: true, answer: { status, headers, body } };
	const isWebPage = /^\s*</.test(text) || (headers['content-type'] ?? '').includes('text/html');
	return failed({ kind: isWebPage ? 'webPage' : 'notJson', status });
}

function parseJson(text: string): unknown {
	try {
		return parseExactJson(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
	} catch {
		return undefined;
	}
}

function redactedWords(body: unknown, redact: (text: string) => string): string | undefined {
	const words = serviceWords(body);
	return words && redact(words);
}

function redirectTarget(location: string | undefined): string {
	return location ? originOf(location) || 'another path' : 'an address it does not name';
}

function boundOf(kind: 'answerTooLarge' | 'answerTooSlow' | 'answerCut'): string | undefined {
	if (kind === 'answerTooLarge') return `${LONGEST_ANSWER / 1024 / 1024} MB`;
	return kind === 'answerTooSlow' ? `${LONGEST_READING_MS / 1000} seconds` : undefined;
}
