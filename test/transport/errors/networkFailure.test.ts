import { networkFailure } from '../../../transport/errors/networkFailure';
import { FileFlaw } from '../../../transport/multipart';

const ORIGIN = 'https://api.example.com';
const CONNECTION = { origin: ORIGIN };

/** As n8n throws it: its own error around the HTTP client's around the system's. */
function thrown(
	code: string | undefined,
	message = 'failed',
	more: object = {},
	syscall = 'connect',
): Error {
	const system = Object.assign(new Error(message), code === undefined ? {} : { code, syscall });
	const client = Object.assign(new Error(message, { cause: system }), {
		code,
		config: { url: `${ORIGIN}/api/v1/urls/`, headers: { Authorization: 'Token SECRET' } },
		...more,
	});
	return new Error('n8n says something else', { cause: client });
}

it.each([
	['ECONNREFUSED', 'refusedConnection', ORIGIN],
	['EHOSTUNREACH', 'refusedConnection', ORIGIN],
	['ENETUNREACH', 'refusedConnection', ORIGIN],
	['EADDRNOTAVAIL', 'refusedConnection', ORIGIN],
	['ENOTFOUND', 'unknownHost', ORIGIN],
	['EAI_AGAIN', 'unknownHost', ORIGIN],
	['DEPTH_ZERO_SELF_SIGNED_CERT', 'untrustedCertificate', ORIGIN],
	['SELF_SIGNED_CERT_IN_CHAIN', 'untrustedCertificate', ORIGIN],
	['CERT_HAS_EXPIRED', 'untrustedCertificate', ORIGIN],
	['CERT_NOT_YET_VALID', 'untrustedCertificate', ORIGIN],
	['CERT_REVOKED', 'untrustedCertificate', ORIGIN],
	['CERT_UNTRUSTED', 'untrustedCertificate', ORIGIN],
	['UNABLE_TO_GET_ISSUER_CERT', 'untrustedCertificate', ORIGIN],
	['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'untrustedCertificate', ORIGIN],
	['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'untrustedCertificate', ORIGIN],
	['ERR_TLS_CERT_ALTNAME_INVALID', 'untrustedCertificate', ORIGIN],
	['HOSTNAME_MISMATCH', 'untrustedCertificate', ORIGIN],
	['ECONNRESET', 'noAnswer', 'the connection broke'],
	['EPIPE', 'noAnswer', 'the connection broke'],
	['ECONNABORTED', 'noAnswer', 'it was silent for too long'],
	['ETIMEDOUT', 'noAnswer', 'the connection timed out'],
	['ERR_CANCELED', 'noAnswer', 'the time for the call was over'],
	['ERR_NETWORK', 'noAnswer', 'the connection broke'],
	['ERR_BAD_RESPONSE', 'noAnswer', 'the connection broke'],
	['ERR_SSL_SSL/TLS_ALERT_BAD_RECORD_MAC', 'noAnswer', 'the connection broke'],
	['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', 'noAnswer', 'the connection broke'],
	[
		'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
		'noAnswer',
		'it asks for a client certificate, and n8n sends none',
	],
	['HPE_INVALID_CONSTANT', 'noAnswer', 'the connection broke'],
	['HPE_HEADER_OVERFLOW', 'noAnswer', 'the connection broke'],
	['SOMETHING_NEW', 'noAnswer', 'the connection broke'],
	['toString', 'noAnswer', 'the connection broke'],
])('%s is %s (%s)', (code, kind, detail) => {
	expect(networkFailure(thrown(code), CONNECTION, 'GET')).toStrictEqual({ kind, detail });
});

it.each([
	'EPROTO',
	'ERR_SSL_WRONG_VERSION_NUMBER',
	'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
	'ERR_TLS_HANDSHAKE_TIMEOUT',
	'ERR_SSL_PACKET_LENGTH_TOO_LONG',
	'ERR_SSL_CIPHER_OPERATION_FAILED',
	// The other side sends these, with TLS 1.3 at any time.
	'ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED',
	'ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE',
])('%s says that nothing was sent only before the connection was secure', (code) => {
	const failure = (socket?: object) =>
		networkFailure(thrown(code, 'failed', { request: { socket } }), CONNECTION, 'POST');
	expect(failure({ secureConnecting: true })).toStrictEqual({
		kind: 'noSecureConnection',
		detail: ORIGIN,
	});
	const broken = { kind: 'noAnswer', detail: 'the connection broke' };
	for (const socket of [{ secureConnecting: false }, {}, undefined]) {
		expect(failure(socket)).toStrictEqual(broken);
	}
});

it.each(['EHOSTUNREACH', 'ENETUNREACH', 'ECONNREFUSED'])(
	'%s on a connection that there was leaves open what became of the call',
	(code) => {
		for (const syscall of ['read', 'write']) {
			const failure = networkFailure(thrown(code, 'failed', {}, syscall), CONNECTION, 'POST');
			expect(failure).toStrictEqual({ kind: 'noAnswer', detail: 'the connection broke' });
		}
	},
);

it('knows that no address of a host was reached', () => {
	const tried = (...syscalls: string[]) =>
		Object.assign(new AggregateError(syscalls.map((syscall) => ({ syscall }))), {
			code: 'ECONNREFUSED',
		});
	const kindOf = (error: Error) => networkFailure(error, CONNECTION, 'POST').kind;
	expect(kindOf(tried('connect', 'connect'))).toBe('refusedConnection');
	expect(kindOf(tried('connect', 'read'))).toBe('noAnswer');
	expect(kindOf(tried())).toBe('noAnswer');
});

it.each([
	'ERR_INVALID_CHAR',
	'ERR_INVALID_URL',
	'ERR_UNESCAPED_CHARACTERS',
	'ERR_INVALID_HTTP_TOKEN',
])('%s was never sent', (code) =>
	expect(networkFailure(thrown(code), CONNECTION, 'GET').kind).toBe('notSent'),
);

it('takes an error without a code for a refusal of n8n, in its words', () => {
	expect(networkFailure(new Error('The request was blocked'), CONNECTION, 'GET')).toStrictEqual({
		kind: 'notSent',
		quote: 'The request was blocked',
	});
});

it.each([
	'Proxy connection ended before receiving CONNECT response',
	'No header received from proxy CONNECT response',
	'Invalid header from proxy CONNECT response: "SSH"',
])('knows a proxy that ends: %s', (message) => {
	const proxy = { kind: 'proxyRefused', detail: 'no usable answer' };
	expect(networkFailure(new Error(message), CONNECTION, 'POST')).toStrictEqual(proxy);
	expect(networkFailure(thrown(undefined, message), CONNECTION, 'GET')).toStrictEqual(proxy);
});

it.each([undefined, null, 'text', 7, {}, [], Object.create(null), { cause: 'x' }, { message: 7 }])(
	'makes something of %j',
	(error) => expect(networkFailure(error, CONNECTION, 'GET').kind).toBe('notSent'),
);

it('ends with an error that causes itself', () => {
	const error = new Error('round');
	error.cause = error;
	expect(networkFailure(error, CONNECTION, 'GET').kind).toBe('notSent');
});

it.each([
	[new FileFlaw('moreBytes'), { kind: 'fileChanged', detail: 'more bytes' }],
	[new FileFlaw('fewerBytes'), { kind: 'fileChanged', detail: 'fewer bytes' }],
	[new FileFlaw('unreadable'), { kind: 'fileUnreadable' }],
])('finds %s below the code that it led to', (flaw, failure) => {
	const error = new Error('n8n', {
		cause: Object.assign(new Error('client', { cause: flaw }), { code: 'ECONNRESET' }),
	});
	expect(networkFailure(error, CONNECTION, 'GET')).toStrictEqual(failure);
});

describe('without an access token', () => {
	const TOKEN_URL = { config: { url: 'https://auth.example.com/oauth2/token' } };

	it.each([
		['a refused client', thrown('EAUTH', 'Client authentication failed'), 'noAccessToken'],
		['an answer without one', new Error('Unable to sign without access token'), 'noTokenStored'],
		['an answer that is no token', thrown('ESTATUS', 'HTTP status 404'), 'noAccessToken'],
		[
			'a grant that was revoked',
			new Error('The credential "x" needs to be reconnected.'),
			'noAccessToken',
		],
		[
			'an error without a code',
			new Error('Failed to acquire OAuth2 access token: Unsupported'),
			'noAccessToken',
		],
		['an endpoint that is down', thrown('ECONNREFUSED', 'refused', TOKEN_URL), 'tokenServiceDown'],
		[
			'an endpoint at the same host that is down when a token is renewed',
			thrown('ECONNREFUSED', 'refused', { config: { url: `${ORIGIN}/token`, method: 'post' } }),
			'tokenServiceDown',
		],
		[
			'an endpoint at the same host that is down',
			new Error('Failed to acquire OAuth2 access token: x', { cause: thrown('ECONNREFUSED') }),
			'tokenServiceDown',
		],
		[
			'an endpoint that answers with 503',
			thrown('ERR_BAD_RESPONSE', 'status 503', { ...TOKEN_URL, status: 503 }),
			'tokenServiceDown',
		],
		[
			'an endpoint that is asked too often',
			thrown('ERR_BAD_REQUEST', 'status 429', { ...TOKEN_URL, status: 429 }),
			'tokenServiceDown',
		],
		[
			'an endpoint that answers with 503 as n8n tells it',
			thrown('ESTATUS', 'HTTP status 503', { status: 503 }),
			'tokenServiceDown',
		],
		[
			'an endpoint that is asked too often, where n8n drops the status',
			thrown('EAUTH', 'Global limit has been reached', { body: { error: 'too_many_requests' } }),
			'tokenServiceDown',
		],
		[
			'an endpoint that is overloaded, where n8n drops the status',
			thrown('EAUTH', 'The server cannot handle the request due to a temporary overloading.'),
			'tokenServiceDown',
		],
	])('%s', (_, error, kind) => {
		const failure = networkFailure(error, CONNECTION, 'GET');
		expect(failure.kind).toBe(kind);
		expect(failure.quote).toBeTruthy();
	});
});

it('knows a proxy that refuses the way to the access token URL', () => {
	const error = thrown('ESTATUS', 'HTTP status 407', { status: 407 });
	expect(networkFailure(error, CONNECTION, 'GET')).toStrictEqual({
		kind: 'proxyRefused',
		detail: '407',
	});
});

it('takes nothing of the request along', () => {
	for (const code of ['ECONNRESET', 'ERR_INVALID_CHAR', 'EAUTH']) {
		expect(JSON.stringify(networkFailure(thrown(code), CONNECTION, 'GET'))).not.toContain('SECRET');
	}
});

it('does not say that the console was silent where the access token URL may have been', () => {
	const failure = networkFailure(
		thrown('ERR_CANCELED'),
		{ ...CONNECTION, renewsToken: true },
		'GET',
	);
	expect(failure.detail).toContain('perhaps while n8n waited for the access token URL');
});

it.each([
	['ECONNRESET', 'noAnswer', 'the connection broke'],
	['ECONNREFUSED', 'noAnswer', 'the connection broke'],
	['ENOTFOUND', 'unknownHost', ORIGIN],
])(
	'%s without its cause, as n8n 2.20 throws it, is no call that was not sent',
	(httpCode, kind, detail) => {
		const error = Object.assign(new Error('failed'), { httpCode });
		expect(networkFailure(error, CONNECTION, 'POST')).toEqual({ kind, detail });
	},
);

it('a renewed token that is refused too, as n8n 2.20 throws it, is a refusal', () => {
	const error = Object.assign(new Error('Authorization failed'), { httpCode: '401' });
	const renewing = { ...CONNECTION, renewsToken: true };
	expect(networkFailure(error, renewing, 'GET')).toEqual({ kind: 'unauthorized', status: 401 });
	expect(networkFailure(error, CONNECTION, 'GET').kind).toBe('notSent');
});
