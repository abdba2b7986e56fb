import { UserError } from 'n8n-workflow';
import { isRecord } from '../../../transport/isRecord';
import type { Clock } from '../../../transport/clock';
import type { ScanRecord } from '../../../services/scanning/scanRecord';
import {
	isFinished,
	matchStrength,
	ownId,
	recordVerdict,
} from '../../../services/scanning/scanRecord';
import type { ScanService } from '../../../services/scanning/scanService';
import type { ListedScan, Lookup } from './listLookup';
import { isOlder } from './listLookup';
import type { WaitIssue } from './waitIssue';

/** A submitted scan, and the execution that waits for its verdict. */
export interface WaitRequest extends ListedScan {
	/** Until when to wait, in milliseconds of the monotonic clock. */
	waitUntil: number;
	signal?: AbortSignal;
	/** What must appear in no error, whichever scan a lookup is made for. */
	secrets?: string[];
	/** The service as this execution reaches it. */
	scans: ScanService;
	/** Called with the scan's own record, and the ID that it was looked for under, whenever it was seen. */
	onSeen?: (listedId: string, record: ScanRecord) => void;
}

export interface WaitOutcome {
	finished: boolean;
	/** The scan's own record as it was last seen, or where `part` is set that of a harmful part. */
	record?: ScanRecord;
	part?: boolean;
	/** The ID under which the record was looked for: Get may have told another one. */
	listedId: string;
	issue: WaitIssue;
}

/** First wait after a submission, in milliseconds, and how the waits grow. */
const FIRST_INTERVAL_MS = 2000;
const LONGEST_INTERVAL_MS = 30_000;
const GROWTH = 1.5;
const LAST_GAP_MS = 5000;

/** A lookup ends so long before the wait does, in milliseconds, so that its failure is told. */
export const LAST_WORD_MS = 200;

/** How long a scan that has finished is still looked up for its verdict, in milliseconds. */
const VERDICT_WITHIN_MS = 20_000;

/** How long the list may not show a scan before Get is tried, in milliseconds. */
const UNLISTED_MS = 60_000;

/** How long after its end a wait still takes the lookup that began at its end. */
function graceMs(waitMs: number): number {
	return Math.min(10_000, Math.max(1000, waitMs / 10));
}

/** One scan that waits for its verdict: when to look it up, and what was seen of it. */
export class WaitingScan {
	readonly outcome: Promise<WaitOutcome>;

	/** When it is to be looked up next. Times are those of the monotonic clock. */
	due: number;

	/** When the wait ends, whatever a lookup is doing: the service may hang. */
	readonly lastMoment: number;

	/** When Get was last tried with it; those come first with which it was not. */
	askedAt = -1;

	private readonly ended = new AbortController();
	private resolve!: (outcome: WaitOutcome) => void;
	private reject!: (error: unknown) => void;
	private interval = FIRST_INTERVAL_MS;
	private listedId: string;
	/** The scan's own record as it was last seen. */
	private record?: ScanRecord;
	/** Since when it was seen finished, without a verdict. */
	private finishedSince?: number;
	/** Since when the list, as far as it was read, does not show the scan itself. */
	private unlistedSince = Infinity;
	/** What Get has said of the scan, where that was no verdict: it, and the list, may know more later. */
	private notFound?: WaitIssue['notFound'];
	private issue: WaitIssue = { unread: true };

	constructor(
		readonly scan: WaitRequest,
		private readonly clock: Clock,
	) {
		const now = clock.monotonic();
		const { scanId, waitUntil, signal } = scan;
		this.listedId = scanId;
		this.due = Math.min(now + FIRST_INTERVAL_MS, waitUntil);
		this.lastMoment = waitUntil + graceMs(waitUntil - now);
		this.outcome = new Promise((resolve, reject) => {
			this.resolve = resolve;
			this.reject = reject;
		});
		const stop = () => this.fail(stopped());
		signal?.addEventListener('abort', stop);
		this.onEnd(() => signal?.removeEventListener('abort', stop));
		if (signal?.aborted) stop();
		const wait = clock.sleep(this.lastMoment - now, this.ended.signal);
		void wait.then(() => this.giveUp());
	}

	get isOver(): boolean {
		return this.ended.signal.aborted;
	}

