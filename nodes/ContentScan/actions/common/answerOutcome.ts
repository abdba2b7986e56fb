import { parsedTime } from '../../../../input/parsedTime';
import { isRecord } from '../../../../transport/isRecord';
import type { ScanRecord } from '../../../../services/scanning/scanRecord';
import { recordVerdict } from '../../../../services/scanning/scanRecord';

/** What an answer with a status of success says of an operation. */
export type AnswerOutcome = 'done' | 'failed' | 'unclear';

/** What a part of an answer says: the first of these that is found in it counts. */
const OUTCOMES = { no: 'failed', doubt: 'unclear', yes: 'done', open: 'unclear' } as const;
type Sign = keyof typeof OUTCOMES;
const SIGNS = Object.keys(OUTCOMES) as Sign[];

/** Fields that say whether it was done (`released`, `wasChanged`), but not when, or by whom. */
const FLAG =
	/^(is|was|has(been)?)?(success|succeed|ok$|done|releas|updat|chang|accept)(?!.*(at|by|on|time|date)$)/;
/** The same at the end of a name (`verdict_changed`), where the value is a boolean: `last_updated` is a time. */
const ENDS_AS_FLAG = /(?<!un)(released|changed|updated)$/;
/** Fields that may say no for a while: an investigation that has just begun is not completed. */
const LATER = /^(is|was|has(been)?)?(acknowledg|appl|complet)(?!.*(at|by|on|time|date)$)/;
const PROBLEM = /error|fail|exception/;
const STATUS = /^(http)?status(code)?$|^code$/;
/** Fields that say it in words, or hold what does. */
const WORDS =
	/^((http)?status(code)?|code|state|result|message|msg|detail|response|data|warning)s?$/;
/** Fields whose words may be about anything: the subject of an email. */
const SIDE_WORDS = /^(type|title|reason|description|info|text)$/;

/** How a flag says no. */
const NO = /^(false|0|$|null|no\b|not\b|unsuccess|fail|error)/i;
/** How an answer says that there is no error; anything longer may be one ("no such scan"). */
const NO_ERROR = /^(none|null|false|0|no|ok|n\/a|-|no errors?|success)?\.?$/i;
/** How a text begins that says no and nothing else. */
const REFUSED = /^(fail|error|reject|denied|refus|invalid|forbid|unauthori|[45]\d\d$)/i;

const NOTHING_WRONG =
	/\b(no|without|0) (errors?|failures?|problems?|(further )?action (is )?(required|needed))\b/g;
