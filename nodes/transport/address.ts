import { UserError } from 'n8n-workflow';
import type { Call } from './call';
import { ENTRIES_PATH, SCANNING_ROOT } from './interfacePaths';

/** Paths that users copy along with the address. They carry no choice, so they are dropped. */
const KNOWN_PATHS = ['', '/api', SCANNING_ROOT.slice(0, -1), ENTRIES_PATH];

const LOCAL_HOST = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

function refuse(field: string, what: string, advice: string): UserError {
	return new UserError(`The '${field}' of the credential ${what}`, { description: advice });
}

/**
 * Scheme, host and port of a service, from what a user typed into a credential.
 * A missing scheme becomes `https://`; trailing slashes and the interface's own path are dropped.
 *
 * @param field Display name of the credential field, for the error text.
 * @throws UserError for anything else than one plain address: another path, a query, a user name
 * or password in it, `http://` to a host that is not this computer (the token would travel in the
 * clear).
 */
export function serviceOrigin(text: string, field: string): string {
	const typed = text.trim();
	const advice = `Enter scheme and host only, e.g. "https://host.example.com".`;
	if (typed === '') throw refuse(field, 'is empty', advice);
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
			'The credential would be readable on its way. Use https://; http:// is accepted for localhost only, the computer that n8n runs on.',
		);
	}
	if (url.search !== '' || url.hash !== '' || /[?#]/.test(typed)) {
		throw refuse(field, 'contains a "?" or "#"', advice);
	}
	if (!KNOWN_PATHS.includes(url.pathname.replace(/\/+$/, ''))) {
		throw refuse(field, `contains the path "${url.pathname}"`, advice);
	}
	return url.origin;
}

/** @returns `undefined` for a text that is no address. */
export function parseUrl(text: string, base?: string): URL | undefined {
	try {
		return new URL(text, base);
	} catch {
		return undefined;
	}
}

/**
 * One percent-encoded path segment, whatever the value contains.
 * @returns `undefined` for a value that no address can carry as a segment: empty or blank, `.` and
 * `..` (every client resolves them away, percent-encoded too), or half of a surrogate pair.
 */
export function pathSegment(value: string): string | undefined {
	if (value.trim() === '' || value === '.' || value === '..') return undefined;
	try {
		return encodeURIComponent(value);
	} catch {
		return undefined;
	}
}

/**
 * The address of a call.
 * @throws UserError when a path value cannot be sent as one segment.
 */
export function callAddress(origin: string, call: Call): string {
	const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => {
		const segment = pathSegment(call.pathValues?.[name] ?? '');
		if (segment === undefined) {
			throw new UserError(`Could not ${call.purpose}: the ID cannot be part of an address`, {
				description: `It is empty, ".", ".." or not valid text. Enter the ID as the service shows it.`,
			});
		}
		return segment;
	});
	const query = new URLSearchParams();
	for (const [name, value] of Object.entries(call.query ?? {})) {
		if (value !== undefined && value !== '') query.set(name, String(value));
	}
	return `${origin}${path}${query.size > 0 ? `?${query.toString()}` : ''}`;
}

/** Whether an address that the service handed out stays at the service. */
export function isSameOrigin(origin: string, address: string): boolean {
	return parseUrl(address)?.origin === origin;
}
