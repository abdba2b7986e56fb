import { parsedTime } from '../../../../input/parsedTime';
import { isRecord } from '../../../../transport/isRecord';
import type { ScanRecord } from '../../../../services/scanning/scanRecord';
import { recordVerdict } from '../../../../services/scanning/scanRecord';

/** What an answer with a status of success says of an operation. */
export type AnswerOutcome = 'done' | 'failed' | 'unclear';

/** Fields that say whether it was done (`released`, `wasChanged`), but not when, or by whom. */
const FLAG =
	/^(is|was|has(been)?)?(success|succeed|ok$|done|releas|updat|chang|accept)(?!.*(at|by|on|time|date)$)/;
/** The same at the end of a name (`verdict_changed`), where the value is a boolean: `last_updated` is a time. */
const ENDS_AS_FLAG = /(?<!un)(released|changed|updated)$/;
/** Fields that may say no for a while: an investigation that has just begun is not completed. */
const LATER = /^(is|was|has(been)?)?(acknowledg|appl|complet)(?!.*(at|by|on|time|date)$)/;
const PROBLEM = /error|fail|exception/;
/** Fields that say it in words: what is not understood there may be a failure. */
const WORDS = /^(status|state|result|message|msg|detail|response|data|warning)s?$/;
/** Fields whose number is a failure's, and fields whose words may be anything: the subject of an email. */
const CODES = /^(http)?status$|^((http)?status)?code$/;
const MORE_WORDS = /^(type|title|reason|description|info|text)$/;

/** How a flag says no. */
const NO = /^(false|0|$|null|no\b|not\b|unsuccess|fail|error)/i;

/** How an answer says that there is no error; anything longer may be one ("no such scan"). */
const NO_ERROR = /^(none|null|false|0|no|ok|n\/a|-|no errors?|success)?\.?$/i;
const NOTHING_WRONG =
	/\b(no|without|0) (errors?|failures?|problems?|(further )?action (is )?(required|needed))\b/g;

const NEGATION = /\bnot?\b|\b0 [a-z]|n['’]t\b|\bcannot\b|\bnever\b|\bunable\b|fail/;
const WRONG = new RegExp(
	String.raw`${NEGATION.source}|error|exception|denied|reject|refus|declin|invalid|forbid|unauthori|abort|unsuccess|unknown|missing|expired|unsupported|timed? ?out|insufficient|exceeded|required|\bnok\b|^[45]\d\d$`,
);
const RIGHT =
	/(?<!un)success|succeed|\b(ok|done|accepted|received|requested|submitted|queued|scheduled|started|running|investigating|new|opened|open|assigned|created|sent|released|changed|updated|applied|confirmed|completed?|acknowledged|process(ing|ed)|pending|in progress|true|yes|20\d)\b/;

/**
 * What the service's answer says of an operation that changes something. No form of it is published, so
 * an answer that says nothing counts by its status, and what is not understood counts as neither.
 * @param sent Texts of the request, which the answer may repeat: they say nothing of it.
 */
export function answerOutcome(body: unknown, sent: readonly string[] = []): AnswerOutcome {
	return outcomeOf(withoutRepeated(body, sent));
}

function withoutRepeated(value: unknown, sent: readonly string[]): unknown {
	if (typeof value === 'string') return sent.includes(value.trim()) ? undefined : value;
	if (Array.isArray(value)) return value.map((part) => withoutRepeated(part, sent));
	if (!isRecord(value)) return value;
	const parts = Object.entries(value).map(([name, part]) => [name, withoutRepeated(part, sent)]);
	return Object.fromEntries(parts) as ScanRecord;
}

function outcomeOf(body: unknown): AnswerOutcome {
	if (typeof body === 'string') return outcomeOfText(body);
	// A list of what was done may be empty.
	if (Array.isArray(body)) return body.length > 0 ? worst(body.map(outcomeOf)) : 'unclear';
	if (!isRecord(body)) return body === false ? 'failed' : 'done';
	const entries = Object.entries(body).map(([name, value]) => ({
		field: plainName(name),
		value,
	}));
	const outcome = worst(entries.map(({ field, value }) => outcomeOfField(field, value)));
	if (isScan(body)) return outcome === 'failed' ? 'unclear' : 'done';
	const saysYes = entries.some(({ field, value }) => FLAG.test(field) && isYes(value));
	return outcome === 'unclear' && saysYes ? 'done' : outcome;
}

/** Fields in which an answer tells whether a submission was accepted, and words that begin a refusal. */
const ACCEPTED = /^(is|was)?(success|succeed|ok$|accept)/;
const REFUSED = /^(fail|error|reject|denied|refus|invalid|forbid|unauthori|[45]\d\d$)/i;

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
		if (!WORDS.test(field) && !CODES.test(field)) return false;
		if (typeof value === 'number') return isErrorStatus(field, value);
		return typeof value === 'string' && REFUSED.test(value.trim());
	});
}

