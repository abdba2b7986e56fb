import { serverMessage } from '../transport/errors/serverMessage';
import { isRecord } from '../transport/isRecord';
import { saysNoError } from './saysNoError';

/** Fields with which services tell an error, with a status 200 too: what they hold is one unless it says "none". */
const CERTAIN =
	/^(errors?|error_?(code|no|num|number|messages?|msg|text|desc|description|details?|info|reason|type|summary|list|string|causes?)|errno|faults?|exceptions?)$/i;
/** Those of them that hold a sentence, which may be about a success. */
const SENTENCE = /^error_?(message|msg|text|desc|description|details?|info|reason)$/i;
/** Flags of an error, and of a page that lacks something. */
const FAILED =
	/^(has_?errors?|is_?error|(has_?|is_?)?failed|timed_?out|(is_?)?(partial|incomplete)(_?results?)?)$/i;
/** Flags of a success. */
const SUCCEEDED = /^(is_?)?(success|successful|succeeded|ok)$/i;
const STATUS = /^(http_?)?status(_?code)?$|^code$/i;
/** Fields that hold the sentence about an error. */
const WORDS = /^(message|msg|description|details?|title|reason)$/i;

/** Fields that stand beside it, and do not tell whether there is one. */
const MORE = /^(error\w*|type|instance)$/i;
const ID = /^(request|trace|activity|correlation)_?id$/i;

/** Fields that stand beside these, but may as well be an entry's own. */
const BESIDE_AN_ERROR = /^(timestamp|path|method|data|result|items|nextPageToken)$/;

/** "500", "503 Service Unavailable", "fail", "PARTIAL_SUCCESS", "INTERNAL_ERROR", "DEADLINE_EXCEEDED". */
const STATUS_OF_ERROR =
	/^(http )?[45]\d\d\b|(^|[^a-z])(fail(ed|ures?)?|errors?|errored|unsuccessful|partial|time(d)?[ _]?out|unavailable|exceeded|denied|rejected|n(ot[ _]?)?ok)([^a-z]|$)/i;

/** Whether a field of an error tells that there is one: others say when, where and how bad. */
function isTelling(name: string): boolean {
	return [CERTAIN, FAILED, SUCCEEDED, STATUS, WORDS].some((names) => names.test(name));
}

function isOfAnError(name: string): boolean {
	return isTelling(name) || MORE.test(name) || ID.test(name);
}

/** What says nothing: services write it for what is not there. */
function isNothing(value: unknown): boolean {
	if (!value) return true;
	return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Whether a status or a flag says that there is an error. */
function fails(name: string, value: unknown): boolean {
	if (typeof value === 'object') return false;
	const text = String(value).trim();
	if (FAILED.test(name)) {
		// "failed: 3" may be a count of what a list tells of.
		const isNumber = /^(has|is|timed)/i.test(name) && /^[1-9]\d*$/.test(text);
		return isNumber || /^(true|yes)$/i.test(text);
	}
	if (SUCCEEDED.test(name) && /^(false|0|no?)$/i.test(text)) return true;
	const tells = STATUS.test(name) || SUCCEEDED.test(name);
	return tells && STATUS_OF_ERROR.test(text) && !saysNoError(text);
}

/** Whether a code or a flag says that there is none. A status 200 says so of the answer only. */
function clears(name: string, value: unknown): boolean {
	if (typeof value === 'object' || value === '') return false;
	if (SUCCEEDED.test(name)) return /^(true|1|yes|ok|success(ful)?)$/i.test(String(value));
	const isCode = STATUS.test(name) || /^err(or_?(code|num|number|no)|no)$/i.test(name);
	return isCode && value !== false && saysNoError(value) && !/^2/.test(String(value));
}

/** Nobody who means that there is no error writes so many parts of one: to look at each would take time. */
const MOST_PARTS = 100;

/** Whether the value of a field for an error says that there is one. */
function holdsError(value: unknown, isCleared: boolean): boolean {
	if (Array.isArray(value)) {
		return value.length > MOST_PARTS || value.some((one) => holdsError(one, false));
	}
	if (!isRecord(value)) return !saysNoError(value, isCleared);
	const fields = Object.entries(value);
	if (fields.length > MOST_PARTS) return true;
	if (fields.some(([name, part]) => fails(name, part))) return true;
	const isClear = isCleared || fields.some(([name, part]) => clears(name, part));
	const hasTelling = fields.some(([name]) => isTelling(name));
	return fields
		.filter(([name]) => !FAILED.test(name) && !SUCCEEDED.test(name))
		.some(([name, part]) => holdsError(part, isClear || (hasTelling && !isTelling(name))));
}

/** Whether an answer says that it failed, whatever its status and whatever else it holds. */
export function tellsError(body: unknown): boolean {
	if (!isRecord(body)) return false;
	const fields = Object.entries(body);
	if (fields.some(([name, value]) => fails(name, value))) return true;
	const isClear = fields.some(([name, value]) => clears(name, value));
	return fields.some(
		([name, value]) => CERTAIN.test(name) && holdsError(value, isClear && SENTENCE.test(name)),
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

/** "No data", "No scans were found." */
const EMPTY =
	/^no( (new|further|more|matching))? (data|entries|events|items|results|records|scans)( (were )?(found|available))?\.?$/i;

/** In characters: longer than any such sentence. */
const LONGEST_EMPTY = 60;

/** What stands beside that where it is told as a failure, or as something not found. */
const AS_FAILURE = /^(error|fail(ed|ure)?|not[ _]?found|404|no[ _]?content|about:blank)$/i;
const ERROR_FLAG = /^((has|is)_?)?(errors?|failed)$/i;

/** Whether what tells an error says that a list is empty, and no more than that. */
function saysOnlyEmpty(told: unknown): boolean {
	if (typeof told === 'string')
		return told.length <= LONGEST_EMPTY && EMPTY.test(told.replace(/_/g, ' '));
	if (typeof told !== 'object' || told === null) return false;
	const parts = Object.entries(told);
	if (parts.length > MOST_PARTS) return false;
	const telling = parts.filter(([name, part]) => !addsNothing(name, part));
	return telling.length > 0 && telling.every(([, part]) => saysOnlyEmpty(part));
}

/** Whether a part beside such a sentence says no more: that it is told as a failure, or as something not found. */
function addsNothing(name: string, part: unknown): boolean {
	if (typeof part === 'object') return isNothing(part);
	const isFlag = part === true && ERROR_FLAG.test(name);
	return isFlag || ID.test(name) || AS_FAILURE.test(String(part)) || saysNoError(part);
}

/** Whether an answer tells an error beside its list, so that more may belong into it. That it is empty is none. */
export function tellsErrorBeside(list: unknown, body: Record<string, unknown>): boolean {
	if (!tellsError(body)) return false;
	if (!Array.isArray(list) || list.length > 0) return true;
	const ofError = Object.entries(body).filter(([name]) => isOfAnError(name));
	return !saysOnlyEmpty(Object.fromEntries(ofError));
}

/** Whether an answer holds no more than that it succeeded, if that. */
export function saysNothing(body: Record<string, unknown>): boolean {
	return Object.values(body).every((value) => value === true || isNothing(value));
}
