/** n8n's vocabulary for why an operation did not succeed (n8n-workflow, `Failure`). */
type FailureCause =
	| 'rate-limited'
	| 'temporarily-unavailable'
	| 'credential-invalid'
	| 'configuration-invalid'
	| 'node-defect';

interface FailureRow {
	/** HTTP statuses that mean it. */
	statuses?: number[];
	/** Codes of the operating system, TLS and the HTTP client that mean it. The first row counts. */
	codes?: RegExp;
	message: string;
	advice: string;
	/** Whether it may pass by itself. The user is told so only where a repetition is safe. */
	passes?: true;
	/** Whether the call is sent again, if that is safe. The queue itself repeats a 429. */
	isRetried?: true;
	/** Whether the service may have carried out the call all the same. */
	mayBeDone?: true;
	/**
	 * Which other calls would fail as well: all, or those with the same path, whatever they ask for.
	 * (A gateway may answer with one of the latter what is only too large for it.)
	 */
	alsoFails?: 'everyCall' | 'samePath';
	/** Who is quoted; the service's unless it is n8n that speaks. */
	speaker?: 'n8n';
	cause?: FailureCause;
}

function rows<Kind extends string>(table: Record<Kind, FailureRow>): Record<Kind, FailureRow> {
	return table;
}

/**
 * What can go wrong between n8n and a service, in one table; docs/troubleshooting.md has the same.
 * In the texts {purpose} completes "Could not …", {service} is 'scanning service' or 'console',
 * {detail} a number or name that belongs to the case.
 */
