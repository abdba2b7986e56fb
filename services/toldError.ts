import { serverMessage } from '../transport/errors/serverMessage';
import { isRecord } from '../transport/isRecord';

/** Fields with which gateways tell an error, with a status 200 too: what they hold is one unless it says "none". */
const CERTAIN = /^(errors?|error_?(code|description|msg|message|no)|fault|exception)$/i;
/** Fields that tell success and failure alike. */
const SUCCEEDED = /^(success|ok)$/i;
const STATUS = /^status(_?code)?$|^code$/i;
/** Fields that hold the sentence about an error. */
const WORDS = /^(message|msg|description|details?|title|reason)$/i;

/** Fields that stand beside it, and do not tell whether there is one. */
const MORE = /^(type|instance|(request|trace|activity|correlation)_?id)$/i;

/** Fields that stand beside these, but may as well be an entry's own. */
const BESIDE_AN_ERROR = /^(timestamp|path|method|data|result|items|nextPageToken)$/;

const NOTHING = 'none|null|nil|false|no|ok|n/a|-';
const NUMBER_OF_NONE = '[es]?0+|20[0124]( ok)?';
const WITHOUT = '(no|without|0)[ _]?(error|exception)s?( (found|occurred|detected|reported))?';
const SUCCESS =
	'((the )?(operation|request|query) )?(was |has )?((completed|processed|executed) )?(success|successful|successfully|succeeded)';

/** Words in small letters by which a field for an error says that there is none. */
export const NO_ERROR = new RegExp(
	`^(${[NOTHING, NUMBER_OF_NONE, WITHOUT, SUCCESS].join('|')})?\\.?$`,
);

/** Whether a field of an error tells that there is one: others say when, where and how bad. */
function isTelling(name: string): boolean {
	return [CERTAIN, SUCCEEDED, STATUS, WORDS].some((names) => names.test(name));
}

function isOfAnError(name: string): boolean {
	return isTelling(name) || MORE.test(name);
}

/** What says nothing: services write it for what is not there. */
function isNothing(value: unknown): boolean {
	if (!value) return true;
	return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Whether the value of a field for an error says that there is none. */
function isNoError(value: unknown): boolean {
	if (typeof value === 'string') return NO_ERROR.test(value.trim().toLowerCase());
	if (typeof value === 'number') return NO_ERROR.test(String(value));
	if (typeof value !== 'object' || value === null) return !value;
	const parts = Object.entries(value);
	const telling = parts.filter(([name]) => isTelling(name));
	return (telling.length > 0 ? telling : parts).every(([name, part]) =>
		SUCCEEDED.test(name) ? !isFailed(part) : isNoError(part),
	);
}

function isFailed(success: unknown): boolean {
	return /^(false|0|no)$/i.test(String(success));
}

function fieldTellsError(name: string, value: unknown): boolean {
	if (SUCCEEDED.test(name)) return isFailed(value);
	if (STATUS.test(name)) return /^([45]\d\d|error|failed)$/i.test(String(value));
	return CERTAIN.test(name) && !isNoError(value);
}

/** Whether an answer says that it failed, whatever its status and whatever else it holds. */
export function tellsError(body: unknown): boolean {
	return (
		isRecord(body) && Object.entries(body).some(([name, value]) => fieldTellsError(name, value))
	);
}

/** Whether an answer holds what tells an error, and nothing else. */
export function isError(body: Record<string, unknown>): boolean {
	const isCertain = tellsError(body);
	return Object.entries(body).every(
		([name, value]) =>
			isNothing(value) || isOfAnError(name) || (isCertain && BESIDE_AN_ERROR.test(name)),
	);
}

/** What an answer says of an error, whatever its status. Nothing else of it is quoted: it may hold entries. */
export function errorIn(body: unknown): string | undefined {
	if (!isRecord(body) || !(tellsError(body) || isError(body))) return undefined;
	const ofError = Object.entries(body).filter(([name]) => isOfAnError(name));
	return serverMessage(Object.fromEntries(ofError));
}

/** Whether an answer holds no more than that it succeeded, if that. */
export function saysNothing(body: Record<string, unknown>): boolean {
	return Object.values(body).every((value) => value === true || isNothing(value));
}
