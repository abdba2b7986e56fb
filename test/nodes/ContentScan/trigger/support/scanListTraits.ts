/** A scan as the model service knows it. Times are epoch seconds. */
export interface ModelScan {
	id: string;
	/** The time that the list goes by; once it has finished, perhaps that of its first verdict. */
	created: number;
	/** From when on the list shows it. */
	listed: number;
	/** Its verdicts, each from a moment on; none: it never finishes. */
	verdicts: Array<{ at: number; code: string }>;
	/** From when until when the service fails for every window that holds it. */
	failsFrom?: number;
	failsUntil?: number;
}

/** How a call fails: with a status, or without one; a 200 that is no list, or that tells an error beside a part of it. */
export type Failure = number | 'noAnswer' | 'answerCut' | 'unreachable' | 'noList' | 'partly';

/**
 * One scanning service of all that the documents allow: each trait is something that they leave open.
 * Where a value could come from stands beside it.
 */
export interface Traits {
	pageSize: number;
	/** Longer windows, in seconds, or such with more scans are refused (a collector halved its window). */
	longestWindow: number;
	mostScans: number;
	/** With what: the status of a check, of a gateway that ran out of time, or none at all. */
	refusal: Failure;
	/** Whether the last second of a window counts up to its beginning only, as `<=` on finer times does. */
	exactSeconds: boolean;
	/** The time that `start` and `end` mean: documented as that of creation, but its field is named `timestamp`. */
	goesBy: 'creation' | 'finish';
	/** `created`: a third party saw it; nobody promises it. */
	order: 'created' | 'reversed' | 'shuffled';
	/** A full URL by the description; behind a proxy often of another host or scheme; else relative. */
	next: 'absolute' | 'http' | 'innerHost' | 'relative' | 'query' | 'bareQuery';
	/** How the last page says so; or it does not, as a cursor does that can always be asked again. */
	lastPage: 'null' | 'absent' | 'empty' | 'hasMoreOnly' | 'repeats' | 'startsAgain' | 'emptyPages';
	/** A count costs a database more than a page: missing, an estimate, of the page, or of all. */
	count: 'right' | 'missing' | 'null' | 'ofPage' | 'ofAll';
	/** An integer, a digit string and a composite were seen; each may come later, the long one be gone by then. */
	ids: 'text' | 'number' | 'later' | 'composite' | 'compositeLater' | 'compositeFirst' | 'none';
	/**
	 * `created_at` of a record: the time that the list goes by; none; that of the email, some minutes
	 * earlier; that of the record, somewhat later; or without its zone.
	 */
	createdAt: 'right' | 'missing' | 'null' | 'earlier' | 'later' | 'local';
	/** How `finished_at` is written. */
	finishedAt: 'iso' | 'epoch' | 'words';
	/** A field that is not known yet. */
	unknown: 'null' | 'missing' | 'empty';
	/** The `Date` header: dropped by a proxy, or of a machine with a wrong clock, or one that stands still. */
	date:
		| 'right'
		| 'missing'
		| 'year10000'
		| 'before1970'
		| 'yearAhead'
		| 'ahead'
		| 'minutesAhead'
		| 'behind'
		| 'hoursBehind'
		| 'still';
}

export const PLAIN: Traits = {
	...{ pageSize: 100, longestWindow: Infinity, mostScans: Infinity, refusal: 400 },
	...{
		exactSeconds: false,
		goesBy: 'creation',
		order: 'created',
		next: 'absolute',
		lastPage: 'null',
		count: 'right',
	},
	...{ ids: 'text', createdAt: 'right', finishedAt: 'iso', unknown: 'null', date: 'right' },
};

/** What goes wrong with a page that comes: it is cut short, lacks a new scan, or its date is hours off. */
export const FLAWS = ['none', 'endsEarly', 'repeats', 'leavesOut', 'wrongDate'] as const;
export type PageFault = (typeof FLAWS)[number] | Failure;

export function verdictAt({ verdicts }: ModelScan, time: number): string | undefined {
	return verdicts.filter(({ at }) => at <= time).at(-1)?.code;
}

/** The times by which a scan is listed, one after the other. */
export function listTimes({ created, verdicts }: ModelScan, { goesBy }: Traits): number[] {
	return goesBy === 'finish' && verdicts.length > 0 ? [created, verdicts[0].at] : [created];
}
