import type { IHttpRequestOptions } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { isSameOrigin, parseUrl } from '../../transport/address';

/** What a credential adds to a request. */
interface Access {
	/** Scheme, host and port of the service that the credential belongs to. */
	origin: string;
	headers: Record<string, string>;
	/** Where the request goes in place of its own path. */
	path?: string;
}

/** What n8n hands over: the HTTP Request node still says `uri`, and has redirect switches of its own. */
type Request = IHttpRequestOptions & { uri?: string };

/** Both spellings of "follow no redirect": n8n would take the headers along to any host. */
const NO_REDIRECT = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
};

/**
 * A request with a credential's headers added, and only towards the credential's own service: a
 * relative address is completed with it, an absolute one must already be there, and no redirect is
 * followed. So the HTTP Request node can use the credential too, and no workflow can send the token
 * anywhere else.
 *
 * @param readAccess Checks the credential's fields; what it throws becomes one line, since n8n's
 * credential test shows nothing else.
 * @throws UserError for a field that cannot be used, and for an address at another origin.
 */
export function authenticatedRequest(
	request: IHttpRequestOptions,
	readAccess: () => Access,
): IHttpRequestOptions {
	const { origin, headers, path } = inOneLine(readAccess);
	const { baseURL, url, uri, ...rest }: Request = request;
	const base = baseURL && isSameOrigin(origin, baseURL) ? baseURL : origin;
	const target = parseUrl(path ?? (url || uri || '/'), base);
	if (target?.origin !== origin) {
		throw new UserError(
			`This credential is for ${origin} only, and the request goes to ${target?.origin ?? 'no valid address'}. Nothing was sent.`,
		);
	}
	return {
		...rest,
		...NO_REDIRECT,
		url: target.href,
		headers: { ...request.headers, ...headers },
	};
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
