import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../../transport/isRecord';
import { parsedTime } from '../../input/parsedTime';
import { tellsError } from '../toldError';
import { isKnownHarmful, severityRank, verdictWord } from './verdict';
import { isAssigned, writtenId } from './writtenId';

/**
 * A scan as the service's list shows it. Its fields are known from a third party's integration
 * only, and most of them are often null, so each is read with care.
 */
export type ScanRecord = IDataObject;

/** Longer, neither a word nor a date nor a status is one: what is long takes long to look at. */
const LONGEST_FIELD = 200;

function text(value: unknown): string | undefined {
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	const written = String(value);
	return (written.length > LONGEST_FIELD ? written : written.trim()) || undefined;
}

/** The long ID, which the path of one scan takes. */
function longId({ full_scan_id }: ScanRecord): string | undefined {
	return unlessZero(writtenId(full_scan_id));
}

/** The ID of the scan that a part is of. */
export function rootId({ root_scan_id }: ScanRecord): string | undefined {
	return unlessZero(writtenId(root_scan_id));
}

/** Of a long ID, 0 stands for none. */
function unlessZero(id: string | undefined): string | undefined {
	return id === '0' ? undefined : id;
}

/** The scan's own IDs, the short one first, which the list always shows. A 0 beside another is none. */
export function ownIds(record: ScanRecord): string[] {
	const ids = [writtenId(record.id), longId(record)].filter((id) => id !== undefined);
	return ids.length > 1 ? ids.filter((id) => id !== '0') : ids;
}

/** The scan's own IDs without what stands in their place before it has got one. */
export function assignedIds(record: ScanRecord): string[] {
	return ownIds(record).filter(isAssigned);
}

/** The scan's own id: the long one, if any. */
export function ownId(record: ScanRecord): string | undefined {
	return ownIds(record).at(-1);
}

/** The id that finds this scan again, or at least the scan that it is a part of. */
export function recordId(record: ScanRecord): string | undefined {
	return assignedIds(record).at(-1) ?? rootId(record) ?? ownId(record);
}

/** Earlier than any scan: such a time stands for none, as 1970 and the year 1 do in some systems. */
export const EARLIEST = Date.UTC(2000, 0);

/** By how much more two clocks do not differ, in milliseconds. */
const DAY_MS = 24 * 3_600_000;

const MONTHS =
	'jan feb mar apr may jun jul aug sep oct nov dec january february march april june july august september october november december';
const DAYS = 'mon tue wed thu fri sat sun monday tuesday wednesday thursday friday saturday sunday';
const DATE_WORDS = `${MONTHS} ${DAYS} am pm gmt utc`.split(' ');

/** No date in words is longer, in characters; to read one takes time. */
const LONGEST_DATE = 64;

/** A date in words, in milliseconds. `Date.parse` overlooks other words: "pending since 2026-01-31". */
function writtenTime(written: string): number {
	const words = written.toLowerCase().match(/\p{L}+/gu) ?? [];
	const isDate = /\d{4}/.test(written) && /\d\D+\d/.test(written) && !/[<>?~]/.test(written);
	return isDate && words.every((word) => DATE_WORDS.includes(word)) ? Date.parse(written) : NaN;
}

/** A status that says so, and no more: ANALYSIS_COMPLETE, but not "partially complete". */
const FINISHED =
	/^((the|file|url|e-?mail|scan(ning)?|analysis|analyzing|process(ing)?|execution|evaluation|review|detonation|inspection|is|has|was|been|successfully) )*(complete|completed|finished|done)[.!]?$/i;

/** Only RUN is known from public material; these are parts of words that say of no scan that it has ended well. */
const UNFINISHED =
	/(?<![a-z])run|queu|pend|wait|start|(?<!phish)ing(?![a-z])|progress|partial|partly|incomplete|(?<![a-z])un(?!ique)|password|encrypt|too.?(large|big)|oversiz|\d ?(of|\/) ?\d|(?<![a-z])(not?|re|cannot)(?![a-z])|re.?(run|scan|try)|retr|schedul|activ|paus|defer|fail|(?<![a-z])err|except|fatal|abort|cancel|crash|kill|time.?out|timed|stop|skip|terminat|reject|lost|h[eo]ld|interrupt|drop|limit|throttl|(?<![a-z])new(?![a-z])|creat|submit|receiv|init|delay|postpon|expir|invalid|corrupt|unavail|inconcl|open|triage|prelim|interim|busy|stuck|halt|hung|dispatch|flight|degrad|broke|idle|%|(analy[sz]|execut|evaluat|detonat|review|process)(?!ed)/i;