export const failures = rows({
	badRequest: {
		message: 'Could not {purpose}: the {service} refused the request ({detail})',
		advice: 'Correct the value the service rejected.',
	},
	unauthorized: {
		statuses: [401],
		message: 'Could not {purpose}: the {service} did not accept the credential (401)',
		advice: 'Check the credential: it may be mistyped, revoked, or from another environment.',
		alsoFails: 'samePath',
		cause: 'credential-invalid',
	},
	paymentRequired: {
		statuses: [402],
		message: 'Could not {purpose}: the {service} asks for payment (402)',
		advice: 'Ask your provider: your subscription may have expired, or be used up.',
		cause: 'configuration-invalid',
	},
	forbidden: {
		statuses: [403],
		message: 'Could not {purpose}: the {service} does not allow this call (403)',
		advice:
			"If every call fails, check the credential. Otherwise, its role may be too low, or not cover the object's organization.",
		alsoFails: 'samePath',
		cause: 'configuration-invalid',
	},
	notFound: {
		statuses: [404, 410],
		message: 'Could not {purpose}: the {service} has nothing at this address ({detail})',
		advice: 'If every call fails, check the address in the credential.',
		alsoFails: 'samePath',
	},
	methodNotAllowed: {
		statuses: [405],
		message: 'Could not {purpose}: the {service} does not allow this method here (405)',
		advice: 'Check the address in the credential.',
		alsoFails: 'samePath',
		cause: 'configuration-invalid',
	},
	conflict: {
		statuses: [409],
		message: 'Could not {purpose}: the state of the object does not allow it (409)',
		advice: 'Check its state in the service: someone else may have changed it first.',
	},
	tooLargeForService: {
		statuses: [413],
		message: 'Could not {purpose}: it is too large for the {service} (413)',
		advice: 'Send a smaller file, or less at a time.',
	},
	rateLimited: {
		statuses: [429],
		message: 'Could not {purpose}: the {service} allows no more calls for now (429). {detail}',
		advice:
			"Run less often, or raise 'Max Queue Time'. A trigger continues with its next poll; open a list in the editor again a minute later.",
		alsoFails: 'everyCall',
		cause: 'rate-limited',
	},
	queueExpired: {
		message:
			'Could not {purpose}: the call was not sent, because no more are allowed for now. {detail}',
		advice:
			"Raise 'Max Queue Time', or run with fewer items. A trigger continues with its next poll; open a list in the editor again a minute later.",
		alsoFails: 'everyCall',
		cause: 'rate-limited',
	},
	// Spelled so: n8n shows an execution as canceled by this word in the message.
	cancelled: {
		message: 'Did not {purpose}: the execution was canceled while the call waited to be sent',
		advice: 'Nothing more was sent for this item.',
		alsoFails: 'everyCall',
	},
	cancelledOnTheWay: {
		message: 'Could not {purpose}: the execution was canceled while the call was on its way',
		advice: 'The call was aborted.',
		mayBeDone: true,
		alsoFails: 'everyCall',
	},
	serverFault: {
		message: 'Could not {purpose}: the {service} answered with status {detail}',
		advice: "The problem is on the service's side. If it persists, contact its support.",
		passes: true,
		mayBeDone: true,
		cause: 'temporarily-unavailable',
	},
	unavailable: {
		statuses: [408, 425, 460, 499, 502, 503, 504],
		message: 'Could not {purpose}: the {service} is not available at the moment ({detail})',
		advice: "The problem is on the service's side, or at a proxy.",
		passes: true,
		isRetried: true,
		mayBeDone: true,
		cause: 'temporarily-unavailable',
	},
	unexpectedStatus: {
		message: 'Could not {purpose}: the {service} answered with the unexpected status {detail}',
		advice: 'Check the address in the credential: something else may be listening there.',
		mayBeDone: true,
	},
	redirect: {
		statuses: [300, 301, 302, 303, 307, 308],
		message: 'Could not {purpose}: the {service} redirects to {detail}',
		advice:
			'Redirects are not followed, to keep the credential from reaching another host. Check the scheme and host of the address in the credential. If it leads to a sign-in page, the credential may have expired.',
		alsoFails: 'samePath',
		cause: 'configuration-invalid',
	},
	webPage: {
		message: 'Could not {purpose}: a web page came back instead of data',
		advice:
			'It is probably a sign-in page. Check the address in the credential, the credential itself, and any proxy.',
		mayBeDone: true,
		cause: 'configuration-invalid',
	},
	notJson: {
		message: 'Could not {purpose}: the answer of the {service} is not JSON',
		advice:
			'Check the address in the credential: something else may be listening there. If other calls succeed, tell your provider.',
		mayBeDone: true,
		cause: 'temporarily-unavailable',
	},
	toldError: {
		message: 'Could not {purpose}: the {service} answered that something went wrong',
		advice:
			'Nothing of the answer was used: it may be incomplete. If every call fails, check the address and the credential.',
		passes: true,
		mayBeDone: true,
		cause: 'temporarily-unavailable',
	},
	wrongShape: {
		message: 'Could not {purpose}: {detail} in the answer of the {service}',
		advice:
			'The service may have changed its interface, or something else answers at this address.',
		mayBeDone: true,
	},
	answerTooLarge: {
		message: 'Could not {purpose}: the answer of the {service} holds more than {detail}',
		advice: 'Reading was stopped. Ask for fewer entries at a time.',
		mayBeDone: true,
	},
	answerTooSlow: {
		message: 'Could not {purpose}: the answer of the {service} did not end within {detail}',
		advice: 'Reading was stopped. If this persists, check your network and proxy.',
		passes: true,
		isRetried: true,
		mayBeDone: true,
		cause: 'temporarily-unavailable',
	},
	answerCut: {
		message: 'Could not {purpose}: only a part of the answer of the {service} arrived',
		advice: 'If this persists, check your network and proxy.',
		passes: true,
		isRetried: true,
		mayBeDone: true,
		cause: 'temporarily-unavailable',
	},
	answeredEarly: {
		message: 'Could not {purpose}: the {service} answered before it had the whole file',
		advice: 'The upload was broken off. If this persists, check any proxy in between.',
		mayBeDone: true,
	},
	noAnswer: {
		// In the middle of a connection, TLS says it like this.
		codes:
			/^(ECONNRESET|ECONNABORTED|ETIMEDOUT|EPIPE|ERR_CANCELED|ERR_NETWORK|ERR_BAD_RESPONSE)$|^HPE_|BAD_RECORD_MAC|DECRYPTION_FAILED/,
		message: 'Could not {purpose}: the {service} did not answer ({detail})',
		advice: 'If this persists, check your network and proxy.',
		passes: true,
		isRetried: true,
		mayBeDone: true,
		cause: 'temporarily-unavailable',
	},
	refusedConnection: {
		codes: /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/,
		message: 'Could not {purpose}: nothing accepts connections at {detail}',
		advice: 'Check the address in the credential, the port, and any firewall or proxy in between.',
		isRetried: true,
		alsoFails: 'everyCall',
		cause: 'temporarily-unavailable',
	},
	proxyRefused: {
		statuses: [407],
		message: 'Could not {purpose}: a proxy refused the connection ({detail})',
		advice: "Check n8n's proxy settings, and whether the proxy allows this host.",
		isRetried: true,
		alsoFails: 'everyCall',
		cause: 'configuration-invalid',
	},
	unknownHost: {
		codes: /^(ENOTFOUND|EAI_AGAIN)$/,
		message: 'Could not {purpose}: the host of {detail} is not known',
		advice: 'Check the address in the credential, any proxy, and DNS on the n8n server.',
		isRetried: true,
		alsoFails: 'everyCall',
		cause: 'temporarily-unavailable',
	},
	untrustedCertificate: {
		// With ERR_SSL_ it is the other side that says so, of this side's certificate or of none, at any time.
		codes: /^(?!ERR_SSL_).*CERT|^(UNABLE_TO_VERIFY_LEAF_SIGNATURE|HOSTNAME_MISMATCH)$/,
		message: 'Could not {purpose}: the certificate of {detail} is not trusted',
		advice:
			'Check the address in the credential. For a private certificate authority, set NODE_EXTRA_CA_CERTS for n8n.',
		alsoFails: 'everyCall',
		cause: 'configuration-invalid',
	},
	noSecureConnection: {
		codes: /^EPROTO$|^ERR_(SSL|TLS)_/,
		message: 'Could not {purpose}: there is no secure connection (TLS) at {detail}',
		advice:
			'Check the scheme and the port of the address in the credential: something else may be listening there.',
		alsoFails: 'everyCall',
		cause: 'configuration-invalid',
	},
	noAccessToken: {
		codes: /^(ESTATUS|EAUTH)$/,
		message: 'Could not {purpose}: n8n got no access token for the {service}',
		advice: 'Check the client ID, the client secret and the access token URL of the credential.',
		alsoFails: 'everyCall',
		speaker: 'n8n',
		cause: 'credential-invalid',
	},
	noTokenStored: {
		message: 'Could not {purpose}: n8n has stored no access token for the {service}',
		advice: 'Open the credential and save it again: then n8n asks for a new one.',
		alsoFails: 'everyCall',
		speaker: 'n8n',
		cause: 'credential-invalid',
	},
	tokenServiceDown: {
		message:
			'Could not {purpose}: the access token URL of the credential cannot be reached, or fails',
		advice: 'Check the access token URL of the credential.',
		passes: true,
		isRetried: true,
		alsoFails: 'everyCall',
		speaker: 'n8n',
		cause: 'temporarily-unavailable',
	},
	notSent: {
		// Raised before anything is sent.
		codes: /^ERR_(INVALID|UNESCAPED|HTTP_INVALID|BAD_OPTION)/,
		message: 'Could not {purpose}: n8n did not send the request',
		advice: 'Check the credential and the settings of n8n that restrict outgoing requests.',
		alsoFails: 'everyCall',
		speaker: 'n8n',
		cause: 'configuration-invalid',
	},
	fileChanged: {
		message: 'Could not {purpose}: the file holds {detail} than n8n reported',
		advice:
			'The upload was aborted, so the service did not get the whole file. Run the item again.',
	},
	fileUnreadable: {
		message: 'Could not {purpose}: n8n could not read the file from its binary storage',
		advice:
			'The service did not get the whole file. Run the node that produced the file again, and check the binary storage of n8n.',
	},
	foreignAddress: {
		message: 'Did not {purpose}: the request would have gone to {detail}',
		advice: 'Nothing was sent, to keep the credential from reaching another host.',
		cause: 'configuration-invalid',
	},
	readOnly: {
		message: 'Did not {purpose}: the {service} is read only here, and the call would write',
		advice: 'This is a defect of the package. Please report it.',
		cause: 'node-defect',
	},
});

