import { NodeApiError, UserError } from 'n8n-workflow';
import type { CallContext } from '../../../transport/call';
import type { Clock } from '../../../transport/clock';
import { failureKindOf } from '../../../transport/errors/callError';
import { isRecord } from '../../../transport/isRecord';
import { listBudget } from '../../../services/scanning/listBudget';
import { isTooLong } from '../../../services/scanning/scanList';
import type { ScanRecord } from '../../../services/scanning/scanRecord';
import {
	isFinished,
	matchStrength,
	ownId,
	recordVerdict,
	representative,
} from '../../../services/scanning/scanRecord';
import type { ScanService } from '../../../services/scanning/scanService';
import type { ListedScan, Lookup } from './listLookup';
import { lookUpScans, lookupWindows, shorterSpan } from './listLookup';
import type { WaitIssue } from './waitIssue';

/** A submitted scan whose verdict is awaited, and the execution that awaits it. */
export interface AwaitedScan extends ListedScan {
	/** Until when to wait, in milliseconds of the monotonic clock. */
	waitUntil: number;
	/** Ends the wait early. */
	signal?: AbortSignal;
	/** What must appear in no error, whichever scan a lookup is made for. */
	secrets?: string[];
	/** The service as this execution reaches it. */
	scans: ScanService;
	/** The context of its calls, made anew for each. */
	context: () => CallContext;
}

/** What came of waiting for a verdict. */
export interface WaitOutcome {
	finished: boolean;
	/** The scan's own record as it was last seen, or where `part` is set that of a harmful part. */
	record?: ScanRecord;
	part?: boolean;
	issue: WaitIssue;
}

interface Waiting extends AwaitedScan {
	interval: number;
	/** When the wait ends, whatever a lookup is doing: the service may hang. */
	lastMoment: number;
	/** When it is to be looked up next. */
	due: number;
	/** The scan's own record as it was last seen. */
	record?: ScanRecord;
	/** Since when complete lists do not show the scan itself. */
	unlistedSince?: number;
	issue: WaitIssue;
	resolve(outcome: WaitOutcome): void;
	reject(error: unknown): void;
}

/** First wait after a submission, in milliseconds, and how the waits grow. */
const FIRST_INTERVAL_MS = 2000;
const LONGEST_INTERVAL_MS = 30_000;
const GROWTH = 1.5;
const LAST_GAP_MS = 5000;

/** How long complete lists may not show a scan before Get is tried, in milliseconds. */
const UNLISTED_MS = 60_000;

/** Scans that Get is tried with after one lookup. */
const MOST_ASKED = 10;

/** Longest time for one lookup, in milliseconds: others must not wait behind one that hangs. */
const LONGEST_LOOKUP_MS = 120_000;

/** How long after its end a wait still takes the lookup that began at its end. */
function graceMs(waitMs: number): number {
	return Math.min(10_000, Math.max(1000, waitMs / 10));
}

/**
 * Waits for the verdicts of all scans that were submitted with one token in this process, whichever
 * execution submitted them. The documented way to a verdict is the list of scans, so one reading of
 * it answers for every scan that is waiting, and no scan costs a call of its own. Lookups become
 * rarer as scans wait longer, and stay within the budget of the token. Where the list is too long
 * for one lookup, or the service refuses so much of it at once, the next ones take shorter windows.
 */
export class VerdictWatch {
	private readonly waiting = new Set<Waiting>();
	private isRunning = false;
	/** Length of the windows that the list is read in, in seconds; `undefined`: one without an end. */
	private span?: number;
	private alarm = new AbortController();

	constructor(private readonly clock: Clock) {}

