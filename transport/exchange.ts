import type { IAdditionalCredentialOptions, IHttpRequestOptions } from 'n8n-workflow';
import { isSameOrigin, originOf } from './address';
import type { AnswerStream } from './answerBytes';
import type { Answer, Call } from './call';
import type { Clock } from './clock';
import type { Connection, RequestContext } from './connection';
import type { CallFailure } from './errors/failure';
import { causes, closeSocket, networkFailure, wasSilent } from './errors/networkFailure';
import { multipartForm } from './multipart';
import { failed, readAnswer } from './readAnswer';
import type { FullResponse } from './readAnswer';
import { RequestEnd } from './requestEnd';

export type Exchange = { ok: true; answer: Answer } | { ok: false; failure: CallFailure };

/** Longest time for an idempotent call, in milliseconds. */
const LONGEST_CALL_MS = 300_000;

/** Longest time to the head of an answer, in milliseconds; an upload gets more. */
const LONGEST_WAIT_MS = 120_000;

/** Slowest upload that is waited for, in bytes per millisecond: ten may share an uplink of a megabit a second. */
const SLOWEST_UPLOAD = 12.8;

/** Longest time in which an upload does not go on, in milliseconds: much may be on its way already. */
const LONGEST_UPLOAD_PAUSE_MS = 300_000;

/** What ends a request after its time where the HTTP client does not, in milliseconds. */
const GRACE_MS = 1000;

export interface ExchangeLimits {
	/** By the monotonic clock. */
	deadline: number;
	/**
	 * Longest time to the head of an answer for an idempotent call, in milliseconds. Its body may take
	 * twice as long, but never longer than ANSWER_BOUNDS.
	 */
	answerWithinMs?: number;
}

interface RequestBody extends Pick<IHttpRequestOptions, 'body' | 'headers'> {
	/** Whether all of it was taken for the request; where it is not said, it is sent at once. */
	isRead?: () => boolean;
	isAwaited?: () => boolean;
	close?: () => void;
}

/** @param onTaken Called whenever a file goes on. */
function requestBody(call: Call, onTaken: () => void): RequestBody {
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
			const { form, ...upload } = multipartForm(call.body, onTaken);
			return { body: form as unknown as IHttpRequestOptions['body'], ...upload };
		}
	}
}

/**
 * Time for the head of the answer, in milliseconds, the upload included.
 *
 * @param left Time left for the whole exchange. A call with an effect is not broken off by it once
 * it is on its way, since that would leave its outcome open.
 */
function timeout(call: Call, left: number, answerWithinMs: number): number {
	if (call.idempotent) return Math.max(1, Math.min(Math.ceil(left), answerWithinMs));
	const size = call.body?.type === 'multipart' ? call.body.file.size : 0;
	return LONGEST_WAIT_MS + Math.ceil(size / SLOWEST_UPLOAD);
}

/**
 * Sends one request and reads its answer; every outcome is a value, and comes within its time
 * whatever the other side does.
 *
 * Redirects are off: n8n's helper would carry the credential to the other host. No status is
 * thrown, since n8n sends a request a second time after a thrown 401, except with OAuth2, where
 * that is how n8n renews the token (and where only GET is sent). There all are thrown: older
 * versions of n8n cannot throw a 401 alone.
 *
 * @returns The `quote` and the `detail` of a failure may still quote secrets.
 */
export async function exchange(
	context: RequestContext,
	connection: Connection,
	call: Call,
	url: string,
	clock: Clock,
	{ deadline, answerWithinMs = LONGEST_WAIT_MS }: ExchangeLimits,
): Promise<Exchange> {
	const begun = clock.monotonic();
	const timeLeft = () => Math.min(deadline, begun + LONGEST_CALL_MS) - clock.monotonic();
	if (connection.readOnly && call.method !== 'GET') return failed({ kind: 'readOnly' });
	if (!isSameOrigin(connection.origin, url)) {
		return failed({ kind: 'foreignAddress', detail: originOf(url) });
	}
	const milliseconds = timeout(call, timeLeft(), answerWithinMs);
	const end = new RequestEnd(context, Math.min(milliseconds, LONGEST_UPLOAD_PAUSE_MS) + GRACE_MS);
	let isAnswered = false;
	const onTaken = () => {
		const left = begun + milliseconds - clock.monotonic();
		if (!isAnswered) end.endIn(Math.min(left, LONGEST_UPLOAD_PAUSE_MS) + GRACE_MS);
	};
	let request: RequestBody = {};
	try {
		const sending = async () => {
			request = requestBody(call, onTaken);
			return await sendRequest(end, connection, call, url, request, milliseconds);
		};
		const response = await end.before(sending(), (late) => late.body.destroy());
		isAnswered = true;
		const left = call.idempotent ? Math.min(timeLeft(), 2 * answerWithinMs) : Infinity;
		const { tokens = [] } = connection;
		const isUpload = request.isRead !== undefined;
		const options = { url, milliseconds: left, end, tokens, call, isUpload };
		const read = await readAnswer(response, options);
		if (!read.ok) return read;
		// What it says is not of the whole file, which was broken off.
		if (request.isRead?.() === false) return failed({ kind: 'answeredEarly' });
		return { ok: true, answer: { ...read.answer, tookMs: clock.monotonic() - begun } };
	} catch (error) {
		closeSocket(error);
		// The service waited for what n8n did not read.
		if (wasSilent(error) && request.isAwaited?.()) return failed({ kind: 'fileUnreadable' });
		return failed(networkFailure(error, connection, call.method));
	} finally {
		request.close?.();
		end.release();
	}
}

async function sendRequest(
	{ context, signal }: RequestEnd,
	connection: Connection,
	call: Call,
	url: string,
	{ body, headers }: RequestBody,
	milliseconds: number,
): Promise<FullResponse> {
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
			ignoreHttpStatusErrors: !connection.renewsToken,
			timeout: milliseconds,
			abortSignal: signal,
		},
		credentialAtHand(connection),
	) as Promise<FullResponse>;
	return await sending.catch(
		async (error: unknown) => thrownResponse(error) ?? (await Promise.reject(error)),
	);
}

/** Keeps n8n from reading a credential again that was read before. Of it n8n looks at the data only. */
function credentialAtHand({
	credential,
	credentialType,
	renewsToken,
}: Connection): IAdditionalCredentialOptions | undefined {
	// With a type of token that n8n does not know, it would put the token into the address.
	if (!credential) return renewsToken ? { oauth2: { tokenType: 'Bearer' } } : undefined;
	return {
		credentialsDecrypted: { id: '', name: '', type: credentialType, data: credential },
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
