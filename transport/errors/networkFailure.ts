import { isSameOrigin } from '../address';
import type { Method } from '../call';
import type { Connection } from '../connection';
import { codeFailure, statusFailure } from './failure';
import type { CallFailure, FailureKind } from './failure';
import { FileFlaw } from '../multipart';

const WORDS: ReadonlyMap<string, string> = new Map([
	['ECONNABORTED', 'it was silent for too long'],
	['ETIMEDOUT', 'the connection timed out'],
	['ERR_CANCELED', 'the time for the call was over'],
	[
		'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
		'it asks for a client certificate, and n8n sends none',
	],
]);

const TOKEN_SILENT = ', perhaps while n8n waited for the access token URL';

const PERHAPS_TOKEN = ', perhaps from the access token URL';

const FILE_FLAWS = {
	moreBytes: { kind: 'fileChanged', detail: 'more bytes' },
	fewerBytes: { kind: 'fileChanged', detail: 'fewer bytes' },
	unreadable: { kind: 'fileUnreadable' },
} as const;

/** What n8n says when it got no token, and when the grant behind it was revoked. */
const TOKEN = /access token|needs to be reconnected/i;

/** What an access token URL says that may give a token later; n8n drops its status. */
const NO_TOKEN_FOR_NOW = /temporar|too[ _]many[ _]requests|slow_down|rate[ _]limit/i;

/** What n8n says when the access token URL once answered without a token: it does not ask again. */
const NO_TOKEN_STORED = /sign without access token/i;

/** Of an answer of the access token URL that is no JSON, n8n quotes the beginning: it may hold a token. */
const QUOTED_ANSWER = /(received):.*/s;

/** What the HTTP client says, without a code, of a proxy that ends instead of opening a way to the service. */
const NO_WAY_THROUGH_PROXY = /CONNECT response/;

const PROXY_AUTHENTICATION_REQUIRED = 407;

/** How deep n8n and the HTTP client wrap the error of the operating system. */
const DEEPEST_CAUSE = 6;

interface ErrorLike {
	code?: unknown;
	/** Where n8n keeps the code of an error that it has wrapped, or the status of an answer. */
	httpCode?: unknown;
	status?: unknown;
	message?: unknown;
	config?: { url?: unknown; method?: unknown };
	response?: unknown;
	cause?: unknown;
	/** The answer of an access token URL. */
	body?: { error?: unknown };
	syscall?: unknown;
	request?: { destroy?: () => unknown; socket?: { secureConnecting?: unknown } };
	/** Where several addresses of a host were tried. */
	errors?: unknown;
}

/** An error and what caused it, the outermost first. */
export function causes(error: unknown): ErrorLike[] {
	const chain: ErrorLike[] = [];
	let current = error;
	while (typeof current === 'object' && current !== null && chain.length < DEEPEST_CAUSE) {
		chain.push(current);
		current = (current as ErrorLike).cause;
	}
	return chain;
}

/** n8n 2.20 drops the cause of an error that it wraps, and keeps its code beside it. */
function codeOf({ code, httpCode }: ErrorLike): unknown {
	return code ?? (/^[A-Z]/.test(String(httpCode)) ? httpCode : undefined);
}

/** Closes the socket of a request that failed: that of n8n 1.100 stays open where the time ran out. */
export function closeSocket(error: unknown): void {
	for (const { request } of causes(error)) request?.destroy?.();
}

/** Whether the time ran out with nothing said. */
export function wasSilent(error: unknown): boolean {
	return causes(error).some((cause) => codeOf(cause) === 'ECONNABORTED');
}

/**
 * What kept n8n's request helper from giving an answer. Of the thrown error only its codes, its message
 * and how far its socket got are read: it also carries the request, and with it the credential.
 *
 * @param method Of the call: where n8n fetches a token, a POST of its own goes before a GET.
 * @returns Its `quote` and `detail` may still quote secrets.
 */