	/**
	 * Waits until the scan has finished or its time is over.
	 * @throws NodeApiError when this execution cannot read the list; UserError when the wait is ended
	 * early.
	 */
	async waitFor(scan: AwaitedScan): Promise<WaitOutcome> {
		const { signal } = scan;
		const now = this.clock.monotonic();
		return await new Promise((resolve, reject) => {
			const ended = new AbortController();
			const waiting: Waiting = {
				...scan,
				lastMoment: scan.waitUntil + graceMs(scan.waitUntil - now),
				interval: FIRST_INTERVAL_MS,
				due: Math.min(now + FIRST_INTERVAL_MS, scan.waitUntil),
				issue: {},
				resolve: (outcome) => end(() => resolve(outcome)),
				reject: (error) => end(() => reject(error)),
			};
			const stop = () => waiting.reject(stopped(scan.scanId));
			const end = (settle: () => void) => {
				this.waiting.delete(waiting);
				signal?.removeEventListener('abort', stop);
				ended.abort();
				if (this.waiting.size === 0) this.alarm.abort();
				settle();
			};
			if (signal?.aborted) return stop();
			signal?.addEventListener('abort', stop);
			this.waiting.add(waiting);
			const ends = this.clock.sleep(waiting.lastMoment - now, ended.signal);
			void ends.then(() => resolvePending(waiting));
			this.alarm.abort();
			void this.run();
		});
	}

	private async run(): Promise<void> {
		if (this.isRunning) return;
		this.isRunning = true;
		while (this.waiting.size > 0) {
			const lead = this.lead();
			const nextDue = earliestDue(this.waiting) - this.clock.monotonic();
			const wait = Math.max(nextDue, listBudget(lead.scans, this.clock).waitMs());
			if (wait <= 0) await this.lookUp(lead);
			else {
				// A scan that joins meanwhile is due earlier: it rings the alarm.
				this.alarm = new AbortController();
				await this.clock.sleep(wait, this.alarm.signal);
			}
		}
		// A passing failure may have shortened it.
		this.span = undefined;
		this.isRunning = false;
	}

	/** The scan whose execution asks for all: the one that waits longest. */
	private lead(): Waiting {
		return [...this.waiting].reduce((lead, one) => (one.waitUntil > lead.waitUntil ? one : lead));
	}

	private async lookUp(lead: Waiting): Promise<void> {
		const scans = [...this.waiting];
		const started = this.clock.monotonic();
		const end = Math.min(lead.lastMoment, started + LONGEST_LOOKUP_MS);
		const shorter = shorterSpan(this.span);
		let tooLong = false;
		try {
			const secrets = scans.flatMap((scan) => scan.secrets ?? []);
			const context = () => ({ ...this.pagesContext(lead, end), secrets });
			const lookup = await lookUpScans(lead.scans, lookupWindows(scans, this.span), context);
			tooLong = lookup.incomplete.size > 0;
			for (const scan of scans) this.settle(scan, lookup, started);
		} catch (error) {
			tooLong = isTooLong(error) || statusOf(error) >= 500;
			for (const scan of scans) scan.issue.failure = (error as Error).message;
			// Other executions find out for themselves: theirs may be another credential.
			if (isLasting(error) && !(tooLong && shorter !== this.span)) {
				for (const scan of scans) if (scan.scans === lead.scans) scan.reject(error);
			}
		}
		if (tooLong) this.span = shorter;
		for (const scan of this.unlisted(scans)) await this.askFor(scan, end);
		for (const scan of scans) this.schedule(scan, started);
	}

	private pagesContext({ scans, context }: Waiting, end: number): CallContext {
		listBudget(scans, this.clock).spend();
		const outer = context();
		const deadline = this.clock.now() + end - this.clock.monotonic();
		return { ...outer, deadline: Math.min(outer.deadline ?? Infinity, deadline) };
	}

	/** Takes from a lookup what it says of a scan. */
	private settle(scan: Waiting, { records, incomplete }: Lookup, now: number): void {
		const record = representative(records.get(scan.scanId) ?? [], scan.scanId);
		const isOwn = record !== undefined && matchStrength(record, scan.scanId) === 'own';
		const cutOff = incomplete.has(scan.scanId);
		scan.issue = { cutOff };
		if (record && isOwn) return this.adopt(scan, record);
		if (!scan.record) scan.issue.unseen = record ? 'parts' : 'nothing';
		if (!cutOff) scan.unlistedSince ??= now;
		// A harmful part shows the scan to be harmful; a clean one shows nothing.
		if (record && !cutOff && isHarmful(record)) {
			scan.resolve({ finished: true, record, part: true, issue: scan.issue });
		}
	}

