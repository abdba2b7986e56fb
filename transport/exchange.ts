import type { IAdditionalCredentialOptions, IHttpRequestOptions } from 'n8n-workflow';
import { isSameOrigin, parseUrl } from './address';
import type { Answer, Call } from './call';
import type { Connection, RequestContext } from './connection';
import { ANSWER_BOUNDS, answerText, REFUSAL_BOUNDS } from './answerText';
import type { AnswerStream } from './answerText';
import { parseExactJson } from './exactJson';
import type { CallFailure } from './errors/failure';
import { statusFailure } from './errors/failure';
import { multipartForm } from './multipart';
import { causes, networkFailure } from './errors/networkFailure';
import { retryAfterMs } from './errors/retryAfter';
import { serviceWords } from './errors/serviceWords';

/** Longest time from the request to the head of its answer, in milliseconds; an upload gets more. */
const LONGEST_WAIT_MS = 120_000;

/** Slowest upload that is waited for, in bytes per millisecond: about a megabit a second. */
const SLOWEST_UPLOAD = 128;

/** After its time a request is broken off if nothing else has ended it, in milliseconds. */
const GRACE_MS = 1000;

/** What came of one request. */
export type Exchange =
	| { ok: true; answer: Omit<Answer, 'tookMs'> }
	| { ok: false; failure: CallFailure };

interface FullResponse {
	statusCode: number;
	headers: Record<string, unknown>;
	body: AnswerStream;
}

interface RequestBody extends Pick<IHttpRequestOptions, 'body' | 'headers'> {
	close?: () => void;
}

async function requestBody(call: Call): Promise<RequestBody> {
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
		case 'multipart': {
			const { form, close } = await multipartForm(call.body);
			return { body: form as IHttpRequestOptions['body'], close };
		}
	}
}

/**
 * Time for the head of the answer, in milliseconds. n8n's HTTP client counts it from the first byte
 * sent, so that an upload needs time of its own.
 *
 * @param left Time left for the whole exchange. A call with an effect is not broken off by it once
 * it is on its way, since that would leave its outcome open.
 */
function timeout(call: Call, left: number): number {
	if (call.idempotent) return Math.max(1, Math.min(Math.ceil(left), LONGEST_WAIT_MS));
	const size = call.body?.type === 'multipart' ? call.body.file.size : 0;
	return LONGEST_WAIT_MS + size / SLOWEST_UPLOAD;
}

/**
 * Sends one request and reads its answer; every outcome is a value.
 *
 * Redirects are off: n8n's helper would carry the credential to the other host. No status is
 * thrown, since n8n sends a request a second time after a thrown 401, except with OAuth2, where
 * that is how n8n renews the token (and where only GET is sent).
 *
 * @param timeLeft Milliseconds left for the whole exchange.
 * @returns The `words` and the `detail` of a failure may still quote secrets.
 */
export async function exchange(
	context: RequestContext,
	connection: Connection,
	call: Call,
	url: string,
	timeLeft: () => number,
): Promise<Exchange> {
	if (connection.readOnly && call.method !== 'GET') return failed({ kind: 'writeToConsole' });
	if (!isSameOrigin(connection.origin, url)) {
		return failed({ kind: 'foreignAddress', detail: originOf(url) });
	}
	let request: RequestBody = {};
	let response: FullResponse;
	try {
		request = await requestBody(call);
		response = await sendRequest(context, connection, call, url, request, timeLeft());
	} catch (error) {
		request.close?.();
		return failed(networkFailure(error, connection.origin, call.method));
	}
	try {
		return await readAnswer(response, url, call.idempotent ? timeLeft() : Infinity);
	} finally {
		request.close?.();
	}
}

async function sendRequest(
	context: RequestContext,
	connection: Connection,
	call: Call,
	url: string,
	{ body, headers }: RequestBody,
	milliseconds: number,
): Promise<FullResponse> {
	const over = call.idempotent
		? AbortSignal.timeout(Math.max(0, Math.ceil(milliseconds)) + GRACE_MS)
		: undefined;
	const sending = context.helpers.httpRequestWithAuthentication.call(
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
			timeout: timeout(call, milliseconds),
			...(over && { abortSignal: over }),
		},
		credentialAtHand(context, connection),
	) as Promise<FullResponse>;
	const response = sending.catch(
		async (error: unknown) => thrownResponse(error) ?? (await Promise.reject(error)),
	);
	return await (over ? inTime(response, over) : response);
}

