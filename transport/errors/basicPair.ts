/** What stands for the password where the user name is an API key, as many services take one. */
const FILLER = /^(x|api[_-]?(key|token)|x-oauth-basic|token|oauth2?|unused)?$/i;

/**
 * What the credentials of a Basic header say: "user:password", in UTF-8 and ISO-8859-1 (RFC 7617 leaves the
 * encoding open), and which part of it is the secret: the password, or a user name that is an API key.
 * @returns Nothing where the base64 holds no such pair.
 */
export function basicPairs(base64: string): Array<{ pair: string; secret: string }> {
	return (['utf8', 'latin1'] as const)
		.map((encoding) => Buffer.from(base64, 'base64').toString(encoding).trim())
		.filter((pair) => /^[^\p{C}\ufffd]*:[^\p{C}\ufffd]*$/u.test(pair) && pair !== ':')
		.map((pair) => {
			const colon = pair.indexOf(':');
			const [user, password] = [pair.slice(0, colon), pair.slice(colon + 1)];
			return { pair, secret: FILLER.test(password) && user !== '' ? user : password };
		});
}