	/** Takes a record for the scan's own. */
	private adopt(scan: Waiting, record: ScanRecord): void {
		scan.record = record;
		scan.unlistedSince = undefined;
		if (isFinished(record)) scan.resolve({ finished: true, record, issue: {} });
	}

	/** Some of those that lists, complete ones, have not shown for long. */
	private unlisted(scans: Waiting[]): Waiting[] {
		const since = this.clock.monotonic() - UNLISTED_MS;
		const unlisted = scans.filter(
			(scan) => this.waiting.has(scan) && (scan.unlistedSince ?? Infinity) <= since,
		);
		return unlisted.slice(0, MOST_ASKED);
	}

	/** Tries Get, in case the list shows the scan under another ID than its submission was given. */
	private async askFor(scan: Waiting, end: number): Promise<void> {
		scan.unlistedSince = undefined;
		try {
			const call = scan.scans.call('getScan', { scanId: scan.scanId });
			const { body } = await scan.scans.service.send(call, this.pagesContext(scan, end));
			if (!isRecord(body) || matchStrength(body, scan.scanId) === 'root') return;
			const id = ownId(body);
			// A root's ID would lead to the verdict of another scan.
			if (id === undefined) return;
			scan.issue = {};
			this.adopt(scan, body);
			scan.scanId = id;
		} catch (error) {
			if (statusOf(error) !== 404) return;
			scan.issue.unlisted = true;
			resolvePending(scan);
		}
	}

	private schedule(scan: Waiting, lookedUpAt: number): void {
		if (!this.waiting.has(scan)) return;
		if (lookedUpAt >= scan.waitUntil) return resolvePending(scan);
		const due = this.clock.monotonic() + scan.interval;
		// One shortly before the end would leave no budget for the one at the end.
		scan.due = due + LAST_GAP_MS < scan.waitUntil ? due : scan.waitUntil;
		scan.interval = Math.min(scan.interval * GROWTH, LONGEST_INTERVAL_MS);
	}
}

const watches = new Map<string, VerdictWatch>();

/**
 * The watch that this process has for a token.
 * @throws UserError when the credential's path for the list of scans is not usable.
 */
export function verdictWatchFor(scans: ScanService, clock: Clock): VerdictWatch {
	const key = `${scans.tokenKey} ${scans.call('listScans', {}).path}`;
	const watch = watches.get(key) ?? new VerdictWatch(clock);
	watches.set(key, watch);
	return watch;
}

/** Not `Math.min(...)`, which takes no more than some 125,000 arguments. */
export function earliestDue(waiting: Iterable<{ due: number }>): number {
	let earliest = Infinity;
	for (const { due } of waiting) earliest = Math.min(earliest, due);
	return earliest;
}

function resolvePending(scan: Waiting): void {
	scan.resolve({ finished: false, record: scan.record, issue: scan.issue });
}

function isHarmful(record: ScanRecord): boolean {
	const verdict = isFinished(record) ? recordVerdict(record) : undefined;
	return verdict !== undefined && verdict.word !== 'clean';
}

function stopped(scanId: string): UserError {
	return new UserError('The execution was canceled while this item waited for its verdict', {
		description: `The scan is still running under the ID ${scanId}.`,
	});
}

/** The status of a failed call, NaN where there was no answer. */
function statusOf(error: unknown): number {
	return Number((error as { httpCode?: unknown }).httpCode ?? undefined);
}

/** Whether asking again would get the same answer: no list, or refused for another reason than haste. */
function isLasting(error: unknown): boolean {
	const status = statusOf(error);
	if (error instanceof NodeApiError && failureKindOf(error) === 'wrongShape') return true;
	return status >= 300 && status < 500 && status !== 408 && status !== 429;
}
