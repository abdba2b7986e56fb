/** What services write for what is not there. */
const NOTHING =
	/^((none|nothing)( found| detected)?|null|nil|undefined|empty|false|no|n\/?a|not applicable|(e|all )?ok)?$/;

/** `0`, `0x0`, `S0000`, `E 0`, the statuses of success, `S_OK` and `ERROR_SUCCESS`. */
const CODE_OF_NONE = /^([a-z]{0,3} ?)?(0x)?0+$|^20[0124]( ok)?$|^(err(or)?|s) (success|none|ok)$/;

const NO_ERROR =
	/\b(no|without|0) ?(error|exception|issue|warning|threat)s?\b,?( (has|have|was|were))?( (found|occurred|detected|reported))?/;

const SUCCESS = /\b(success(ful|fully)?|succeeded)\b/;

/** "Done", "Scan completed", "All engines have finished", "Normal completion", and no more than that. */
const COMPLETED =
	/^((the|all|request|query|search|operation|call|file|url|e ?mail|scans?|scanning|analysis|engines?|processing|normal|was|were|has|have|been|is) )*(completed?|completion|done|finished|processed|scanned|normal|clean)$/;

/** What a sentence about a success has no reason to say. A number may be "2 of 3 shards". */
const BUT =
	/\b(no|not|without|but|except|only|un\w+|in(complete|valid)|fail\w*|err(or)?s?|exceptions?|timed? ?out|partial\w*|down|part|lost|missing|skipped|refused|denied|limit\w*|truncat\w*|abort\w*|exceed\w*|overload\w*|cannot|can't|below|cut)\b/;

/** A longer text, in characters, is an error's: to look at it takes time. */
const LONGEST = 200;

/** `NO_ERROR`, `NoError` and `no-error!` as "no error". */
function wordsOf(text: string): string {
	return text
		.replace(/([a-z])([A-Z])/g, '$1 $2')
		.replace(/[_\s-]+/g, ' ')
		.replace(/(?<![.!])[.!]+$/, '')
		.trim()
		.toLowerCase();
}

/**
 * Whether the text, number or flag of a field for an error says that there is none.
 * @param isCleared Whether a code or a flag beside it says so: then any sentence does that tells of nothing bad.
 */
export function saysNoError(value: unknown, isCleared = false): boolean {
	const text = String(value ?? '');
	if (text.length > LONGEST) return false;
	const words = wordsOf(text).replace(NO_ERROR, '').trim();
	if ([NOTHING, CODE_OF_NONE, COMPLETED].some((none) => none.test(words))) return true;
	if (BUT.test(words)) return false;
	// Of several clauses, one may be about something else.
	return isCleared || (SUCCESS.test(words) && !/\d|[,;:.]\s/.test(words));
}
