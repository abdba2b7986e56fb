import { UserError } from 'n8n-workflow';
import type { CallContext } from '../../../transport/call';
import type { Clock } from '../../../transport/clock';
import { pendingNote } from './pendingNote';
import type { Hindrance } from './pendingNote';
import type { ScanRecord } from '../../../services/scanning/scanRecord';
import { isFinished, representative } from '../../../services/scanning/scanRecord';
import type { ListBudget } from '../../../services/scanning/listBudget';
import { listBudget } from '../../../services/scanning/listBudget';
import type { ScanService } from '../../../services/scanning/scanService';
import type { Look, SoughtScan } from './verdictLook';
import { lookForScans, lookWindows, shorterSpan } from './verdictLook';

/** A submitted scan whose verdict is awaited. */
export interface SubmittedScan extends SoughtScan {
	/** Until when to wait, in milliseconds of the transport's clock. */
	waitUntil: number;
	/** Ends the wait early. */
	signal?: AbortSignal;
}

/** What came of waiting for a verdict. */
export interface WatchOutcome {
	finished: boolean;
	/** The scan as it was last seen; `undefined` when no record was ever found to be this scan. */
	record?: ScanRecord;
	/** Why the scan is not finished as far as is known, where there is more to say than "not yet". */
	note?: string;
}

interface Waiting extends SubmittedScan {
	interval: number;
	due: number;
	record?: ScanRecord;
	resolve(outcome: WatchOutcome): void;
	reject(error: unknown): void;
}

/** First wait after a submission, in milliseconds, and how the waits grow. */
const FIRST_INTERVAL_MS = 2000;
const LONGEST_INTERVAL_MS = 30_000;
const GROWTH = 1.5;

/**
 * Looks in a row that may fail for a passing reason before the wait is given up: enough to find the
 * length of window that a service takes.
 */
const FAILED_LOOKS = 8;

/** How long after its end a wait is still worth the look that is to answer it, in milliseconds. */
const GRACE_MS = 10_000;

/**
 * Waits for the verdicts of all submitted scans of one execution together. The documented way to a
 * verdict is the list of scans, so one look at it (one call a page) answers for every scan that is
 * waiting, and no scan costs a call of its own. The looks become rarer as scans wait longer, and
 * take at most a fifth of the licensed rate. Where the list is too long for one look, or the service
 * does not give so much of it at once, the next looks take it in shorter windows of time.
 */
export class VerdictWatch {
	private readonly waiting = new Set<Waiting>();
	private looping = false;
	private failedLooks = 0;
	/** Length of the windows that the list is read in, in seconds; `undefined`: one without an end. */
	private span?: number;
	private alarm = new AbortController();
	private readonly budget: ListBudget;

	/** @param context The call context of the execution, asked anew for every call. */
	constructor(
		private readonly scans: ScanService,
		private readonly clock: Clock,
		private readonly context: () => CallContext,
	) {
		this.budget = listBudget(scans, clock);
	}

	/**
	 * Waits until the scan is finished or its time is over.
	 * @throws NodeApiError when the list cannot be read; UserError when the wait is ended early.
	 */
	async waitFor(scan: SubmittedScan): Promise<WatchOutcome> {
		const { signal } = scan;
		return await new Promise((resolve, reject) => {
			const waiting: Waiting = {
				...scan,
				interval: FIRST_INTERVAL_MS,
				due: Math.min(this.clock.now() + FIRST_INTERVAL_MS, scan.waitUntil),
				resolve: (outcome) => end(() => resolve(outcome)),
				reject: (error) => end(() => reject(error)),
			};
			const stop = () => waiting.reject(stopped(scan.scanId));
			const end = (settle: () => void) => {
				this.waiting.delete(waiting);
				signal?.removeEventListener('abort', stop);
				if (this.waiting.size === 0) this.alarm.abort();
				settle();
			};
			if (signal?.aborted) return stop();
			signal?.addEventListener('abort', stop);
			this.waiting.add(waiting);
			this.alarm.abort();
			void this.loop();
		});
	}

