import type { IHttpRequestOptions } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { isSameOrigin, originOf, parseUrl } from '../../transport/address';
import { isRecord } from '../../transport/isRecord';

interface Access {
	/** Scheme, host and port of the service that the credential belongs to. */
	origin: string;
	headers: Record<string, string>;
	/** Where the request goes in place of its own path. */
	path?: string;
}

/** What n8n hands over: the HTTP Request node still uses the older names of some options. */
type Request = IHttpRequestOptions & { uri?: string; rejectUnauthorized?: boolean };

/** Both spellings of "follow no redirect": n8n would take the headers along to any host. */
const NO_REDIRECT = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
};

/**
 * A request with a credential's headers added, and only towards the credential's own service: a
 * relative address is completed with it, an absolute one must already be there, no redirect is
 * followed, and nothing of the request leads around it (proxy, unchecked certificates, `Host`). So
 * the HTTP Request node can use the credential too.
 *
 * @param readAccess Checks the credential's fields; what it throws becomes one line, since n8n's
 * credential test shows nothing else.
 * @throws UserError for a field that cannot be used, and for a request that could go elsewhere.
 */
export function authenticatedRequest(
	request: IHttpRequestOptions,
	readAccess: () => Access,
): IHttpRequestOptions {
	const { origin, headers, path } = inOneLine(readAccess);
	const { baseURL, url, uri, ...rest }: Request = request;
	const base = baseURL && isSameOrigin(origin, baseURL) ? baseURL : origin;
	const target = parseUrl(path ?? (url || uri || '/'), base);
	if (!target || !isSameOrigin(origin, target)) {
		const goesTo = target ? originOf(target.href) : 'no valid address';
		throw refusal(`is for ${origin} only, and the request goes to ${goesTo}`);
	}
	refuseDetours(request);
	return {
		...rest,
		...NO_REDIRECT,
		url: target.href,
		headers: { ...request.headers, ...headers },
	};
}

/** What a client certificate needs; other options of the connection lead to another host or trust it. */
const OF_CLIENT_CERTIFICATE = /^(cert|key|passphrase)$/;

/** The address says where a request goes; these options say otherwise. */
function refuseDetours(request: Request): void {
	if (request.proxy) {
		throw refusal("is not sent through a proxy of the node: remove 'Proxy', or set it for n8n");
	}
	if (request.skipSslCertificateValidation === true || request.rejectUnauthorized === false) {
		throw refusal(
			"is sent only to a server whose certificate is checked: turn off 'Ignore SSL Issues'",
		);
	}
	const connecting = Object.entries(request.agentOptions ?? {});
	if (
		connecting.some(([name, value]) => value !== undefined && !OF_CLIENT_CERTIFICATE.test(name))
	) {
		throw refusal(
			"is sent only to a server whose certificate n8n trusts: remove the CA of 'SSL Certificates'",
		);
	}
	const leadsAway = ([name, value]: [string, unknown]) =>
		// n8n's HTTP client takes an object in `common` or `get` for headers, too.
		name.trim().toLowerCase() === 'host' || isRecord(value);
	if (Object.entries(request.headers ?? {}).some(leadsAway)) {
		throw refusal("is for its own host only: remove the header 'Host'");
	}
}

function refusal(reason: string): UserError {
	return new UserError(`This credential ${reason}. Nothing was sent.`);
}

function inOneLine<T>(check: () => T): T {
	try {
		return check();
	} catch (error) {
		throw error instanceof UserError && error.description
			? new UserError(`${error.message}. ${error.description}`)
			: error;
	}
}
