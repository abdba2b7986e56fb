import { serverMessage } from '../transport/errors/serverMessage';
import { isRecord } from '../transport/isRecord';

/** Fields with which gateways tell an error, with a status 200 too. */
const OF_AN_ERROR =
	/^(errors?|error_?(code|description|msg|message|no)|fault|exception|message|detail|title|reason|status(_?code)?|code|success|ok|type|instance|(request|trace|activity|correlation)_?id)$/i;

/** Fields that stand beside these, but may as well be an entry's own. */
const BESIDE_AN_ERROR = /^(timestamp|path|method|data|result|items|nextPageToken)$/;

/** Any of them makes an error of an answer. */
const CERTAIN = /^(errors?|fault|exception)$/i;
const SUCCEEDED = /^(success|ok)$/i;

/** Words in small letters by which a field for an error says that there is none. */
export const NO_ERROR =
	/^(none|null|false|no|ok|n\/a|-|success|0+|(no|without|0) errors?( (found|occurred|detected|reported))?)?\.?$/;

/** What says nothing: services write it for what is not there. */
function isNothing(value: unknown): boolean {
	if (!value) return true;
	return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Whether the value of a field for an error says that there is none. */
function isNoError(value: unknown): boolean {
	if (typeof value === 'string') return NO_ERROR.test(value.trim().toLowerCase());
	if (typeof value === 'object' && value !== null) return Object.values(value).every(isNoError);
	return !value;
}

/** Whether an answer says that it failed, whatever its status and whatever else it holds. */
export function tellsError(body: unknown): boolean {
	return Object.entries(isRecord(body) ? body : {}).some(([name, value]) =>
		SUCCEEDED.test(name) ? value === false : CERTAIN.test(name) && !isNoError(value),
	);
}

/** Whether an answer holds what tells an error, and nothing else. */
export function isError(body: Record<string, unknown>): boolean {
	const isCertain = tellsError(body);
	return Object.entries(body).every(
		([name, value]) =>
			isNothing(value) || OF_AN_ERROR.test(name) || (isCertain && BESIDE_AN_ERROR.test(name)),
	);
}

/** What an answer says of an error, whatever its status. Nothing else of it is quoted: it may hold entries. */
export function errorIn(body: unknown): string | undefined {
	if (!isRecord(body) || !(tellsError(body) || isError(body))) return undefined;
	const ofError = Object.entries(body).filter(([name]) => OF_AN_ERROR.test(name));
	return serverMessage(Object.fromEntries(ofError));
}

/** Whether an answer holds no more than that it succeeded, if that. */
export function saysNothing(body: Record<string, unknown>): boolean {
	return Object.values(body).every((value) => value === true || isNothing(value));
}
