import type { CallContext } from '../../../transport/call';
import type { Clock } from '../../../transport/clock';
import { listBudget } from '../../../services/scanning/listBudget';
import { ANSWER_WITHIN_MS } from '../../../services/scanning/scanList';
import type { ScanService } from '../../../services/scanning/scanService';
import { afterSubmission, isExpired, isLasting, isNotFound, hasNoAnswer } from './lookupFailure';
import type { Lookup } from './listLookup';
import { longerSpan, lookUpScans, lookupWindows, SHORTEST_SPAN, shorterSpan } from './listLookup';
import { Refusals } from './refusals';
import type { WaitRequest, WaitOutcome } from './waitingScan';
import { LAST_WORD_MS, WaitingScan } from './waitingScan';

/** How long a lookup that is due waits for the budget at most, in milliseconds. */
const LONGEST_BUDGET_WAIT_MS = 60_000;

/** Part of a lookup's calls that the budget has paid, at least, before the next: so they take a third at most. */
const LEAST_PAID = 0.6;

/** After so long, in milliseconds, longer windows and the usual patience are tried again: what failed may have passed. */
const TRIED_AGAIN_AFTER_MS = 300_000;

/** Scans that Get is tried with after one lookup. */
const MOST_ASKED = 10;

/** Longest time for one lookup, in milliseconds: others must not wait behind one that hangs. */
const LONGEST_LOOKUP_MS = 120_000;

/**
 * Looks up the verdicts of all scans that wait with one token in this process, whichever execution
 * submitted them: one reading of the list answers for all, and no scan costs a call of its own.
 * Lookups become rarer as scans wait longer, and stay within the budget of the token. Where the list
 * is too long for one, or the service refuses so much of it at once, the next take shorter windows, and after
 * two without any answer the shortest: longer ones again where those, though they could be read, do not show a
 * scan for a minute, and every five minutes.
 */
export class VerdictLookups {
	private readonly waiting = new Set<WaitingScan>();
	private isRunning = false;
	/** Length of the windows that the list is read in, in seconds; `undefined`: one without an end. */
	private span?: number;
	/** Since when it has that length, by the monotonic clock. */
	private spanSince = 0;
	/** Lookups that had no answer at all in time: the list may be slow, so each gives it twice as long. */
	private silent = 0;
	/** When the last of them began, by the monotonic clock. */
	private silentAt = 0;
	/** Calls that the last lookup made. */
	private calls = 0;
	private readonly refusals = new Refusals();
	/** Rings before the next lookup is due. */
	private alarm = new AbortController();

	constructor(private readonly clock: Clock) {}

	/**
	 * Waits until the scan has finished or its time is over.
	 * @throws NodeApiError when this execution cannot read the list; UserError when the wait is ended
	 * early.
	 */
	async waitFor(request: WaitRequest): Promise<WaitOutcome> {
		const scan = new WaitingScan(request, this.clock);
		if (!scan.isOver) {
			this.waiting.add(scan);
			scan.onEnd(() => {
				this.waiting.delete(scan);
				if (this.waiting.size === 0) this.alarm.abort();
			});
			this.alarm.abort();
			void this.run();
		}
		return await scan.outcome;
	}

	private async run(): Promise<void> {
		if (this.isRunning) return;
		this.isRunning = true;
		while (this.waiting.size > 0) {
			const lead = this.lead();
			const nextDue = earliestDue(this.waiting) - this.clock.monotonic();
			const budget = listBudget(lead.scan.scans, 'wait', this.clock);
			const leastPaid = Math.max(1, this.calls * LEAST_PAID) * budget.callMs;
			const patience = nextDue + Math.max(LONGEST_BUDGET_WAIT_MS, leastPaid);
			const wait = Math.max(nextDue, Math.min(budget.waitMs(), patience));
			if (wait <= 0) {
				this.calls = 0;
				await this.lookUp(lead);
			} else {
				// A scan that joins meanwhile is due earlier: it rings the alarm.
				this.alarm = new AbortController();
				await this.clock.sleep(wait, this.alarm.signal);
			}
		}
		// A passing failure may have shortened it.
		this.span = undefined;
		this.refusals.forget();
		this.silent = 0;
		this.calls = 0;
		this.isRunning = false;
	}

	/** The scan whose execution asks for all: the one that waits longest. */
	private lead(): WaitingScan {
		return [...this.waiting].reduce((lead, one) => (one.lastMoment > lead.lastMoment ? one : lead));
	}