/** What was worked out of records, each fact in a place of its own. */
const knownFacts = new WeakMap<ScanRecord, unknown[]>();
let places = 0;

/** A fact of a record that is worked out once: it is asked for many times, and hundreds of items may wait for one. */
function oncePerRecord<T>(workOut: (record: ScanRecord) => T): (record: ScanRecord) => T {
	const place = places++;
	return (record) => {
		const facts = knownFacts.get(record) ?? [];
		if (facts.length === 0) knownFacts.set(record, facts);
		if (!(place in facts)) facts[place] = workOut(record);
		return facts[place] as T;
	};
}

/** Fields by which a record may say that its scan has failed: others are about what was scanned. */
const OF_THE_SCAN =
	/^(errors?|error_?(code|message|msg|reason)|has_?errors?|is_?error|(is_?)?success(ful)?|succeeded|ok|(is_?|has_?)?failed|timed_?out|partial|incomplete)$/i;

/** The field of a record that tells an error of its scan, if there is one, whatever others say of a success. */
export const failureField = oncePerRecord((record): string | undefined =>
	Object.keys(record).find(
		(name) => OF_THE_SCAN.test(name) && tellsError({ [name]: record[name] }),
	),
);

/** Whether its status casts doubt on the end of the scan. */
const isInDoubt = oncePerRecord(({ status }) => castsDoubt(status));