	onEnd(act: () => void): void {
		this.ended.signal.addEventListener('abort', act);
	}

	get listed(): ListedScan {
		return { ...this.scan, scanId: this.listedId };
	}

	/** Whether the list has not shown it for long. */
	get isUnlisted(): boolean {
		return !this.isOver && this.unlistedSince + UNLISTED_MS <= this.clock.monotonic();
	}

	take({ records, incomplete, failure }: Lookup, lookedUpAt: number): void {
		const record = records.get(this.listedId);
		if (record && matchStrength(record, this.listedId) === 'own') return this.takeOwn(record);
		const isIncomplete = incomplete.has(this.listedId);
		this.unlistedSince = Math.min(this.unlistedSince, lookedUpAt);
		if (isIncomplete && failure) {
			this.issue.failure = failure.message;
			return;
		}
		this.issue = { cutOff: isIncomplete, notFound: isIncomplete ? undefined : this.notFound };
		if (!this.record) this.issue.unseen = record ? 'parts' : 'nothing';
		if (isIncomplete) return;
		// A harmful part shows the scan to be harmful; a clean one shows nothing.
		if (record && hasUncleanVerdict(record)) {
			this.settle({ finished: true, record, part: true, issue: this.issue });
		}
	}

	/**
	 * Takes what Get says: the list may show the scan under another ID.
	 * @returns Whether it is of the scan.
	 */
	takeFromGet(answer: unknown): boolean {
		const isOwn = isRecord(answer) && matchStrength(answer, this.listedId) === 'own';
		if (!isOwn || isOlder(answer, this.scan.listFrom)) {
			this.onNotFound(isOwn ? 'older' : 'unknown');
			return false;
		}
		this.takeOwn(answer);
		this.listedId = ownId(answer) ?? this.listedId;
		return true;
	}

	onNotFound(why: WaitIssue['notFound'] = 'unknown'): void {
		this.notFound = why;
		const { cutOff, failure } = this.issue;
		// What was not read of the list may still show it.
		if (!cutOff && !failure && !this.record) this.issue.notFound = why;
		this.onGetFailed();
	}

	onGetFailed(): void {
		this.unlistedSince = Infinity;
	}

	/** After a lookup that began at a time: when the next one is due, if there is time for one. */
	schedule(lookedUpAt: number): void {
		const { waitUntil } = this.scan;
		const now = this.clock.monotonic();
		if (lookedUpAt >= waitUntil || now + LAST_WORD_MS >= this.lastMoment) return this.giveUp();
		const due = now + this.interval;
		// One shortly before the end would leave no budget for the one at the end.
		this.due = due + LAST_GAP_MS < waitUntil ? due : waitUntil;
		this.interval = Math.min(this.interval * GROWTH, LONGEST_INTERVAL_MS);
	}

	fail(error: unknown): void {
		this.reject(error);
		this.ended.abort();
	}

	private takeOwn(record: ScanRecord): void {
		this.record = record;
		this.scan.onSeen?.(this.listedId, record);
		this.issue = {};
		this.notFound = undefined;
		this.unlistedSince = Infinity;
		if (!isFinished(record)) {
			this.finishedSince = undefined;
			return;
		}
		if (recordVerdict(record)) return this.settle({ finished: true, record, issue: {} });
		this.issue.withoutVerdict = true;
		this.finishedSince ??= this.clock.monotonic();
		if (this.finishedSince + VERDICT_WITHIN_MS <= this.clock.monotonic()) this.giveUp();
	}

	private giveUp(): void {
		const { record, issue, finishedSince } = this;
		const finished = finishedSince !== undefined;
		this.settle({ finished, record, issue: finished ? { ...issue, withoutVerdict: true } : issue });
	}

	private settle(outcome: Omit<WaitOutcome, 'listedId'>): void {
		this.resolve({ ...outcome, listedId: this.listedId });
		this.ended.abort();
	}
}

function hasUncleanVerdict(record: ScanRecord): boolean {
	const verdict = isFinished(record) ? recordVerdict(record) : undefined;
	return verdict !== undefined && verdict.word !== 'clean';
}

function stopped(): UserError {
	return new UserError('The execution was canceled while this item waited for its verdict', {
		description: 'The scan is still running.',
	});
}
