import { UserError } from 'n8n-workflow';

/** RFC 9110, section 5.6.2: the characters of a header name. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/;

/** Names that mean something else in JavaScript, or to n8n's HTTP client, which leaves such headers out. */
const UNSENDABLE = /^(__proto__|constructor|prototype|common|get|head|post|put|patch|delete)$/i;

/** Headers that the connection itself sets; a user's value would break or redirect the request. */
const RESERVED =
	/^(host|accept-encoding|content-length|transfer-encoding|connection|keep-alive|upgrade|expect|te|trailer|proxy-.*)$/i;

/** Headers with which the console may answer with a part of what is asked for, or with nothing. */
const ASKS_FOR_LESS = /^(range|if-.*)$/i;

interface HeaderRow {
	name: string;
	value: string;
}

function headerRows(headers: unknown): HeaderRow[] {
	const values: unknown =
		typeof headers === 'object' && headers !== null && 'values' in headers
			? headers.values
			: undefined;
	if (!Array.isArray(values)) return [];
	return values.map((row: Partial<Record<keyof HeaderRow, unknown>> | null) => ({
		name: String(row?.name ?? '').trim(),
		value: String(row?.value ?? '').trim(),
	}));
}

/**
 * The headers that a user entered for the console (docs/interface.md, Authentication: "a set of request
 * headers"; their names are not shown there).
 *
 * @param headers The credential's `headers` field: `{ values: [{ name, value }] }`.
 * @throws UserError that names the row, never its value: none at all, no name, a name that no
 * request can carry or that belongs to the connection, a second row of that name, an empty value,
 * a line break or another character that is not allowed in a header.
 */
export function requestHeaders(headers: unknown): Record<string, string> {
	const rows = headerRows(headers);
	if (rows.length === 0) {
		throw new UserError('The credential holds no headers', {
			description: `Add the headers that the console asks for under 'Headers'.`,
		});
	}
	const names = new Set<string>();
	rows.forEach(({ name, value }, index) => {
		const flaw = nameFlaw(name, names) ?? valueFlaw(value);
		if (flaw) {
			throw new UserError(`Header ${index + 1} of the credential ${flaw.what}`, {
				description: flaw.advice,
			});
		}
		names.add(name.toLowerCase());
	});
	return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

interface Flaw {
	what: string;
	advice: string;
}

function nameFlaw(name: string, taken: Set<string>): Flaw | undefined {
	if (name === '') return { what: 'has no name', advice: 'Enter its name, or remove the row.' };
	if (!HEADER_NAME.test(name)) {
		return {
			what: 'has a name with a space, a colon, a line break or another forbidden character',
			advice: `Enter the name alone, without ":" and value, e.g. "X-Api-Key".`,
		};
	}
	if (RESERVED.test(name)) {
		return {
			what: `is named "${name}", which n8n sets itself`,
			advice: 'Remove the row.',
		};
	}
	if (ASKS_FOR_LESS.test(name)) {
		return {
			what: `is named "${name}", with which the console may leave entries out`,
			advice: 'Remove the row.',
		};
	}
	if (UNSENDABLE.test(name)) {
		return {
			what: `is named "${name}", which n8n cannot send`,
			advice: 'Remove the row.',
		};
	}
	if (taken.has(name.toLowerCase())) {
		return {
			what: `is named "${name}", like an earlier one`,
			advice: 'Keep one row for each name. Upper and lower case make no difference.',
		};
	}
	return undefined;
}

function valueFlaw(value: string): Flaw | undefined {
	if (value === '') return { what: 'has no value', advice: 'Enter its value, or remove the row.' };
	if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) {
		return {
			what: 'has a value with a line break or another character that is not allowed in a header',
			advice: 'Copy the value again, as one line.',
		};
	}
	return undefined;
}