export type FailureKind = keyof typeof failures;

/** What the rules of one service make of a failure, in place of the general advice. */
export type ServiceAdvice = Partial<Record<FailureKind, string>>;

/** One thing that went wrong, as a value: nothing is thrown before the retry policy has seen it. */
export interface CallFailure {
	kind: FailureKind;
	/** What replaces {detail}. */
	detail?: string;
	status?: number;
	/** What the service said (or n8n), as `quotation` (serverMessage.ts) gives it. */
	quote?: string;
	/** Whether a status that refuses the call came with a web page. */
	withWebPage?: boolean;
	/** How long the service asked to wait, in milliseconds. */
	retryAfterMs?: number;
}

const KINDS = Object.keys(failures) as FailureKind[];

/** The failure that a status means; `undefined` for 2xx. */
export function statusFailure(status: number): FailureKind | undefined {
	if (status >= 200 && status < 300) return undefined;
	const named = KINDS.find((kind) => failures[kind].statuses?.includes(status));
	if (named) return named;
	if (status >= 400 && status < 500) return 'badRequest';
	return status >= 500 && status < 600 ? 'serverFault' : 'unexpectedStatus';
}

/** The failure that a code of an error means, where it is known. */
export function codeFailure(code: string): FailureKind | undefined {
	return KINDS.find((kind) => failures[kind].codes?.test(code));
}
