import type { ScanRecord } from '../../../../services/scanning/scanRecord';
import { isFinished, recordVerdict } from '../../../../services/scanning/scanRecord';
import type { PollTime } from './pollTime';
import type { Mark, RememberedScan } from './rememberedScans';
import { PENDING, UNFINISHED, codeOf, markOf } from './rememberedScans';
import { finishedSecond } from './scanIdentity';

/** How long after its end a scan may be listed without its verdict, in seconds. */
const VERDICT_WITHIN = 600;

/** What the user chose, as far as the reading goes. */
export interface ReadingSettings {
	/** Whether a verdict starts the workflow; `''`: finished without one. */
	isChosen(code: string): boolean;
	/** Whether a scan that did not finish in time does. */
	tellsUnfinished: boolean;
	verdictChanges: boolean;
	/** How long after its creation a scan may finish, in seconds. */
	watchSeconds: number;
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
	/** When the scan was created, in epoch seconds. */
	created: number;
	/** Instead of a scan: the end, in epoch seconds, of a stretch of the list that the service refused. */
	refusedTo?: number;
}

/**
 * What is known of a scan once its record was read.
 * @param isOver Whether it is waited for no more.
 * @param comesAgain Whether it belongs to a batch that comes again.
 */
export function markAfter(
	scan: RememberedScan,
	record: ScanRecord,
	settings: ReadingSettings,
	{ time, isOver, comesAgain }: { time: PollTime; isOver: boolean; comesAgain: boolean },
): Mark {
	const { mark } = scan;
	if (mark === UNFINISHED) return mark;
	const finished = isFinished(record) ? finishedSecond(record) : undefined;
	// A batch that comes again ends where it ended.
	const isLater = finished !== undefined && finished > time.batchEnd && !comesAgain;
	if (!isFinished(record) || isLater) return mark === PENDING && isOver ? UNFINISHED : mark;
	const code = recordVerdict(record)?.code ?? '';
	if (mark !== PENDING) return settings.verdictChanges ? markOf(code) : mark;
	const mayCome = !settings.isChosen('') || time.earliest < (finished ?? scan.to) + VERDICT_WITHIN;
	return code === '' && !isOver && mayCome && !comesAgain ? PENDING : markOf(code);
}

/**
 * The event that follows from a scan's mark; `undefined` where it has not changed, or the user did not
 * choose it. One of a batch that comes again is told whatever its verdict has become meanwhile.
 */
export function eventOf(
	before: Mark,
	mark: Mark,
	settings: ReadingSettings,
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
