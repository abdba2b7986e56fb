import { parsedTime } from '../../../../input/parsedTime';
import type { ScanRecord } from '../../../../services/scanning/scanRecord';
import { describesScan, EARLIEST } from '../../../../services/scanning/scanRecord';
import { writtenId } from '../../../../services/scanning/writtenId';
import { saysNoError } from '../../../../services/saysNoError';
import { isRecord } from '../../../../transport/isRecord';

/** What an answer with a status of success says of an operation. */
export type AnswerOutcome = 'done' | 'failed' | 'unclear';

/** What a part of an answer says. */
type Saying = 'no' | 'yes' | 'nothing' | 'unknown';

/** Fields that say yes or no to the call as a whole. */
const SUCCESS = /^(is|was)?(success|successful|succeeded|ok)$/;
/** Fields that say yes to what was asked for; what is not done yet may be done soon. */
const DONE = /^(is|was|has(been)?)?(done|released|completed|(verdict)?(changed|updated))$/;
/** Fields that say yes only to work that others are to do, the first of them no to any. */
const ACCEPTED = /^(is|was|has(been)?)?accepted$/;
const REQUESTED = /^(is|was|has(been)?)?requested$/;
const ERROR = /^(errors?|exception)$/;
/** Fields that may be about an error of something else. */
const PROBLEM = /error|fail|exception/;
const STATUS = /^(http)?status(code)?$|^code$/;
/** Fields that say it in a word, or in a sentence. */
const WORDS = /^(status|state|result|outcome|message|msg|detail|response)$/;
/** Fields that name something, or say when, and nothing of how it went. */
const NAME =
	/^((full|root)?scan|e?mail|message|request|ticket|investigation|case|job)*(id|uuid|number|ticket)$/;
const TIME =
	/^(time|timestamp|date|datetime)$|^(created|updated|modified|changed|requested|submitted|released|completed)(at|on|date|time)?$/;
/** Fields that hold what was asked for. */
const ASKED_FOR = /^((expected|new|requested|verbose)?verdict|scan|e?mail|reason|comment|note)$/;
/** Fields that hold what was done, or what it was done to. */
const HOLDS = /^(data|results?|response|request|scans?|e?mails?|investigation|ticket)?$/;
/** Fields that say who did what was done. */
const WHO = /^(created|updated|modified|changed|requested|submitted|released|completed)by$/;

const NO = /^(false|no|0)$/;
const FAILED = /^(fail(ed|ure)?|error|rejected|denied|refused|forbidden|unauthorized)[.!]?$/;
const SUBJECT = '((the )?(e-?mail|scan|verdict|request|release|investigation|message) )?';
const VERB = '((was|(has|had) been|is) )?((already|successfully) )?';
const CARRIED_OUT =
	'true|yes|ok|success(ful(ly)?)?|succeeded|done|sent|released|changed|updated|applied|confirmed|completed?|processed';
const TAKEN =
	'accepted|received|acknowledged|requested|submitted|created|queued|scheduled|started|pending|in progress|new|open(ed)?';
const END = '( from (the )?quarantine)?( successfully| before)?[.!]?';

/** A whole text that says of the call that it was carried out. */
const YES = new RegExp(`^${SUBJECT}${VERB}(${CARRIED_OUT})${END}$`);
/** The same of work that others are to do: it was taken. */
const YES_OR_TAKEN = new RegExp(`^${SUBJECT}${VERB}(${CARRIED_OUT}|${TAKEN})${END}$`);

const STATE =
	'done|finished|sent|processed|completed?|accepted|received|submitted|queued|scheduled|started|pending|in progress';

/** How far a scan or an email has come by itself, and nothing of what was asked for. */
const OWN_STATE = new RegExp(`^((the )?scan )?${VERB}(${STATE})( successfully)?[.!]?$`);

/** Fields that say of a scan or an email that it has come to its end. */
const OWN_END = /^(is|was|has(been)?)?(done|finished|completed?|processed)$/;

/** Fields that hold the ID of a scan, or of whatever they are in. */
const SCAN_ID = /^((full|root)?scan)?(id)?$/;
const NUMBER = /^\d+$/;

/** What is known of the call beside its answer. */
interface Asked {
	/** The scan that it is about. */
	scanId?: string;
	/** Texts of the request, which the answer may repeat: they say nothing of it. */
	sent?: readonly string[];
	/** Whether it asks others to do something later, so that it is done once they know. */
	isForLater?: boolean;
}

/**
 * What the service's answer says of an operation that changes something. No form of it is published, so it was
 * done only where nothing else can be meant: the answer is empty and counts by its status, or it says so in plain
 * words, and all that stands beside them is known to say nothing. An error or a `false` fails it.
 */
export function answerOutcome(body: unknown, asked: Asked = {}): AnswerOutcome {
	if (isEmpty(body)) return 'done';
	const sayings = sayingsIn(body, '', { asked, isTop: true });
	if (sayings.includes('no')) return 'failed';
	return sayings.includes('yes') && !sayings.includes('unknown') ? 'done' : 'unclear';
}

/** Whether the answer to a submission, which gives an ID, says plainly that it was refused. */
export function refusesSubmission(body: ScanRecord): boolean {
	// No scan has a number below 1.
	if (/^(0+|-\d+)$/.test(String(body.scan_id).trim())) return true;
	return !describesScan(body) && saysItFailed(body);
}

/** Whether a field of the answer says so plainly. */
export function saysItFailed(body: ScanRecord): boolean {
	return Object.entries(body).some(([name, value]) => saysNo(plainName(name), value));
}

