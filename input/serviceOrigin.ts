import { UserError } from 'n8n-workflow';
import { parseUrl } from '../transport/address';

const LOCAL_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

function refuse(field: string, what: string, advice: string): UserError {
	return new UserError(`The '${field}' of the credential ${what}`, { description: advice });
}

/**
 * Scheme, host and port of a service, from what a user typed into a credential.
 * A missing scheme becomes `https://`; trailing slashes and `ownPath` are dropped.
 *
 * @param field Display name of the credential field, for the error text.
 * @param ownPath The interface's own path, which users copy along with the address; no slash at its end.
 * @throws UserError for anything else than one plain address: another path, a query, a user name
 * or password in it, `http://` to a host that is not this computer (the token would travel in the
 * clear).
 */
export function serviceOrigin(text: string, field: string, ownPath: string): string {
	const typed = text.trim();
	const advice = `Enter scheme and host only, e.g. "https://host.example.com".`;
	if (typed === '') throw refuse(field, 'is empty', advice);
	if (/[{}]/.test(typed)) {
		const how =
			'If it is to be an expression, switch the field to Expression. An OAuth2 credential takes none here.';
		throw refuse(field, 'contains a "{" or "}"', `${advice} ${how}`);
	}
	if (/[\s\p{Cc}\\]/u.test(typed)) {
		throw refuse(field, 'contains a space, a line break or a backslash', advice);
	}
	const url = parseUrl(/^[a-z][a-z\d+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`);
	if (!url) throw refuse(field, 'is not a web address', advice);
	if (url.username !== '' || url.password !== '') {
		throw refuse(field, 'contains a user name or password', advice);
	}
	if (url.protocol !== 'https:' && url.protocol !== 'http:') {
		throw refuse(field, `begins with "${url.protocol}//"`, 'Only https:// is possible.');
	}
	if (url.protocol === 'http:' && !LOCAL_HOST.test(url.hostname)) {
		throw refuse(
			field,
			'begins with "http://"',
			'Others on the network could read the credential. Use https://; http:// is accepted for localhost only, the computer that n8n runs on.',
		);
	}
	if (url.search !== '' || url.hash !== '' || /[?#]/.test(typed)) {
		throw refuse(field, 'contains a "?" or "#"', advice);
	}
	const path = `/${url.pathname.split('/').filter(Boolean).join('/')}`;
	if (!['/', '/api', ownPath].includes(path)) {
		throw refuse(field, `contains the path "${url.pathname}"`, advice);
	}
	return url.origin;
}
