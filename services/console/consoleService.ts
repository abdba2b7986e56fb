import { hash } from 'crypto';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { enteredOption } from '../../input/enteredValues';
import type { Service } from '../../transport/call';
import type { Dependencies } from '../../transport/connect';
import { connect } from '../../transport/connect';
import type { RequestContext } from '../../transport/connection';
import { credentialId } from '../../transport/contextNode';
import { basicPairs } from '../../transport/errors/basicPair';
import { oauthTokens } from '../../transport/errors/redaction';
import { queueKey } from '../../transport/queueKey';
import { perCredential } from '../perCredential';
import { consoleOrigin } from './consoleOrigin';
import { requestHeaders } from './requestHeaders';

/** How a node signs in at the console; the values of the parameter `authentication`. */
export type ConsoleAuthentication = 'headers' | 'oAuth2';

/**
 * The chosen way to sign in.
 * @throws UserError for any other, which an expression may give.
 */
export function enteredAuthentication(value: unknown): ConsoleAuthentication {
	return enteredOption(value, 'Authentication', ['headers', 'oAuth2']);
}

/** What the name of a secret contains, other than that of a tenant or the like, which entries hold as well. */
const NAMES_A_SECRET =
	/access|auth(?!or\b|ority)|bearer|cred|jwt|key(?!board)|pass|pwd|secret|session|signature|token/i;

/** What else the name of such a header may contain. In that of one cookie among others it tells nothing. */
const NAMES_COOKIES = /cookie/i;

/** What the name of a header, or of a part of one, ends with that says who signs in, or where: entries tell that too. */
const NAMES_SOMEBODY =
	/(e-?mail|user(-?name)?|name|tenant|org(ani[sz]ation)?|account|role|level|realm|uri|path|region|lang|theme|agent|type|method|provider|scheme|mode|host|timezone|(tenant|user|org|account|client)[-_]?id|(^|[-_])(ip|tz|version))$/i;

/** What entries hold as well, in a cookie that does not claim to be a secret: a word, a number, an address. */
const ORDINARY = /^[a-z_-]{1,20}$|^\d{1,13}$|^[^\s:@]+@[\w.-]+$/i;

