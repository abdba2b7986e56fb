import { UserError } from 'n8n-workflow';
import type { Call } from './call';

/** @returns `undefined` for a text that is no address. */
export function parseUrl(text: string, base?: string): URL | undefined {
	try {
		return new URL(text, base);
	} catch {
		return undefined;
	}
}

/** Most characters of an ID: no service takes a much longer address, and a text from outside may have megabytes. */
const LONGEST_SEGMENT = 2000;

/** What some gateways divide a path at. */
const MAY_DIVIDE = /\\|%5c|%2f/i;

/** What parsers of addresses leave out. */
const LEFT_OUT = /[\t\n\r]|%09|%0a|%0d/gi;

/** What begins a part's parameters, or ends a path, and is taken off by some. */
const PARAMETERS = /[;?#]|%3b|%3f|%23/i;

/**
 * Whether a path that begins here may lead above it, for a gateway that decodes and resolves paths in whatever way:
 * each ".." that one may find counts, and of levels only those that all of them find.
 */
function mayLeadUp(value: string): boolean {
	let level = 0;
	const path = value.replace(LEFT_OUT, '').replace(/%2e/gi, '.');
	for (const part of path.split('/')) {
		let isCounted = false;
		for (const piece of part.split(MAY_DIVIDE)) {
			const [written, parameters] = piece.split(PARAMETERS, 2);
			const name = written.trim();
			if (name === '..') level--;
			else if (!isCounted && name !== '' && name !== '.') level++;
			if (level < 0) return true;
			isCounted ||= name !== '..' || parameters !== undefined;
		}
	}
	return false;
}

/**
 * One percent-encoded path segment, whatever the value contains.
 * @returns `undefined` for a value that no address can carry as a segment: empty or blank, `.` and
 * `..` (every client resolves them away, percent-encoded too), what may lead to another place of the
 * interface, what is too long, or half of a surrogate pair.
 */
export function pathSegment(value: string): string | undefined {
	if (value.length > LONGEST_SEGMENT) return undefined;
	if (value.trim() === '' || value === '.' || mayLeadUp(value)) return undefined;
	try {
		return encodeURIComponent(value);
	} catch {
		return undefined;
	}
}

/** @throws UserError when a path value cannot be sent as one segment. */
export function callAddress(origin: string, call: Call): string {
	const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => {
		const segment = pathSegment(call.pathValues?.[name] ?? '');
		if (segment === undefined) {
			throw new UserError(`Could not ${call.purpose}: the ID cannot be used in a URL`, {
				description: `It is empty, ".", longer than 2,000 characters, not valid text, or leaves its path with "..". Enter the ID as the service shows it.`,
			});
		}
		return segment;
	});
	if (call.rawQuery !== undefined) return `${origin}${path}?${call.rawQuery}`;
	const query = new URLSearchParams();
	for (const [name, value] of Object.entries(call.query ?? {})) {
		if (value !== undefined && value !== '') query.set(name, String(value));
	}
	return `${origin}${path}${query.size > 0 ? `?${query.toString()}` : ''}`;
}

/** Whether a request to this address goes to the service. `blob:` names an origin it does not go to. */
export function isSameOrigin(origin: string, address: string | URL): boolean {
	// Behind the slash, nothing of an address can change where it leads.
	if (typeof address === 'string' && address.startsWith(`${origin}/`)) return true;
	const url = typeof address === 'string' ? parseUrl(address) : address;
	return url?.origin === origin && /^https?:$/.test(url.protocol);
}

/** What an error text says of an address that others wrote: its origin, or where it has none, its scheme. */
export function originOf(address: string, base?: string): string {
	const url = parseUrl(address, base);
	if (!url) return 'an address that is not valid';
	return /^https?:$/.test(url.protocol) ? url.origin : url.protocol;
}