/**
 * Ends the wait for an answer when its time is over, whatever n8n is busy with: while it renews a
 * token it heeds neither the timeout nor the signal of the request, and an execution puts a signal
 * of its own in the place of ours.
 */
async function inTime(sending: Promise<FullResponse>, over: AbortSignal): Promise<FullResponse> {
	return await new Promise((resolve, reject) => {
		const end = () => reject(Object.assign(new Error('out of time'), { code: 'ERR_CANCELED' }));
		over.addEventListener('abort', end, { once: true });
		const settled = () => over.removeEventListener('abort', end);
		sending.finally(settled).then(
			(response) => {
				if (over.aborted) response.body.destroy();
				resolve(response);
			},
			(error: unknown) => reject(error as Error),
		);
	});
}

/** Keeps n8n from reading a credential again that was read before. */
function credentialAtHand(
	context: RequestContext,
	{ credential, credentialType }: Connection,
): IAdditionalCredentialOptions | undefined {
	if (!credential) return undefined;
	const { id, name } = context.getNode().credentials?.[credentialType] ?? { id: null, name: '' };
	return {
		credentialsDecrypted: { id: id ?? '', name, type: credentialType, data: credential },
	};
}

/** The answer inside the error that n8n throws for a 401 with OAuth2. */
function thrownResponse(error: unknown): FullResponse | undefined {
	for (const { response } of causes(error)) {
		const { status, headers, data } = (response ?? {}) as Record<string, unknown>;
		if (typeof data === 'object' && data !== null && Symbol.asyncIterator in data) {
			return {
				statusCode: status as number,
				headers: headers as FullResponse['headers'],
				body: data as AnswerStream,
			};
		}
	}
	return undefined;
}

function failed(failure: CallFailure): Exchange {
	return { ok: false, failure };
}

/** What an error text says of an address that others wrote: its origin, or where it has none, its scheme. */
function originOf(address: string, base?: string): string {
	const url = parseUrl(address, base);
	if (!url) return 'an address that is none';
	return url.origin === 'null' ? url.protocol : url.origin;
}

function plainHeaders(headers: Record<string, unknown>): Record<string, string> {
	return Object.fromEntries(
		Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
	);
}

async function readAnswer(
	{ statusCode: status, headers: given, body }: FullResponse,
	url: string,
	milliseconds: number,
): Promise<Exchange> {
	const headers = plainHeaders(given);
	const kind = statusFailure(status);
	if (kind === 'redirect') {
		body.destroy();
		return failed({ kind, status, detail: redirectTarget(headers.location, url) });
	}
	const bounds = kind ? REFUSAL_BOUNDS : ANSWER_BOUNDS;
	const time = Math.min(milliseconds, bounds.milliseconds);
	const read = await answerText(body, { ...bounds, milliseconds: time });
	if (kind) {
		return failed({
			kind,
			status,
			detail: String(status),
			words: read.kind === 'text' ? refusalWords(read.text, headers) : undefined,
			retryAfterMs: retryAfterMs(headers['retry-after'], Date.parse(headers.date) || Date.now()),
		});
	}
	if (read.kind === 'text') return parsedAnswer(status, headers, read.text);
	return failed({ kind: read.kind, status, detail: boundOf(read.kind, time) });
}

function refusalWords(text: string, headers: Record<string, string>): string | undefined {
	const isPlain = headers['content-type']?.startsWith('text/plain');
	return serviceWords(parseJson(text) ?? (isPlain ? text : undefined));
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

function redirectTarget(location: string | undefined, url: string): string {
	if (location === undefined) return 'an address it does not name';
	const target = originOf(location, url);
	return target === originOf(url) ? 'another path' : target;
}

function boundOf(
	kind: 'answerTooLarge' | 'answerTooSlow' | 'answerCut',
	milliseconds: number,
): string | undefined {
	if (kind === 'answerTooLarge') return `${ANSWER_BOUNDS.bytes / 1024 / 1024} MB`;
	return kind === 'answerTooSlow' ? `${Math.ceil(milliseconds / 1000)} seconds` : undefined;
}
