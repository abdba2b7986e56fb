import { parsedTime } from '../../../input/parsedTime';
import { isoTime } from '../../../services/console/auditLogEntry';
import type { AuditLogPage, PageCall } from '../../../services/console/auditLogPage';
import { digestOf } from '../../../services/digestOf';
import { PAGE_SIZES } from './pageSize';
import type { PageSize } from './pageSize';
import { CLOCK_STEP_MS } from './readSoFar';

/** What was found in a page. */
export interface PageFindings {
	/** Time of its last entry in milliseconds; `undefined` if reading cannot restart there. */
	position?: number;
	/** Where the reading last began or was taken up, in milliseconds; `undefined`: nowhere in time. */
	begunAt?: number;
	/** Whether it held an entry that was not known before. */
	foundNew: boolean;
	/** Whether it held an entry that this reading had not observed since it last restarted. */
	foundUnread: boolean;
	/** How many entries it held that this reading had not observed at all. */
	newlyObserved: number;
	/** How many more are wanted; `undefined`: any number, since all so far were known. */
	room: number | undefined;
	/** The console's time when it was asked for, in milliseconds. */
	askedAt: number;
	/** The same, where the console told it. */
	toldAt?: number;
	/** The latest time at which an entry may have appeared, in milliseconds. */
	newest?: number;
}

/** A page that ended the log, perhaps because the console had cut it, or left it empty. */
interface DoubtedPage {
	limit: number;
	count: number;
	askedAt: number;
}

/** Times in milliseconds. */
interface ContinuedQuery {
	since: number;
	/** Where the earlier reading stopped, if all is known that it read there. */
	stoppedAt?: number;
}

/**
 * A query, that is all pages of one `since`, that ends after so many entries may have ended at a largest
 * number of the console's own, as those of search engines do.
 */
const LONG_QUERY = 500;

/**
 * What may have made a call fail: its page token, or also its size; `refused`: or the time it begins at;
 * `tooLong` is certainly the size.
 */
export type PageFailure = 'token' | 'tokenOrSize' | 'refused' | 'tooLong';

/**
 * Decides which call comes next while a log is read towards its end. It knows tokens, positions and
 * sizes, and nothing of what an entry means.
 *
 * A call with a token repeats the `limit` and the `since` of the call that began the paging
 * (docs/interface.md); the size changes only on a call without one, which then begins at the
 * position reached. Entries at that position come again and are known.
 */
export class PageCalls {
	private call: PageCall | undefined;
	/** Digests of the tokens followed since the reading last restarted: a token may be long. */
	private readonly followed = new Set<string>();
	private position: number | undefined;
	/** The latest position reached, in milliseconds. */
	private furthest = -Infinity;
	/** Where the token of the last page leads, while a larger page is tried instead. */
	private afterPage: PageCall | undefined;
	/** While what is behind it is read. */
	private doubted: DoubtedPage | undefined;
	/** How many different entries came since it was last looked for what is behind an end. */
	private observedSinceLook = 0;
	/** A query of which an earlier reading has read as much as it could, until it is looked for what is behind. */
	private continued?: ContinuedQuery;
	/** Whether anything was found since the reading last restarted: an endless circle ends. */
	private progressed = true;
	private ended = false;
	private circled = false;

	constructor(
		begin: PageCall,
		private readonly pageSize: PageSize,
		/** Where to begin when the very first token fails. */
		private readonly since: string | undefined,
		/** As `ContinuedQuery` has it. */
		stoppedAt?: number,
	) {
		this.call = begin;
		if (begin.pageToken === undefined) return;
		this.continued = { since: parsedTime(begin.since) ?? -Infinity, stoppedAt };
	}

	get next(): PageCall | undefined {
		return this.call;
	}

	/** The call with which a later reading goes on: it does not depend on a size that is only tried. */
	get toResume(): PageCall | undefined {
		return this.afterPage ?? this.call;
	}

	get reachedEnd(): boolean {
		return this.ended;
	}

	/** Whether the tokens led back to pages already read, and no way out was found. */
	get wentInCircles(): boolean {
		return this.circled;
	}

	/** Notes the answer to `next` and moves on. */
	took(page: AuditLogPage, findings: PageFindings): void {
		const { position, foundNew, foundUnread, room } = findings;
		const call = this.call!;
		const count = page.items.length;
		// Where `since` is rounded down, a restart comes to places where the reading has been.
		this.progressed ||= foundNew || (position ?? -Infinity) > this.furthest;
		this.furthest = Math.max(this.furthest, position ?? -Infinity);
		this.position = position;
		this.observedSinceLook += findings.newlyObserved;
		this.afterPage = undefined;
		const token = page.nextPageToken;
		const isUnusable = page.unusableToken !== undefined;
		// Where reading by position brings nothing more, a short page is the last.
		const isLast = isUnusable ? !this.progressed && count < call.limit : token === undefined;
		// Both ends of a log: no token, or a token that leads to an empty page.
		const isEnd = count === 0 || isLast;
		const cameMeanwhile = this.learnFromBehind(isEnd, findings);
		if (isEnd && this.looksBehindPage(count, findings)) return;
		if (isEnd && this.looksBehindQuery(findings)) return;
		if (isEnd || cameMeanwhile) {
			this.foundEnd();
			return;
		}
		if (token === undefined || this.followed.has(digestOf(token)) || !foundUnread) {
			this.ledBack();
			return;
		}
		this.followed.add(digestOf(token));
		const afterPage = { ...call, pageToken: token };
		const mayGrow = count >= call.limit && position !== undefined && !this.doubted;
		const larger = mayGrow ? this.pageSize.grow(call.limit, room) : undefined;
		if (larger === undefined) {
			this.call = afterPage;
		} else {
			// What is out of order may be dated before the position, so a first page is read once more.
			const since = call.pageToken === undefined ? call.since : isoTime(position!);
			this.beginAt({ since, limit: larger });
			this.afterPage = afterPage;
		}
	}