/** Whether it is a scan's own record, in which what has failed may be a part of the scan. */
function isScan(body: ScanRecord): boolean {
	return recordVerdict(body) !== undefined || 'finished_at' in body;
}

function plainName(name: string): string {
	return name.toLowerCase().replace(/[^a-z]/g, '');
}

function outcomeOfField(field: string, value: unknown): AnswerOutcome {
	if (FLAG.test(field) || (ENDS_AS_FLAG.test(field) && typeof value === 'boolean')) {
		if (isNo(field, value)) return 'failed';
		const isTime = parsedTime(value) !== undefined;
		return typeof value === 'string' && !isTime ? outcomeOfText(value) : 'done';
	}
	if (PROBLEM.test(field)) return saysAnything(value) ? 'failed' : 'done';
	if (LATER.test(field)) return isNo(field, value) ? 'unclear' : 'done';
	const isWord = WORDS.test(field) || CODES.test(field);
	if (!isWord && !MORE_WORDS.test(field) && !isRecord(value)) return 'done';
	if (typeof value === 'number') return isErrorStatus(field, value) ? 'failed' : 'done';
	// `data` may be what it is about.
	if (value === false && field === 'data') return 'done';
	const outcome = outcomeOf(value);
	if (isWord) return outcome;
	// It may be about something else.
	return outcome === 'failed' ? 'unclear' : 'done';
}

/** A result may be any number. */
function isErrorStatus(field: string, value: number): boolean {
	return field !== 'result' && value >= 400 && value < 600;
}

function outcomeOfText(text: string): AnswerOutcome {
	const words = text
		.replace(/([a-z])([A-Z])/g, '$1 $2')
		.replace(/[_-]/g, ' ')
		.toLowerCase()
		.replace(NOTHING_WRONG, '')
		.trim();
	const isRight = RIGHT.test(words);
	if (!WRONG.test(words)) return isRight || !/[a-z]/i.test(words) ? 'done' : 'unclear';
	return isRight && !words.split(/[.;:]/).some(deniesWhatIsRight) ? 'unclear' : 'failed';
}

/** "The email could not be released", but not "Released, and the sender was not told". */
function deniesWhatIsRight(sentence: string): boolean {
	const denial = sentence.search(NEGATION);
	return denial >= 0 && RIGHT.test(sentence.slice(denial));
}

function isNo(field: string, value: unknown): boolean {
	if (Array.isArray(value)) return value.length === 0;
	if (value === null) return /succe/.test(field);
	return typeof value !== 'object' && NO.test(String(value).trim());
}

function isYes(value: unknown): boolean {
	return value === true || (typeof value === 'string' && outcomeOfText(value) === 'done');
}

/** Whether an error says anything: not where all in it is nothing (`{ "count": 0 }`). */
function saysAnything(error: unknown): boolean {
	if (typeof error === 'object' && error !== null) return Object.values(error).some(saysAnything);
	return !NO_ERROR.test(String(error ?? '').trim());
}

function worst(outcomes: AnswerOutcome[]): AnswerOutcome {
	return (
		outcomes.find((one) => one === 'failed') ?? outcomes.find((one) => one === 'unclear') ?? 'done'
	);
}
