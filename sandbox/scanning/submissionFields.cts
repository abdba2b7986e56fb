import { isJsonObject, parseJson } from '../jsonValue.cts';
import { fieldError } from '../wire/refusal.cts';
import type { Callback } from './scanStore.cts';

export type Fields = Record<string, string>;

const callbackFields = ['callback_url', 'callback_params', 'callback_headers'];
export const fileFields = ['path', 'download_link', 'name', 'storage', 'file_password'];
export const urlFields = ['path', 'user_agent_string', 'user_location'];

/**
 * Takes a form-encoded body apart.
 * @throws Refusal 400 for a field given twice.
 */
export function formFields(body: unknown): Fields {
	const fields: Fields = {};
	for (const [name, value] of Object.entries(isJsonObject(body) ? body : {})) {
		if (typeof value !== 'string') throw fieldError(name, 'This field may be given once.');
		fields[name] = value;
	}
	return fields;
}

/** @throws Refusal 400 for a field that public material does not list for the operation. */
export function requireKnown(fields: Fields, known: readonly string[]): void {
	for (const name of Object.keys(fields)) {
		if (!known.includes(name) && !callbackFields.includes(name)) {
			throw fieldError(name, 'Unknown field.');
		}
	}
}

/** @throws Refusal 400 when the field is there and blank, or not there. */
export function required(fields: Fields, name: string): string {
	const value = fields[name];
	if (value === undefined) throw fieldError(name, 'This field is required.');
	if (value.trim() === '') throw fieldError(name, 'This field may not be blank.');
	return value;
}

/** @throws Refusal 400 when the text is no http or https address. */
export function webAddress(field: string, text: string): string {
	const isWeb = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
	if (!isWeb) throw fieldError(field, 'Enter a valid URL.');
	return text;
}

/**
 * The caller's wish to be called back.
 * @throws Refusal 400 when a field of it is malformed, or when headers stand without `callback_url`.
 */
export function callbackOf(fields: Fields): Callback | null {
	const { callback_url: url } = fields;
	const params = jsonField(fields, 'callback_params');
	const headers = Object.entries(jsonField(fields, 'callback_headers') ?? {});
	if (url === undefined) {
		if (headers.length > 0) throw fieldError('callback_headers', 'It needs a callback_url.');
		return params && { url: null, params, headers: {} };
	}
	const texts = headers.map(([name, value]): [string, string] => {
		if (typeof value === 'string') return [name, value];
		throw fieldError('callback_headers', 'Every header must be a string.');
	});
	return { url: webAddress('callback_url', url), params, headers: Object.fromEntries(texts) };
}

function jsonField(fields: Fields, name: string) {
	const text = fields[name];
	if (text === undefined) return null;
	const value = parseJson(text);
	if (!isJsonObject(value)) throw fieldError(name, 'Value must be a valid JSON object.');
	return value;
}
