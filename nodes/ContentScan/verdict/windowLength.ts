import { ANSWER_WITHIN_MS } from '../../../services/scanning/scanList';
import { hasNoAnswer } from './lookupFailure';
import type { Lookup } from './listLookup';

/** Longest and shortest window that the list is divided into, in seconds. */
const LONGEST = 900;
const SHORTEST = 60;

/** After so long, in milliseconds, longer windows and the usual patience are tried again: what failed may have passed. */
const TRIED_AGAIN_AFTER_MS = 300_000;

/** How a lookup went. Times are in milliseconds of the monotonic clock. */
export interface Went {
	lookup: Lookup;
	began: number;
	ended: number;
	isOutOfTime: boolean;
}

/**
 * How long the windows are that the list is read in, and how long an answer may take. Where the list is too long
 * for one window, or the service refuses so much of it at once, the next are shorter, and after two lookups
 * without any answer the shortest: longer ones again where those, though they could be read, do not show all
 * scans, and every five minutes. After each lookup: `noteSilence`, `canShorten`, and `goOn` in the end.
 */
export class WindowLength {
	/** In seconds; `undefined`: one window without an end. */
	seconds?: number;

	/** Since when they have that length. */
	private since = 0;

	/** Lookups that took long and had no answer at all: the list may be slow. */
	private silent = 0;

	/** When the last of them began. */
	private silentAt = 0;

	/** In milliseconds: twice as long after each silent lookup. */
	get answerWithinMs(): number {
		return ANSWER_WITHIN_MS * 2 ** this.silent;
	}

	noteSilence({ lookup, began, ended }: Omit<Went, 'isOutOfTime'>): void {
		// A list that answers, or breaks off, as quickly is not slow.
		const isQuick = ended - began < ANSWER_WITHIN_MS;
		if (lookup.isSilent && !isQuick) {
			this.silent++;
			this.silentAt = began;
		} else if (isQuick || began - this.silentAt >= TRIED_AGAIN_AFTER_MS) {
			this.silent = 0;
		}
	}

	/** Whether shorter windows, of which there are some, may show more than such a lookup did. */
	canShorten({ lookup, isOutOfTime }: Went): boolean {
		return mayBeTooLong(lookup, isOutOfTime) && this.shorter !== this.seconds;
	}

	/** @param isMissing Whether the list, as far as it was read, does not show a scan for long. */
	goOn({ lookup, began, isOutOfTime }: Went, isMissing: boolean): void {
		const isDue = isMissing || began - this.since >= TRIED_AGAIN_AFTER_MS;
		if (mayBeTooLong(lookup, isOutOfTime)) this.set(this.shorter, began);
		// What made the windows short may have passed, and a scan be noted as created after their end.
		else if (lookup.failure ? isOutOfTime : isDue) this.set(this.longer, began);
	}

	/** As long as at first. */
	forget(): void {
		this.seconds = undefined;
		this.silent = 0;
	}

	private get shorter(): number {
		if (this.silent > 1) return SHORTEST;
		if (this.seconds === undefined) return LONGEST;
		return Math.max(SHORTEST, Math.floor(this.seconds / 2));
	}

	private get longer(): number | undefined {
		const { seconds } = this;
		return seconds === undefined || seconds * 2 > LONGEST ? undefined : seconds * 2;
	}

	private set(seconds: number | undefined, since: number): void {
		this.seconds = seconds;
		this.since = since;
	}
}

/** Whether windows were too long, as it seems. Where the time ended among many that were read, fewer may show more. */
function mayBeTooLong(lookup: Lookup, isOutOfTime: boolean): boolean {
	const { failure, incomplete, isTooLong, isSilent } = lookup;
	if (failure === undefined) return incomplete.size > 0;
	return isTooLong || (hasNoAnswer(failure) && (isSilent || !isOutOfTime));
}