	/**
	 * The pages behind a doubted one are read until something new shows that the log goes on there.
	 * @returns Whether it came meanwhile, so that all that was there before is read: a busy log may have no end.
	 */
	private learnFromBehind(isEnd: boolean, { foundNew, newest = -Infinity }: PageFindings): boolean {
		const { doubted, pageSize } = this;
		if (!doubted) return false;
		const { limit } = this.call!;
		const cameMeanwhile = foundNew && doubted.count > limit && newest >= doubted.askedAt;
		if (isEnd || cameMeanwhile) pageSize.wasWhole();
		else pageSize.wasCut(doubted.limit, limit, foundNew);
		if (isEnd && doubted.count < limit) pageSize.caughtUp();
		if (isEnd || foundNew) this.doubted = undefined;
		return cameMeanwhile;
	}

	/**
	 * A page ends the log that may be empty, or cut, because its limit is too large for the console. Looks with
	 * the first size at what is behind it, so that no change of the console stops the reading.
	 * @returns Whether there is a call for that.
	 */
	private looksBehindPage(count: number, findings: PageFindings): boolean {
		const { limit, since, pageToken } = this.call!;
		const isOrdinary = limit <= PAGE_SIZES.first || count >= limit || pageToken !== undefined;
		const from = startOfLook(findings);
		if (isOrdinary || (count > 0 && from === undefined)) return false;
		this.doubted = { limit, count, askedAt: findings.askedAt };
		this.lookFrom(from === undefined ? since : isoTime(from));
		return true;
	}

	/**
	 * So many entries were read that the console may have ended the query, and not the log. Looks with another query
	 * at what is behind: not where the query began, as what was read there before it may have been forgotten.
	 * @returns Whether there is a call for that.
	 */
	private looksBehindQuery(findings: PageFindings): boolean {
		const { since = Infinity, stoppedAt } = this.continued ?? {};
		const from = startOfLook(findings) ?? stoppedAt ?? -Infinity;
		const mayLook = from > (findings.begunAt ?? Infinity) || from === stoppedAt;
		// One that came no further than it began may itself be such a look, cut off by the end of a poll.
		const isLong = this.observedSinceLook >= LONG_QUERY || from > since + CLOCK_STEP_MS;
		if (!mayLook || !isLong) return false;
		this.lookFrom(isoTime(from));
		return true;
	}

	private lookFrom(since: string | undefined): void {
		this.observedSinceLook = 0;
		this.continued = undefined;
		this.beginAt({ since, limit: Math.min(this.pageSize.current, PAGE_SIZES.first) });
	}

	/** The answer to `next` is the end of the log. */
	foundEnd(): void {
		this.ended = true;
		this.call = undefined;
	}

	/** The token of `next` led to what was read already: also a page without a token is no end then. */
	ledBack(): void {
		this.circled = !this.restart();
	}

	/**
	 * `next` failed. Whether there is another way to go on: without the token, or with a smaller page.
	 */
	failed(failure: PageFailure): boolean {
		const call = this.call!;
		if (call.pageToken !== undefined) {
			// After a restart that led to the same page, its size may be the reason.
			if (!this.progressed && failure !== 'token') return this.restartSmaller(call.limit);
			if (failure === 'tooLong') this.pageSize.shrink(call.limit);
			return this.restart();
		}
		if (failure === 'token') return false;
		const smaller = this.pageSize.shrink(call.limit);
		if (smaller === undefined) return false;
		this.beginAt(this.afterPage ?? { ...call, limit: smaller });
		this.afterPage = undefined;
		return true;
	}

	/** Begins so many milliseconds before the time of `next`. */
	beginEarlier(milliseconds: number): void {
		const since = Date.parse(this.call!.since!) - milliseconds;
		this.afterPage = undefined;
		this.beginAt({ since: isoTime(Math.max(0, since)), limit: this.pageSize.current });
	}

	/** Begins at another time, if the call that is next begins at one. */
	beginElsewhere(since: string, isWanted: (before: string) => boolean): boolean {
		const before = this.call?.pageToken === undefined ? this.call?.since : undefined;
		if (before === undefined || !isWanted(before)) return false;
		this.afterPage = undefined;
		this.beginAt({ since, limit: this.pageSize.current });
		return true;
	}

	private restart(): boolean {
		const { limit } = this.call!;
		// Out of a circle of small pages, a larger one may lead.
		const mayLeave = this.progressed || this.pageSize.grow(limit) !== undefined;
		if (!mayLeave) {
			this.call = undefined;
			return false;
		}
		this.beginAtPosition();
		return true;
	}

	private restartSmaller(limit: number): boolean {
		const smaller = this.pageSize.shrink(limit);
		if (smaller === undefined) this.call = undefined;
		else this.beginAtPosition();
		return smaller !== undefined;
	}

	private beginAtPosition(): void {
		this.progressed = false;
		this.beginAt({
			since: this.position === undefined ? this.since : isoTime(this.position),
			limit: this.pageSize.current,
		});
	}

	private beginAt(call: PageCall): void {
		this.followed.clear();
		this.call = call;
	}
}

/**
 * Where to look for what is behind a page: a console may date entries a little ahead, and refuse a time to come
 * by its own clock. But not where the reading has not been: what is there may have been forgotten.
 */
function startOfLook({ position, begunAt = -Infinity, toldAt = Infinity }: PageFindings) {
	return position === undefined ? undefined : Math.max(begunAt, Math.min(position, toldAt));
}
