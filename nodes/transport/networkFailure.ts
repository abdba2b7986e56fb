import { FileChangedError } from './multipart';
import type { CallFailure, FailureKind } from './failure';

/** What the operating system, TLS and the HTTP client say when no answer came. */
const KINDS: Record<string, FailureKind> = {
	ECONNREFUSED: 'refusedConnection',
	EHOSTUNREACH: 'refusedConnection',
	ENETUNREACH: 'refusedConnection',
	ENOTFOUND: 'unknownHost',
	EAI_AGAIN: 'unknownHost',
	CERT_HAS_EXPIRED: 'untrustedCertificate',
	CERT_NOT_YET_VALID: 'untrustedCertificate',
	DEPTH_ZERO_SELF_SIGNED_CERT: 'untrustedCertificate',
	SELF_SIGNED_CERT_IN_CHAIN: 'untrustedCertificate',
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'untrustedCertificate',
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'untrustedCertificate',
	ERR_TLS_CERT_ALTNAME_INVALID: 'untrustedCertificate',
	ECONNRESET: 'noAnswer',
	ECONNABORTED: 'noAnswer',
	ETIMEDOUT: 'noAnswer',
	EPIPE: 'noAnswer',
	ERR_CANCELED: 'noAnswer',
	ERR_NETWORK: 'noAnswer',
	ERR_BAD_RESPONSE: 'noAnswer',
	HPE_INVALID_CONSTANT: 'noAnswer',
};

/** How a user reads what happened on the connection. */
const WORDS: Record<string, string> = {
	ECONNABORTED: 'it was silent for too long',
	ETIMEDOUT: 'the connection timed out',
	ERR_CANCELED: 'the time for the call was over',
};

/** How deep n8n and the HTTP client wrap the error of the operating system. */
const DEEPEST_CAUSE = 5;

interface ErrorLike {
	code?: unknown;
	httpCode?: unknown;
	message?: unknown;
	cause?: unknown;
}

function causes(error: unknown): ErrorLike[] {
	const chain: ErrorLike[] = [];
	let current = error;
	while (typeof current === 'object' && current !== null && chain.length < DEEPEST_CAUSE) {
		chain.push(current);
		current = (current as ErrorLike).cause;
	}
	return chain;
}

/**
 * What kept n8n's request helper from giving an answer. Of the thrown error only its code and its
 * redacted message are read: it also carries the request, and with it the credential.
 */
export function networkFailure(
	error: unknown,
	origin: string,
	redact: (text: string) => string,
): CallFailure {
	const chain = causes(error);
	const changed = chain.find((cause) => cause instanceof FileChangedError);
	if (changed instanceof FileChangedError) {
		return { kind: 'fileChanged', detail: changed.more ? 'more bytes' : 'fewer bytes' };
	}
	const message = redact(chain.map((cause) => String(cause.message ?? '')).join(' '));
	if (/OAuth2 access token|needs to be reconnected/i.test(message))
		return { kind: 'noAccessToken' };
	if (chain.some((cause) => cause.httpCode === '401')) return { kind: 'unauthorized', status: 401 };
	const codes = chain.map(({ code }) => code).filter((code) => typeof code === 'string');
	if (codes.length === 0)
		return { kind: 'notSent', words: redact(String(chain[0]?.message ?? '')) };
	const code = codes.find((text) => text in KINDS) ?? codes[0];
	const kind = KINDS[code] ?? 'noAnswer';
	return { kind, detail: kind === 'noAnswer' ? (WORDS[code] ?? 'the connection broke') : origin };
}