const WRONG =
	/\bnot?\b|\b0 [a-z]|n['’]t\b|\bcannot\b|\bnever\b|unable|fail|error|exception|denied|reject|refus|declin|invalid|forbid|unauthori|abort|unsuccess|unknown|missing|expired|unsupported|timed? ?out|insufficient|exceeded|required|\bnok\b/;
const RIGHT =
	/success|succeed|\b(ok|done|accepted|received|requested|submitted|queued|scheduled|started|running|investigating|new|opened|open|assigned|created|sent|released|changed|updated|applied|confirmed|completed?|acknowledged|process(ing|ed)|pending|in progress|true|yes|20\d)\b/;

/**
 * What the service's answer says of an operation that changes something. No form of it is published. Only a flag,
 * an error or a plain refusal fails it; an answer that says nothing counts by its status; what is not understood
 * counts as neither.
 * @param sent Texts of the request, which the answer may repeat: they say nothing of it.
 */
export function answerOutcome(body: unknown, sent: readonly string[] = []): AnswerOutcome {
	const signs = new Set(signsIn(body, new Set(sent)));
	const first = SIGNS.find((sign) => signs.has(sign));
	return first === undefined ? 'done' : OUTCOMES[first];
}

/** Fields in which an answer tells whether a submission was accepted. */
const ACCEPTED = /^(is|was)?(success|succeed|ok$|accept)/;

/**
 * Whether the answer to a submission, which gives an ID, says plainly that it was refused. What is not done yet
 * ("not started", `completed: false`) is the usual state of a scan that has just begun.
 */
export function refusesSubmission(body: ScanRecord): boolean {
	// No scan has a number below 1.
	if (Number(body.scan_id) < 1) return true;
	if (isScan(body)) return false;
	return Object.entries(body).some(([name, value]) => {
		const field = plainName(name);
		if (ACCEPTED.test(field)) return isNo(field, value);
		if (PROBLEM.test(field)) return saysAnything(value);
		if (!WORDS.test(field)) return false;
		return typeof value === 'string' ? REFUSED.test(value.trim()) : isErrorStatus(field, value);
	});
}

function signsIn(value: unknown, sent: ReadonlySet<string>): Sign[] {
	if (typeof value === 'string') return sent.has(value.trim()) ? [] : signsInText(value);
	// A list of what was done may be empty.
	if (Array.isArray(value) && value.length === 0) return ['doubt'];
	if (Array.isArray(value)) return value.flatMap((part) => signsIn(part, sent));
	if (!isRecord(value)) return value === false ? ['no'] : [];
	const signs = Object.entries(value).flatMap(([name, part]) =>
		signsInField(plainName(name), part, sent),
	);
	return isScan(value) ? asDoubt(signs) : signs;
}

function signsInField(field: string, value: unknown, sent: ReadonlySet<string>): Sign[] {
	if (FLAG.test(field) || (ENDS_AS_FLAG.test(field) && typeof value === 'boolean')) {
		if (isNo(field, value)) return ['no'];
		if (value === true) return ['yes'];
		return typeof value === 'string' && parsedTime(value) === undefined ? signsInText(value) : [];
	}
	if (LATER.test(field)) return isNo(field, value) ? ['doubt'] : [];
	if (PROBLEM.test(field)) return saysAnything(value) ? ['no'] : [];
	if (isErrorStatus(field, value)) return ['no'];
	// `data` may be what it is about.
	if (field === 'data' && value === false) return [];
	if (WORDS.test(field)) return signsIn(value, sent);
	// It may be about something else.
	return isRecord(value) || SIDE_WORDS.test(field) ? asDoubt(signsIn(value, sent)) : [];
}

/** What a part says of something else, or of the scan itself, does not fail the operation. */
function asDoubt(signs: Sign[]): Sign[] {
	return signs.includes('no') || signs.includes('doubt') ? ['doubt'] : [];
}

function signsInText(text: string): Sign[] {
	const words = text
		.replace(/([a-z])([A-Z])/g, '$1 $2')
		.replace(/[_-]/g, ' ')
		.toLowerCase()
		.replace(NOTHING_WRONG, '');
	const isRight = RIGHT.test(words);
	if (REFUSED.test(text.trim())) return isRight ? ['doubt'] : ['no'];
	if (WRONG.test(words)) return ['doubt'];
	if (isRight) return ['yes'];
	return /[a-z]/.test(words) ? ['open'] : [];
}

function isErrorStatus(field: string, value: unknown): boolean {
	return typeof value === 'number' && STATUS.test(field) && value >= 400 && value < 600;
}

function isNo(field: string, value: unknown): boolean {
	if (Array.isArray(value)) return value.length === 0;
	if (value === null) return /succe/.test(field);
	return typeof value !== 'object' && NO.test(String(value).trim());
}

/** Whether an error says anything: not where all in it is nothing (`{ "count": 0 }`). */
function saysAnything(error: unknown): boolean {
	if (typeof error === 'object' && error !== null) return Object.values(error).some(saysAnything);
	return !NO_ERROR.test(String(error ?? '').trim());
}

/** Whether it is a scan's own record, in which what has failed may be a part of the scan. */
function isScan(body: ScanRecord): boolean {
	return recordVerdict(body) !== undefined || 'finished_at' in body;
}

function plainName(name: string): string {
	return name.toLowerCase().replace(/[^a-z]/g, '');
}