	private async lookUp(lead: WaitingScan): Promise<void> {
		const waiting = [...this.waiting];
		const started = this.clock.monotonic();
		const lastWord = lead.lastMoment - LAST_WORD_MS;
		const end = Math.min(lastWord, started + LONGEST_LOOKUP_MS);
		const secrets = waiting.flatMap(({ scan }) => scan.secrets ?? []);
		const windows = lookupWindows(
			waiting.map(({ listed }) => listed),
			this.span,
		);
		const { scans } = lead.scan;
		const lookup = await lookUpScans(scans, windows, () => ({
			...this.callContext(lead, end),
			secrets,
		}));
		const { failure } = lookup;
		this.noteSilence(lookup, started);
		if (failure && lead.scan.signal?.aborted) {
			// That one execution was canceled must not cost the others their lookup: it may be their last.
			if (this.waiting.size > 0) await this.lookUp(this.lead());
			return;
		}
		const isOutOfTime = this.clock.monotonic() >= end || isExpired(failure);
		const areTooLong = needsShorter(lookup, isOutOfTime);
		const shorter = this.silent > 1 ? SHORTEST_SPAN : shorterSpan(this.span);
		for (const one of waiting) one.take(lookup, started);
		this.refusals.note(failure, started);
		const isRefused = failure !== undefined && this.refusals.areForGood(started);
		const isLost = isRefused && !(areTooLong && shorter !== this.span);
		// Those in a part of the list that was read wait on.
		const unread = new Set(waiting.filter(({ listed }) => lookup.incomplete.has(listed.scanId)));
		const isLostOne = (one: WaitingScan) => isLost && !one.isOver && unread.has(one);
		const unlisted = waiting.filter((one) => one.isUnlisted || isLostOne(one));
		const isDue = unlisted.length > 0 || started - this.spanSince >= TRIED_AGAIN_AFTER_MS;
		if (areTooLong) this.setSpan(shorter, started);
		// What made the windows short may have passed, and a scan be noted as created after their end.
		else if (failure ? isOutOfTime : isDue) this.setSpan(longerSpan(this.span), started);
		const isAnswered = await this.askForSome(unlisted, lastWord);
		if (isLost) {
			this.refusals.forget();
			const error = afterSubmission(failure);
			// Other executions find out for themselves: theirs may be another credential.
			const lost = isAnswered ? [] : waiting.filter(({ scan }) => scan.scans === scans);
			for (const one of lost) if (isLostOne(one)) one.fail(error);
		}
		for (const one of waiting) if (!one.isOver) one.schedule(started);
	}

	private noteSilence({ isSilent }: Lookup, at: number): void {
		// A list that answers, or breaks off, as quickly is not slow.
		const isQuick = this.clock.monotonic() - at < ANSWER_WITHIN_MS;
		if (isSilent && !isQuick) {
			this.silent++;
			this.silentAt = at;
		} else if (isQuick || at - this.silentAt >= TRIED_AGAIN_AFTER_MS) {
			this.silent = 0;
		}
	}

	private setSpan(span: number | undefined, since: number): void {
		this.span = span;
		this.spanSince = since;
	}

	/** Of no item, and bound by no item's 'Max Queue Time': the answer, or the failure, is for all. */
	private callContext({ scan }: WaitingScan, end: number): CallContext {
		const budget = listBudget(scan.scans, 'wait', this.clock);
		const spend = () => {
			budget.spend();
			this.calls++;
		};
		spend();
		const { signal, secrets } = scan;
		const deadline = this.clock.now() + end - this.clock.monotonic();
		const answerWithinMs = Math.min(LONGEST_LOOKUP_MS, ANSWER_WITHIN_MS * 2 ** this.silent);
		return { deadline, answerWithinMs, signal, secrets, isUrgent: true, onRetry: spend };
	}

	/**
	 * Tries Get: the list may show a scan under another ID than its submission was given, or not be readable
	 * because of one that was created about the same time.
	 * @returns Whether it told anything of a scan.
	 */
	private async askForSome(unlisted: WaitingScan[], end: number): Promise<boolean> {
		const askedUntil = Math.min(end, this.clock.monotonic() + ANSWER_WITHIN_MS);
		const inTurn = unlisted.sort((a, b) => a.askedAt - b.askedAt).slice(0, MOST_ASKED);
		const told: string[] = [];
		for (const one of inTurn) {
			// Those whose turn does not come are the first of the next round.
			if (this.clock.monotonic() >= askedUntil || told.includes('refused')) break;
			told.push(await this.askFor(one, askedUntil));
		}
		return told.includes('scan');
	}

	private async askFor(waiting: WaitingScan, end: number): Promise<'scan' | 'nothing' | 'refused'> {
		const { scans, scanId } = waiting.scan;
		waiting.askedAt = this.clock.monotonic();
		try {
			const call = scans.call('getScan', { scanId });
			const { body } = await scans.service.send(call, this.callContext(waiting, end));
			return waiting.takeFromGet(body) ? 'scan' : 'nothing';
		} catch (error) {
			if (isNotFound(error)) waiting.onNotFound();
			else waiting.onGetFailed();
			return isLasting(error) && !isNotFound(error) ? 'refused' : 'nothing';
		}
	}
}

/** Whether shorter windows may show more. Where the time ended among many that were read, fewer may. */
function needsShorter(lookup: Lookup, isOutOfTime: boolean): boolean {
	const { failure, incomplete, isTooLong, isSilent } = lookup;
	if (failure === undefined) return incomplete.size > 0;
	return isTooLong || (hasNoAnswer(failure) && (isSilent || !isOutOfTime));
}

const byList = new Map<string, VerdictLookups>();

/**
 * Those that this process has for a token.
 * @throws UserError when the credential's path for the list of scans is not usable.
 */
export function verdictLookupsFor(scans: ScanService, clock: Clock): VerdictLookups {
	const key = `${scans.tokenKey} ${scans.call('listScans', {}).path}`;
	const lookups = byList.get(key) ?? new VerdictLookups(clock);
	byList.set(key, lookups);
	return lookups;
}

/** Not `Math.min(...)`, which takes no more than some 125,000 arguments. */
export function earliestDue(waiting: Iterable<{ due: number }>): number {
	let earliest = Infinity;
	for (const { due } of waiting) earliest = Math.min(earliest, due);
	return earliest;
}