export function networkFailure(
	error: unknown,
	{ origin, renewsToken }: Pick<Connection, 'origin' | 'renewsToken'>,
	method: Method,
): CallFailure {
	const chain = causes(error);
	const flaw = chain.find((cause) => cause instanceof FileFlaw);
	if (flaw instanceof FileFlaw) return FILE_FLAWS[flaw.kind];
	const codes = chain.map(codeOf).filter((code) => typeof code === 'string');
	const code = codes.find((text) => codeFailure(text)) ?? codes[0];
	const messages = chain.map((cause) => String(cause.message ?? ''));
	const ofCode = code === undefined ? withoutCode(messages) : (codeFailure(code) ?? 'noAnswer');
	const hadConnection =
		(ofCode === 'refusedConnection' && !failedToConnect(chain)) ||
		(ofCode === 'noSecureConnection' && !failedInHandshake(chain));
	const kind = hadConnection ? 'noAnswer' : ofCode;
	const isTokenRequest = chain.some(({ config }) => {
		if (typeof config?.url !== 'string') return false;
		return !isSameOrigin(origin, config.url) || !isSameMethod(method, config.method);
	});
	if (kind === 'noAccessToken' || isTokenRequest || messages.some((text) => TOKEN.test(text))) {
		return tokenFailure(kind, chain, messages);
	}
	if (kind === 'notSent') {
		const answered = renewsToken ? withoutResponse(chain) : undefined;
		return answered ?? { kind, quote: messages[0] };
	}
	if (kind === 'proxyRefused') return { kind, detail: 'no usable answer' };
	// n8n asks for a token first, and does not tell which of the two was silent.
	const perhaps = renewsToken && code === 'ERR_CANCELED' ? TOKEN_SILENT : '';
	const happened = (WORDS.get(code ?? '') ?? 'the connection broke') + perhaps;
	return { kind, detail: kind === 'noAnswer' ? happened : origin };
}

/**
 * The status of an answer that n8n keeps without the answer: of the second 401 to a token that it has
 * renewed, and n8n 2.20 of every other. It may be one to n8n's own request for a token.
 */
function withoutResponse(chain: ErrorLike[]): CallFailure | undefined {
	const status = Number(
		chain.find(({ httpCode }) => /^[345]\d\d$/.test(String(httpCode)))?.httpCode,
	);
	const kind = status > 0 ? statusFailure(status) : undefined;
	if (!kind) return undefined;
	const detail = kind === 'redirect' ? 'an address it does not name' : `${status}${PERHAPS_TOKEN}`;
	return { kind, status, ...(kind !== 'unauthorized' && { detail }) };
}

function withoutCode(messages: string[]): FailureKind {
	return messages.some((text) => NO_WAY_THROUGH_PROXY.test(text)) ? 'proxyRefused' : 'notSent';
}

/**
 * Whether there never was a connection: an established one may end with EHOSTUNREACH as well, long
 * after all was sent. Where several addresses were tried, none of them was reached.
 */
function failedToConnect(chain: ErrorLike[]): boolean {
	return chain.some(
		({ syscall, errors }) =>
			syscall === 'connect' ||
			(Array.isArray(errors) &&
				errors.length > 0 &&
				errors.every((error: ErrorLike) => error?.syscall === 'connect')),
	);
}

/**
 * Whether a connection never became secure, so that nothing was sent over it: a proxy may write
 * something that is no TLS into one that is, after the request has arrived.
 */
function failedInHandshake(chain: ErrorLike[]): boolean {
	return chain.some(({ request }) => request?.socket?.secureConnecting === true);
}

function isSameMethod(method: Method, given: unknown): boolean {
	return typeof given !== 'string' || given.toUpperCase() === method;
}

/** Whether an access token URL that answers so may give a token later. */
function isPassing(status: number): boolean {
	return status >= 500 || ['rateLimited', 'unavailable'].includes(statusFailure(status) ?? '');
}

/** n8n asks for the token itself; an endpoint that is down says nothing about the credential. */
function tokenFailure(kind: FailureKind, chain: ErrorLike[], messages: string[]): CallFailure {
	const statuses = chain.map(({ status }) => status).filter((status) => typeof status === 'number');
	if (statuses.includes(PROXY_AUTHENTICATION_REQUIRED)) {
		return { kind: 'proxyRefused', detail: String(PROXY_AUTHENTICATION_REQUIRED) };
	}
	const isDown =
		!['noAccessToken', 'notSent'].includes(kind) ||
		statuses.some(isPassing) ||
		chain.some(({ message, body }) => NO_TOKEN_FOR_NOW.test(`${message} ${body?.error}`));
	const quote = messages.filter(Boolean).at(-1)?.replace(QUOTED_ANSWER, '$1 something else');
	if (messages.some((text) => NO_TOKEN_STORED.test(text))) return { kind: 'noTokenStored', quote };
	return { kind: isDown ? 'tokenServiceDown' : 'noAccessToken', quote };
}