function castsDoubt(value: unknown): boolean {
	if (typeof value === 'string' && value.length > LONGEST_FIELD) return true;
	const written = JSON.stringify(value ?? '');
	if (written.length > LONGEST_FIELD) return true;
	const status = written.replace(/([a-z])([A-Z])/g, '$1 $2');
	const words = status.replace(/["_\s-]+/g, ' ').trim();
	return !FINISHED.test(words) && UNFINISHED.test(status);
}

/**
 * Whether the verdict is final. The only sign known is `finished_at`: a time that has come counts,
 * and nothing else, since a running scan may bear a default verdict and any other word in that field.
 * A `status` that contradicts it is believed, but holds back no harmful verdict.
 */
export function isFinished(record: ScanRecord): boolean {
	if (!isKnownHarmful(recordVerdict(record)?.code) && isInDoubt(record)) return false;
	const time = finishedTime(record) ?? NaN;
	return time > EARLIEST && time < Date.now() + DAY_MS;
}

/** When the scan finished, in milliseconds since the epoch, if that is told as a time or as a date in words. */
export const finishedTime = oncePerRecord(({ finished_at }): number | undefined => {
	const written = text(finished_at) ?? '';
	if (written.length > LONGEST_DATE) return undefined;
	const time = parsedTime(finished_at) ?? parsedTime(written) ?? writtenTime(written);
	return Number.isNaN(time) ? undefined : time;
});

/** When a scan was created, in milliseconds since the epoch, as its record says it. */
export const createdTime = oncePerRecord(({ created_at, timestamp }): number | undefined => {
	const isSet = (time?: number) => time !== undefined && time > EARLIEST;
	return [parsedTime(created_at), parsedTime(timestamp)].find(isSet);
});

/** The same in seconds. */
export function createdSecond(record: ScanRecord): number | undefined {
	const time = createdTime(record);
	return time === undefined ? undefined : Math.floor(time / 1000);
}

/**
 * The verdict of a record, `undefined` while it has none. Beside an error `CLN` does not count: what was not
 * scanned to its end may be called clean.
 */
export const recordVerdict = oncePerRecord(
	(record): { readonly code: string; readonly word: string } | undefined => {
		const code = text(record.verbose_verdict);
		if (code === undefined || (code === 'CLN' && failureField(record))) return undefined;
		return { code, word: verdictWord(code) };
	},
);

/** The field that keeps a finished scan from being taken as clean, though its record says so. */
export function heldBackBy(record: ScanRecord): string | undefined {
	const saysClean = isFinished(record) && text(record.verbose_verdict) === 'CLN';
	return saysClean ? failureField(record) : undefined;
}

/** Whether any record has the field that tells the verdict, also where it is empty. */
export function haveVerdicts(records: ScanRecord[]): boolean {
	return records.some((record) => 'verbose_verdict' in record);
}

/**
 * What keeps the records of a page from being read as scans, if anything does: their fields are known from a third
 * party's integration only.
 */
export function listFlaw(records: ScanRecord[]): string | undefined {
	const has = (field: string) => records.some((record) => field in record);
	if (records.length === 0 || haveVerdicts(records)) return undefined;
	if (records.some(isFinished)) return "none of its finished scans has 'verbose_verdict'";
	if (has('created_at') || has('timestamp') || has('finished_at')) return undefined;
	return "none of its scans has 'created_at', 'finished_at' or 'verbose_verdict'";
}

/** Whether a record tells what only a scan has. */
export function describesScan(record: ScanRecord): boolean {
	return recordVerdict(record) !== undefined || 'finished_at' in record;
}

/** Every id that a record carries, each once. */
export function recordIds(record: ScanRecord): Set<string> {
	const root = rootId(record);
	return new Set([...ownIds(record), ...(root === undefined ? [] : [root])]);
}

/** How surely a record is the scan with this id; ids are compared as text. */
export function matchStrength(record: ScanRecord, scanId: string): 'own' | 'root' | 'none' {
	if (ownIds(record).includes(scanId)) return 'own';
	return rootId(record) === scanId ? 'root' : 'none';
}

/** How bad what a record says is: the lower, the worse. What has not finished may become anything. */
export function harmRank(record: ScanRecord): number {
	return severityRank(isFinished(record) ? recordVerdict(record)?.code : undefined);
}

/**
 * The record that stands for a scan among those that belong to it: its own, if there is one, else a
 * part (a record that names it as its root). Of several, the least finished, then the worst.
 */
export function representative(records: ScanRecord[], scanId: string): ScanRecord | undefined {
	const own = records.filter((record) => matchStrength(record, scanId) === 'own');
	const parts = records.filter((record) => matchStrength(record, scanId) === 'root');
	const candidates = own.length > 0 ? own : parts;
	const unfinished = candidates.find((record) => !isFinished(record));
	if (unfinished) return unfinished;
	const ranks = candidates.map(harmRank);
	let worst = 0;
	ranks.forEach((rank, at) => (worst = rank < ranks[worst] ? at : worst));
	return candidates[worst];
}

/** One scan as the nodes give it, whatever the operation. What is not known is null. */
export interface SimpleScan extends IDataObject {
	/** The ID that the operations take. */
	scanId: string | null;
	status: 'submitted' | 'pending' | 'finished' | null;
	/** Of a finished scan only: what it may become is no verdict. The word and the code for clean only where `clean` is true. */
	verdict: string | null;
	verdictCode: string | null;
	/** True only where the scan itself has finished with CLN; null is not known, and never safe. */
	clean: boolean | null;
	createdAt: IDataObject[string];
	finishedAt: IDataObject[string];
	names: IDataObject[string];
	sha256: IDataObject[string];
	from: IDataObject[string];
}

/** A scan of which nothing but its ID is known. */
export function unknownScan(scanId: string | null, status: SimpleScan['status']): SimpleScan {
	return {
		scanId,
		status,
		verdict: null,
		verdictCode: null,
		clean: null,
		createdAt: null,
		finishedAt: null,
		names: null,
		sha256: null,
		from: null,
	};
}

/** Null for a clean part that names only its root: that shows nothing of the scan. */
function isCleanItself(record: ScanRecord, code: string): boolean | null {
	if (code !== 'CLN') return false;
	const isNamed = assignedIds(record).length > 0 || text(record.root_scan_id) === undefined;
	return isNamed ? true : null;
}

/** The record of a scan itself in the one shape that every operation and the trigger give. */
export function simplifyScan(record: ScanRecord): SimpleScan {
	const finished = isFinished(record);
	const told = finished ? recordVerdict(record) : undefined;
	const clean = told ? isCleanItself(record, told.code) : null;
	const verdict = clean === null ? undefined : told;
	const sample = isRecord(record.sample) ? record.sample : {};
	return {
		scanId: recordId(record) ?? null,
		status: finished ? 'finished' : 'pending',
		verdict: verdict?.word ?? null,
		verdictCode: verdict?.code ?? null,
		clean,
		createdAt: record.created_at ?? null,
		finishedAt: record.finished_at ?? null,
		names: record.names ?? null,
		sha256: sample.sha256 ?? null,
		from: sample.from_address ?? null,
	};
}

/**
 * The same of the record that was found for an ID. It keeps that ID unless the scan has a long one.
 * A part never shows the scan to be clean, and a record that does not bear the ID shows nothing of it.
 */
export function simplifyFound(scanId: string, record: ScanRecord): SimpleScan {
	const scan = simplifyScan(record);
	switch (matchStrength(record, scanId)) {
		case 'own':
			return { ...scan, scanId: longId(record) ?? scanId };
		case 'root': {
			const { verdict, verdictCode } = scan.clean ? unknownScan(scanId, null) : scan;
			return { ...scan, verdict, verdictCode, scanId, clean: null };
		}
		case 'none':
			return unknownScan(scanId, null);
	}
}
