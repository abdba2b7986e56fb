import { isoTime } from '../../../services/console/auditLogEntry';
import type { AuditLogPage, PageCall } from '../../../services/console/auditLogPage';
import type { PageSize } from './pageSize';

/** What was found in a page. */
export interface PageFindings {
	/** Time of its last entry in milliseconds; `undefined` if reading cannot restart there. */
	position?: number;
	/** Whether it held an entry that was not known before. */
	foundNew: boolean;
	/** Whether it held an entry that this reading had not observed since it last restarted. */
	foundUnread: boolean;
	/** How many more entries are wanted. */
	room: number;
}

/**
 * Decides which call comes next while a log is read towards its end. It knows tokens, positions and
 * sizes, and nothing of what an entry means.
 *
 * A call with a token repeats the `limit` and the `since` of the call that began the paging
 * (interface.md, Pagination: "repeats the call"); the size changes only on a call without one, which
 * then begins at the position reached. Entries at that position come again and are known.
 */
export class PageCalls {
	private call: PageCall | undefined;
	private readonly followed = new Set<string>();
	private position: number | undefined;
	/** The call that the token of the last page asks for: the way on if a larger page is refused. */
	private behindToken: PageCall | undefined;
	/** Entries of the last page, if it held fewer than asked for. */
	private shortPage: number | undefined;
	/** Whether anything was found since reading last restarted: an endless circle ends. */
	private progressed = true;
	private ended = false;
	private circled = false;

	constructor(
		begin: PageCall,
		private readonly pageSize: PageSize,
		/** Where to begin when the very first token is refused. */
		private readonly since: string | undefined,
	) {
		this.call = begin;
	}

	get next(): PageCall | undefined {
		return this.call;
	}

	/** The call with which a later reading goes on: it does not depend on a size that is only tried. */
	get toResume(): PageCall | undefined {
		return this.triesLargerPage ? this.behindToken : this.call;
	}

	/** Whether the last page was read; otherwise more may follow. */
	get reachedEnd(): boolean {
		return this.ended;
	}

	/** Whether the tokens led back to pages already read, and no way out was found. */
	get wentInCircles(): boolean {
		return this.circled;
	}

	/** Whether `next` asks for a page size that was never answered yet. */
	get triesLargerPage(): boolean {
		const { call } = this;
		return call !== undefined && call.pageToken === undefined && this.pageSize.isTried(call.limit);
	}

	/** Notes the answer to `next` and moves on. */
	took(page: AuditLogPage, { position, foundNew, foundUnread, room }: PageFindings): void {
		const call = this.call!;
		const count = page.items.length;
		this.pageSize.answered();
		if (count > 0 && count === this.shortPage) this.pageSize.capped(count, call.limit);
		this.shortPage = count < call.limit ? count : undefined;
		this.progressed ||= foundNew || this.position !== position;
		this.position = position;
		const token = page.nextPageToken;
		// Both ends of a log: no token, or a token that leads to an empty page.
		if (count === 0 || token === undefined) {
			this.ended = true;
			this.call = undefined;
			return;
		}
		if (this.followed.has(token) || !foundUnread) {
			this.circled = !this.restart();
			return;
		}
		this.followed.add(token);
		this.behindToken = { ...call, pageToken: token };
		const isFull = count >= call.limit && position !== undefined;
		const larger = isFull ? this.pageSize.grow(call.limit, room) : undefined;
		if (larger !== undefined && larger > call.limit) {
			this.beginAt({ since: isoTime(position!), limit: larger });
		} else {
			this.call = this.behindToken;
		}
	}

	/**
	 * The service refused `next`. Whether there is another way to go on: without the token, or with
	 * a smaller page.
	 * @param tooLong Whether the answer was longer than can be read.
	 */
	refused(tooLong: boolean): boolean {
		const call = this.call!;
		if (call.pageToken === undefined) {
			if (!this.pageSize.refuse(call.limit, tooLong)) return false;
			this.beginAt(this.behindToken ?? { ...call, limit: this.pageSize.current });
			return true;
		}
		if (tooLong) this.pageSize.refuse(call.limit, true);
		return this.restart();
	}

	private restart(): boolean {
		const { limit } = this.call!;
		if (!this.progressed && this.pageSize.grow(limit) === undefined) {
			this.call = undefined;
			return false;
		}
		this.progressed = false;
		this.behindToken = undefined;
		this.beginAt({
			since: this.position === undefined ? this.since : isoTime(this.position),
			limit: this.pageSize.current,
		});
		return true;
	}

	private beginAt(call: PageCall): void {
		this.followed.clear();
		this.shortPage = undefined;
		this.call = call;
	}
}