/** A date, a time of day, or both: entries are full of them. */
const DATE_OR_TIME = /^(\d{4}-\d\d-\d\d)?T?(\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/;

/** What of a credential must never be shown; `tokens` are cut out of entries too. */
function secretsOf(
	authentication: ConsoleAuthentication,
	credentials: ICredentialDataDecryptedObject,
): { secrets: string[]; tokens: string[] } {
	if (authentication === 'oAuth2') {
		// n8n may renew a token: this is the one of now.
		const secrets = [String(credentials.clientSecret ?? ''), ...oauthTokens(credentials)];
		return { secrets, tokens: secrets };
	}
	const headers = requestHeaders(credentials.headers);
	const tokens = Object.entries(headers)
		.filter(([name]) => NAMES_A_SECRET.test(name) || NAMES_COOKIES.test(name))
		.filter(([name]) => !NAMES_SOMEBODY.test(name))
		.flatMap(([, value]) => [value, ...partsOf(value)])
		.filter((token) => !DATE_OR_TIME.test(token));
	return { secrets: Object.values(headers), tokens };
}

/** What may be a secret inside a header's value: after "Bearer" or "ApiKey key=", in a cookie, a password. */
function partsOf(value: string): string[] {
	const words = value.split(/[\s;,]+/);
	const named = words.length > 1 && /^[a-z]+$/i.test(words[0]) ? words.slice(1) : words;
	const parts = named.flatMap((word) => {
		const [, name = '', inside = word] = /^([^=]+)=([^=].*)$/.exec(word) ?? [];
		const part = inside.replace(/["']/g, '');
		const isOrdinary = name !== '' && ORDINARY.test(part) && !NAMES_A_SECRET.test(name);
		return NAMES_SOMEBODY.test(name) || isOrdinary ? [] : [part];
	});
	const [, basic = ''] = /^Basic\s+(\S+)$/i.exec(value) ?? [];
	return [...parts, ...basicPairs(basic).map(({ secret }) => secret)];
}

interface CredentialParts {
	origin: string;
	queueKey: string;
	secrets: string[];
	tokens: string[];
}

/** By the digest of a credential with headers. Working them out takes a tenth of an idle poll. */
const knownParts = new Map<string, CredentialParts>();
const MOST_KNOWN = 50;

function partsOfCredential(
	authentication: ConsoleAuthentication,
	credentials: ICredentialDataDecryptedObject,
	digest: string,
): CredentialParts {
	const known = knownParts.get(digest);
	if (known) return known;
	const origin = consoleOrigin(credentials);
	const signIn = secretsOf(authentication, credentials);
	// The tokens of OAuth2 are renewed.
	if (authentication === 'oAuth2') {
		return { origin, queueKey: queueKey(origin, [String(credentials.clientId)]), ...signIn };
	}
	const parts = { origin, queueKey: queueKey(origin, signIn.secrets), ...signIn };
	if (knownParts.size === MOST_KNOWN) knownParts.clear();
	knownParts.set(digest, parts);
	return parts;
}

function credentialTypeOf(authentication: ConsoleAuthentication): string {
	return authentication === 'headers' ? 'browserConsoleHeadersApi' : 'browserConsoleOAuth2Api';
}

/** What makes a credential another one. n8n may add fields to its own types, and change what it stores in them. */
const IDENTIFYING = [
	...(['consoleUrl', 'headers', 'accessTokenUrl', 'clientId', 'clientSecret'] as const),
	...(['scope', 'additionalBodyProperties'] as const),
];

export interface ConnectedConsole {
	service: Service;
	/**
	 * What tells its credential from another one, or from the same with other values: a digest. The
	 * tokens that n8n gets by OAuth2 do not count, as they are renewed.
	 */
	credential: string;
}

const TOKEN_MAY_BE_OLD =
	"If every call fails, check the credential. If it worked before, its access token may have expired: open the credential and save it again, or create a new one. Otherwise, its role may be too low, or not cover the object's organization.";

/**
 * The console that a node's credential names. Only GET ever leaves towards it (docs/interface.md, The
 * two services), and only a 429 slows it: the licensed rate governs scanning alone.
 * @param dependencies A test passes its own.
 * @throws NodeOperationError for a credential that cannot be used, saying which field and why.
 */
export async function connectConsole(
	context: RequestContext,
	authentication: ConsoleAuthentication,
	dependencies?: Dependencies,
): Promise<ConnectedConsole> {
	return await consoles(context, authentication, dependencies)();
}

/** The same for each item. An OAuth2 credential is the same for all: n8n keeps one access token for it. */
export function consoles(
	context: RequestContext,
	authentication: ConsoleAuthentication,
	dependencies?: Dependencies,
): (itemIndex?: number) => Promise<ConnectedConsole> {
	const credentialType = credentialTypeOf(authentication);
	const consoleOf = perCredential(context, credentialType, (credentials): ConnectedConsole => {
		const renewsToken = authentication === 'oAuth2';
		const id = credentialId(context, credentialType);
		const values = IDENTIFYING.map((field) => credentials[field]);
		const credential = hash('sha256', JSON.stringify([credentialType, id, values]), 'base64');
		const service = connect(
			context,
			{
				credentialType,
				// n8n renews the token of an OAuth2 credential and stores it: that one is read for each request.
				credential: authentication === 'headers' ? credentials : undefined,
				...partsOfCredential(authentication, credentials, credential),
				serviceName: 'console',
				advice: {
					answerTooLarge:
						"Reading was stopped. Lower the option 'Page Size'. If it is 1 already, or the trigger has lowered it by itself, one entry is too large: start after it.",
					// n8n renews a token after a 401 only.
					...(renewsToken && { forbidden: TOKEN_MAY_BE_OLD }),
				},
				renewsToken,
				readOnly: true,
			},
			dependencies,
		);
		return { service, credential };
	});
	return authentication === 'oAuth2' ? async () => await consoleOf() : consoleOf;
}
