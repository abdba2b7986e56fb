import type { ScanRecord } from '../../../../services/scanning/scanRecord';
import { failureField, isFinished, recordVerdict } from '../../../../services/scanning/scanRecord';
import { verdictCode } from '../../../../services/scanning/verdict';
import type { PollTime } from './pollTime';
import type { Mark, RememberedScan } from './rememberedScans';
import { PENDING, TOLD_EXACTLY, UNFINISHED, UNTOLD, codeOf, markOf } from './rememberedScans';
import { finishedSecond } from './scanIdentity';

/** How long after its end a scan may be listed without its verdict, in seconds. */
const VERDICT_WITHIN = 600;

/** What the user chose, as far as the reading goes. */
export interface WatchSettings {
	/** Whether a verdict starts the workflow; `''`: finished without one. */
	isChosen(code: string): boolean;
	/** Whether a scan that did not finish in time does. */
	tellsUnfinished: boolean;
	verdictChanges: boolean;
	/** How long after its creation a scan may finish, in seconds. */
	watchSeconds: number;
	/** Date to start from, if the user chose one, in epoch seconds. It may be yet to come. */
	startDate?: number;
	/** Most scans that one poll delivers. */
	maxScans: number;
}

/** What starts the workflow. */
export interface ScanEvent {
	event: 'finished' | 'changed' | 'unfinished';
	/** `undefined` for a scan that did not finish and is no longer listed. */
	record?: ScanRecord;
	/** Of a changed scan; `''`: it had none. */
	previousCode?: string;
	/** When the scan was created, in epoch seconds; the earliest time, where that is not known. */
	created: number;
	/** The latest time, where that is not known. */
	createdUntil?: number;
	/** Whether this is no scan, but a part of the list that the service refused. */
	isGap?: boolean;
}

/**
 * What is known of a scan once its record was read.
 * @param isOver Whether it is waited for no more.
 * @param comesAgain Whether it belongs to a batch that comes again.
 * @param hasRoom Whether many more scans can be watched.
 */
export function markAfter(
	scan: RememberedScan,
	record: ScanRecord,
	settings: WatchSettings,
	{
		time,
		isOver,
		comesAgain,
		hasRoom,
	}: { time: PollTime; isOver: boolean; comesAgain: boolean; hasRoom: boolean },
): Mark {
	const { mark } = scan;
	if (mark === UNFINISHED) return mark;
	const isLast = mark === PENDING && isOver;
	if (!isFinished(record)) return isLast ? UNFINISHED : mark;
	const finished = finishedSecond(record);
	// A batch that comes again ends where it ended, but a verdict that is there is not called unfinished.
	const isLater = finished !== undefined && finished > time.batchEnd;
	if (isLater && !isLast && !comesAgain) return mark;
	const code = recordVerdict(record)?.code ?? '';
	const after = markOf(code);
	if (codeOf(mark) !== undefined) {
		return settings.verdictChanges && !isSameVerdict(mark, after) ? after : mark;
	}
	const mayCome =
		time.surely < (finished ?? scan.to) + VERDICT_WITHIN ||
		// While an engine fails, such scans are many: to watch them all would leave no room for others.
		(!settings.isChosen('') && (hasRoom || failureField(record) === undefined));
	return code === '' && !isOver && mayCome && !comesAgain ? PENDING : after;
}

/** Whether two marks are of the same verdict, however written; only `CLN` itself is clean. */
function isSameVerdict(before: Mark, after: Mark): boolean {
	if (before === UNTOLD) return !TOLD_EXACTLY.includes(after);
	const [codeBefore, codeAfter] = [before, after].map((mark) => codeOf(mark) ?? '');
	const isAlsoClean = (codeBefore === 'CLN') === (codeAfter === 'CLN');
	return verdictCode(codeBefore) === verdictCode(codeAfter) && isAlsoClean;
}

/**
 * The event that follows from a scan's mark; `undefined` where it has not changed, or the user did not
 * choose it. One of a batch that comes again is told whatever its verdict has become meanwhile.
 */
export function eventOf(
	before: Mark,
	mark: Mark,
	settings: WatchSettings,
	comesAgain: boolean,
): Pick<ScanEvent, 'event' | 'previousCode'> | undefined {
	const code = codeOf(mark);
	const previousCode = codeOf(before);
	if (mark === before && (code === undefined || !comesAgain)) return undefined;
	if (code === undefined) return settings.tellsUnfinished ? { event: 'unfinished' } : undefined;
	const isChosen = (one: string) => comesAgain || settings.isChosen(one);
	if (previousCode === undefined) return isChosen(code) ? { event: 'finished' } : undefined;
	return isChosen(code) || isChosen(previousCode) ? { event: 'changed', previousCode } : undefined;
}
