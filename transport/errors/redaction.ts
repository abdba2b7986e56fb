import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

/** What stands in place of a secret. */
const REDACTED = '[redacted]';

/** Shorter values ("1", "true") are no secrets, but would tear holes into words. */
const SHORTEST_INSIDE_WORDS = 4;

/** Parts of a header value ("Bearer …", "session=…; lang=en") of this length are secrets themselves. */
const SHORTEST_PART = 8;

/**
 * A token that n8n renewed during the call is in no list of secrets yet; its scheme gives it away.
 * The digit and the length keep "token authentication" and the like readable.
 */
const AFTER_SCHEME = /\b(bearer|basic|token)(\s+|%20|\+)(?=\S{0,64}\d)[\w.~+/%=-]{16,}/gi;

function escapeForRegExp(text: string): string {
	return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function htmlSpelling(text: string): string {
	const names: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' };
	return text.replace(/[&<>"]/g, (character) => `&${names[character]};`);
}

function withParts(secret: string): string[] {
	const parts = secret.split(/[\s;,=]+/).filter((part) => part.length >= SHORTEST_PART);
	return [secret, ...parts];
}

/** The ways in which an address, a form, a JSON text, a page or a header spells a value. */
function spellings(secret: string): string[] {
	const json = JSON.stringify(secret).slice(1, -1);
	const uri = encodeURIComponent(secret.replace(/\p{Surrogate}/gu, '\ufffd'));
	return [
		secret,
		json,
		json.replace(/\//g, '\\/'),
		uri,
		uri.replace(/%20/g, '+'),
		htmlSpelling(secret),
		Buffer.from(secret).toString('base64').replace(/=+$/, ''),
	];
}

/**
 * A function that removes a credential's values from text that others wrote: the service's own
 * words, n8n's error messages. A service may echo what it was sent.
 */
export function redactor(secrets: string[]): (text: string) => string {
	const values = secrets.map((secret) => secret.trim()).filter((secret) => secret !== '');
	const patterns = [...new Set(values.flatMap(withParts).flatMap(spellings))]
		.sort((a, b) => b.length - a.length)
		.map((spelling) =>
			spelling.length < SHORTEST_INSIDE_WORDS
				? `(?<!\\w)${escapeForRegExp(spelling)}(?!\\w)`
				: escapeForRegExp(spelling),
		);
	const known = patterns.length > 0 ? new RegExp(patterns.join('|'), 'gi') : undefined;
	return (text) => {
		const rest = known ? text.replace(known, REDACTED) : text;
		return rest.replace(AFTER_SCHEME, `$1$2${REDACTED}`);
	};
}

/** The tokens that n8n holds for an OAuth2 credential, without what it stores beside them. */
export function oauthTokens({ oauthTokenData }: ICredentialDataDecryptedObject): string[] {
	const { access_token, refresh_token, id_token } = (oauthTokenData ?? {}) as IDataObject;
	return [access_token, refresh_token, id_token].filter((token) => typeof token === 'string');
}