	private async loop(): Promise<void> {
		if (this.looping) return;
		this.looping = true;
		while (this.waiting.size > 0) {
			const scans = [...this.waiting];
			const now = this.clock.now();
			const nextLook = Math.max(
				now + this.budget.waitMs(),
				Math.min(...scans.map(({ due }) => due)),
			);
			const over = scans.filter((scan) => lastMoment(scan) <= now);
			if (nextLook <= now) {
				await this.look(scans);
			} else if (over.length > 0) {
				for (const scan of over) scan.resolve(pending(scan, {}));
			} else {
				// A scan that joins meanwhile is due earlier: it rings the alarm.
				this.alarm = new AbortController();
				const wakeAt = Math.min(nextLook, ...scans.map(lastMoment));
				await this.clock.sleep(wakeAt - now, this.alarm.signal);
			}
		}
		this.looping = false;
	}

	private async look(scans: Waiting[]): Promise<void> {
		const started = this.clock.now();
		const hindrance: Hindrance = {};
		try {
			const windows = lookWindows(scans, this.span);
			const context = () => this.lookContext(scans);
			const look = await lookForScans(this.scans, windows, context, () => this.budget.spend());
			this.failedLooks = 0;
			hindrance.cutOff = look.cutOff;
			for (const scan of scans) this.settle(scan, look);
		} catch (error) {
			hindrance.failure = (error as Error).message;
			hindrance.serverFault = statusOf(error) >= 500;
			this.failed(scans, error);
		}
		if (hindrance.cutOff || hindrance.serverFault) this.span = shorterSpan(this.span);
		for (const scan of scans) this.schedule(scan, started, hindrance);
	}

	/** A look does not outlast the waits that it is for. */
	private lookContext(scans: Waiting[]): CallContext {
		const outer = this.context();
		const lastWait = Math.max(...scans.map(({ waitUntil }) => waitUntil));
		return { ...outer, deadline: Math.min(outer.deadline ?? Infinity, lastWait + GRACE_MS) };
	}

	/** A scan known by its parts alone is not finished while a part may follow: it may be the worst. */
	private settle(scan: Waiting, { records, incomplete }: Look): void {
		const record = representative(records.get(scan.scanId) ?? [], scan.scanId);
		if (!record) return;
		scan.record = record;
		if (isFinished(record) && !incomplete.has(scan.scanId))
			scan.resolve({ finished: true, record });
	}

	/** Ends the waits when looking again cannot help. */
	private failed(scans: Waiting[], error: unknown): void {
		this.failedLooks++;
		if (!isLasting(error) && this.failedLooks < FAILED_LOOKS) return;
		this.failedLooks = 0;
		for (const scan of scans) scan.reject(error);
	}

	private schedule(scan: Waiting, lookedAt: number, hindrance: Hindrance): void {
		if (!this.waiting.has(scan)) return;
		if (lookedAt >= scan.waitUntil) {
			scan.resolve(pending(scan, hindrance));
			return;
		}
		scan.due = Math.min(this.clock.now() + scan.interval, scan.waitUntil);
		scan.interval = Math.min(scan.interval * GROWTH, LONGEST_INTERVAL_MS);
	}
}

function stopped(scanId: string): UserError {
	return new UserError('The execution was canceled while this item waited for its verdict', {
		description: `The scan goes on at the service under the ID ${scanId}.`,
	});
}

/** The status of a failed call, NaN where there was no answer. */
function statusOf(error: unknown): number {
	return Number((error as { httpCode?: unknown }).httpCode ?? undefined);
}

/** Whether asking again would get the same answer: refused as it is, for another reason than haste. */
function isLasting(error: unknown): boolean {
	const status = statusOf(error);
	return status >= 300 && status < 500 && status !== 408 && status !== 429;
}

/** When a wait ends even without a look: the license may not allow one in time. */
function lastMoment({ waitUntil }: Waiting): number {
	return waitUntil + GRACE_MS;
}

function pending(scan: Waiting, hindrance: Hindrance): WatchOutcome {
	return {
		finished: false,
		record: scan.record,
		note: pendingNote(scan.scanId, scan.record, hindrance),
	};
}