interface Place {
	asked: Asked;
	/** Whether it speaks of the call, and not of one of several things, or of something else. */
	isTop: boolean;
	/** Whether it is about the scan or the email itself. */
	isSubject?: boolean;
}

function sayingsIn(value: unknown, field: string, place: Place): Saying[] {
	if (saysNo(field, value)) return [place.isTop ? 'no' : 'unknown'];
	if (PROBLEM.test(field)) return [saysAnything(value) ? 'unknown' : 'nothing'];
	if (typeof value !== 'object' || value === null) return [sayingOf(value, field, place)];
	const parts = Object.entries(value);
	// A list of what was done may be empty.
	if (parts.length === 0) return ['unknown'];
	// What has failed in the record of a scan may be a part of the scan.
	const isTop = place.isTop && field === '' && isRecord(value) && !describesScan(value);
	const isSubject =
		place.isSubject || /^(scan|e?mail)s?$/.test(field) || mayBeScan(value, place.asked);
	const sayings = parts.flatMap(([name, part]) =>
		sayingsIn(part, isRecord(value) ? plainName(name) : field, { ...place, isTop, isSubject }),
	);
	const isKnown = [HOLDS, DONE, WORDS, ASKED_FOR].some((names) => names.test(field));
	return isKnown ? sayings : [...sayings, 'unknown'];
}

/** Whether a part of an answer may be the scan: the long ID and the short one of a scan cannot be compared. */
function mayBeScan(part: object, { scanId }: Asked): boolean {
	if (!isRecord(part) || scanId === undefined) return false;
	const isOther = (id: string) => id !== scanId && NUMBER.test(id) && NUMBER.test(scanId);
	return Object.entries(part).some(([name, value]) => {
		const field = plainName(name);
		const id = SCAN_ID.test(field) ? writtenId(value) : undefined;
		return id !== undefined && (field.startsWith('scan') || !isOther(id));
	});
}

function sayingOf(value: unknown, field: string, { asked, isSubject }: Place): Saying {
	const { sent = [], isForLater } = asked;
	const text = plainText(value);
	if (OWN_STATE.test(text) && (isSubject || text.includes('scan '))) return 'unknown';
	if (OWN_END.test(field) && isSubject) return 'unknown';
	const mayRepeat = [ASKED_FOR, NAME, WORDS].some((names) => names.test(field));
	if (mayRepeat && typeof value === 'string' && sent.includes(value.trim())) return 'nothing';
	const isSuccess = SUCCESS.test(field);
	const telling = [
		SUCCESS,
		DONE,
		STATUS,
		WORDS,
		/^$/,
		...(isForLater ? [ACCEPTED, REQUESTED] : []),
	];
	const mayTell = telling.some((names) => names.test(field));
	if (mayTell && (isForLater ? YES_OR_TAKEN : YES).test(text)) return 'yes';
	if ((isSuccess && text === '1') || (STATUS.test(field) && /^20[0145]$/.test(text))) return 'yes';
	if (NAME.test(field) && isId(value)) return 'nothing';
	if (text === '') return WORDS.test(field) || field === 'data' ? 'nothing' : 'unknown';
	if (WHO.test(field)) return 'nothing';
	return TIME.test(field) && (parsedTime(text) ?? 0) > EARLIEST ? 'nothing' : 'unknown';
}

/** A number, or a text without spaces and with a digit in it: INC-42, but not NOT_FOUND. */
function isId(value: unknown): boolean {
	return typeof value === 'number' ? value > 0 : /^(?=\D*\d)[^\s]+$/.test(String(value));
}

function isEmpty(body: unknown): boolean {
	if (isRecord(body)) return Object.keys(body).length === 0;
	return body === undefined || body === null || body === '';
}

function saysNo(field: string, value: unknown): boolean {
	if (ERROR.test(field)) return saysAnything(value);
	if (STATUS.test(field) && typeof value === 'number') return value >= 400 && value < 600;
	if (typeof value === 'object') return false;
	const text = plainText(value);
	const isWord = [SUCCESS, STATUS, WORDS, /^$/].some((names) => names.test(field));
	return (
		(isWord && FAILED.test(text)) ||
		((SUCCESS.test(field) || ACCEPTED.test(field)) && NO.test(text)) ||
		(field === '' && value === false)
	);
}

/** Whether an error says anything: not where all in it is nothing (`{ "count": 0 }`). */
function saysAnything(error: unknown): boolean {
	if (typeof error === 'object' && error !== null) return Object.values(error).some(saysAnything);
	return !saysNoError(error);
}

/** No saying is longer, in characters; to look at a text takes time and memory. */
const LONGEST_SAYING = 1000;

/** `IN_PROGRESS` and `InProgress` as "in progress", and the beginning of what is too long, with an ellipsis. */
function plainText(value: unknown): string {
	const text = String(value ?? '');
	const beginning = text.length > LONGEST_SAYING ? `${text.slice(0, LONGEST_SAYING)}…` : text;
	return beginning
		.replace(/([a-z])([A-Z])/g, '$1 $2')
		.replace(/[_\s]+/g, ' ')
		.trim()
		.toLowerCase();
}

/** No known field has a longer name. A list's is compared for each of its values, so it must not be long. */
const LONGEST_NAME = 100;
/** Stands for a longer one, and matches none. */
const UNKNOWN_NAME = '?';

function plainName(name: string): string {
	if (name.length > LONGEST_NAME) return UNKNOWN_NAME;
	return name.toLowerCase().replace(/[^a-z]/g, '') || name;
}
