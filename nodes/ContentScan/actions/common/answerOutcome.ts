import { parsedTime } from '../../../../input/parsedTime';
import type { ScanRecord } from '../../../../services/scanning/scanRecord';
import { describesScan, isFinished, recordVerdict } from '../../../../services/scanning/scanRecord';
import { isRecord } from '../../../../transport/isRecord';

/** What an answer with a status of success says of an operation. */
export type AnswerOutcome = 'done' | 'failed' | 'unclear';

/** What a part of an answer says: the first of these that is found in it counts. */
const OUTCOMES = {
	no: 'failed',
	doubt: 'unclear',
	/** A flag that is `true`. */
	sure: 'done',
	open: 'unclear',
	/** A word such as "released", and nothing else. */
	word: 'done',
} as const;
type Sign = keyof typeof OUTCOMES;
const SIGNS = Object.keys(OUTCOMES) as Sign[];

/** Fields that say yes or no to the call as a whole. */
const SUCCESS = /^(is|was)?(success|successful|succeeded|ok|accepted)$/;
/** Fields that say yes to what was asked for; what is not done yet may be done soon. */
const DONE =
	/^(is|was|has(been)?)?(done|released|requested|completed|(verdict)?(changed|updated))$/;
const ERROR = /^(errors?|exception)$/;
/** Fields that may be about an error of something else. */
const PROBLEM = /error|fail|exception/;
const STATUS = /^(http)?status(code)?$|^code$/;
/** Fields that say it in a word, or in a sentence. */
const WORDS = /^(status|state|result|outcome|message|msg|detail|response)$/;
/** Fields that name something, and say nothing of how it went. */
const NAME =
	/^(full|root|scan|e?mail|message|request|ticket|investigation|case|job)*(ids?|uuid|key|number|url|link|ticket|e?mail|scan)$|by$/;

const NO = /^(false|no|0)$/;
const FAILED = /^(fail(ed|ure)?|error|rejected|denied|refused|forbidden|unauthorized)[.!]?$/;
/** How an answer says that there is no error. */
const NO_ERROR = /^(none|null|false|no|ok|n\/a|-|success|0+|(no|without|0) errors?\b.*)?\.?$/;
/** A whole text that says of the call that it was taken or carried out. */
const YES =
	/^((the )?(e-?mail|scan|verdict|request|release|investigation|message) )?((was|has been|is) )?((already|successfully) )?(true|yes|ok|success(ful(ly)?)?|succeeded|done|accepted|received|requested|submitted|queued( for release)?|scheduled|started|pending|in progress|new|open(ed)?|created|sent|released|changed|updated|applied|confirmed|completed?|acknowledged|processed)( successfully)?[.!]?$/;

/**
 * What the service's answer says of an operation that changes something. No form of it is published, so only the
 * plainest words count: an error or a `false` fails it, a short text such as "released" says that it was done, and
 * whatever else stands there leaves it open. An empty answer counts by its status, as does one that only names
 * things.
 * @param sent Texts of the request, which the answer may repeat: they say nothing of it.
 */
export function answerOutcome(body: unknown, sent: readonly string[] = []): AnswerOutcome {
	const signs = new Set(signsIn(body, '', { sent: new Set(sent), isTop: true }));
	const first = SIGNS.find((sign) => signs.has(sign));
	return first === undefined ? 'done' : OUTCOMES[first];
}

/** Whether the answer to a submission, which gives an ID, says plainly that it was refused. */
export function refusesSubmission(body: ScanRecord): boolean {
	// No scan has a number below 1.
	if (Number(body.scan_id) < 1) return true;
	if (describesScan(body)) return false;
	return hasNo(body);
}

interface Place {
	sent: ReadonlySet<string>;
	/** Whether it speaks of the call, and not of one of several things, or of something else. */
	isTop: boolean;
}

function signsIn(value: unknown, field: string, place: Place): Sign[] {
	if (saysNo(field, value)) return [place.isTop ? 'no' : 'doubt'];
	if (PROBLEM.test(field)) return saysAnything(value) ? ['doubt'] : [];
	if (typeof value === 'string' && place.sent.has(value.trim())) return [];
	// A list of what was done may be empty.
	if (Array.isArray(value) && value.length === 0) return [DONE.test(field) ? 'doubt' : 'open'];
	if (typeof value !== 'object' || value === null) return signsInLeaf(value, field, place);
	if (field === '' && isRecord(value) && hasVerdictSent(value, place)) return ['sure'];
	// What has failed in the record of a scan may be a part of the scan.
	const isTop = place.isTop && field === '' && isRecord(value) && !describesScan(value);
	return Object.entries(value).flatMap(([name, part]) =>
		signsIn(part, isRecord(value) ? plainName(name) : field, { ...place, isTop }),
	);
}

/** The record of the finished scan has the verdict that it was to have: a request that is repeated is none. */
function hasVerdictSent(body: ScanRecord, { sent, isTop }: Place): boolean {
	const { code = '' } = recordVerdict(body) ?? {};
	return isTop && isFinished(body) && sent.has(code) && !hasNo(body);
}

function signsInLeaf(value: unknown, field: string, { isTop }: Place): Sign[] {
	const text = plainText(value);
	const isFlag = SUCCESS.test(field) || DONE.test(field);
	const mayTell = isFlag || STATUS.test(field) || WORDS.test(field) || field === '';
	if (isFlag && (text === '' || value === 0)) return ['doubt'];
	if (text === '') return [];
	if (SUCCESS.test(field) && text === '1') return ['word'];
	if (value === true) return [mayTell ? 'sure' : 'open'];
	if (value === false) return [mayTell ? 'doubt' : 'open'];
	if (mayTell && YES.test(text)) return ['word'];
	if (NAME.test(field)) return [];
	// Among several things a time may be of what failed; another number may count what failed.
	const saysNothing =
		parsedTime(text) !== undefined || (STATUS.test(field) && /^2\d\d$/.test(text));
	return saysNothing && isTop ? [] : ['open'];
}

function hasNo(body: ScanRecord): boolean {
	return Object.entries(body).some(([name, value]) => saysNo(plainName(name), value));
}

function saysNo(field: string, value: unknown): boolean {
	if (ERROR.test(field)) return saysAnything(value);
	if (STATUS.test(field) && typeof value === 'number') return value >= 400 && value < 600;
	if (typeof value === 'object') return false;
	const text = plainText(value);
	const isWord = [SUCCESS, STATUS, WORDS, /^$/].some((names) => names.test(field));
	return (
		(isWord && FAILED.test(text)) ||
		(SUCCESS.test(field) && NO.test(text)) ||
		(field === '' && value === false)
	);
}

/** Whether an error says anything: not where all in it is nothing (`{ "count": 0 }`). */
function saysAnything(error: unknown): boolean {
	if (typeof error === 'object' && error !== null) return Object.values(error).some(saysAnything);
	return !NO_ERROR.test(plainText(error));
}

/** `IN_PROGRESS` and `InProgress` as "in progress". */
function plainText(value: unknown): string {
	return String(value ?? '')
		.replace(/([a-z])([A-Z])/g, '$1 $2')
		.replace(/[_\s]+/g, ' ')
		.trim()
		.toLowerCase();
}

function plainName(name: string): string {
	return name.toLowerCase().replace(/[^a-z]/g, '') || name;
}
