import type { CallContext } from '../../../transport/call';
import type { Clock } from '../../../transport/clock';
import { listBudget } from '../../../services/scanning/listBudget';
import { ANSWER_WITHIN_MS } from '../../../services/scanning/scanList';
import type { ScanService } from '../../../services/scanning/scanService';
import { afterSubmission, isExpired, isLasting, isNotFound } from './lookupFailure';
import { lookUpScans, lookupWindows } from './listLookup';
import { Refusals } from './refusals';
import type { WaitRequest, WaitOutcome } from './waitingScan';
import { LAST_WORD_MS, WaitingScan } from './waitingScan';
import type { Went } from './windowLength';
import { WindowLength } from './windowLength';

/** How long a lookup that is due waits for the budget at most, in milliseconds. */
const LONGEST_BUDGET_WAIT_MS = 60_000;

/** Part of a lookup's calls that the budget has paid, at least, before the next: so they take a third at most. */
const LEAST_PAID = 0.6;

/** Scans that Get is tried with after one lookup. */
const MOST_ASKED = 10;

/** Longest time for one lookup, in milliseconds: others must not wait behind one that hangs. */
const LONGEST_LOOKUP_MS = 120_000;

/**
 * Looks up the verdicts of all scans that wait with one token in this process, whichever execution
 * submitted them: one reading of the list answers for all, and no scan costs a call of its own.
 * Lookups become rarer as scans wait longer, and stay within the budget of the token.
 */
export class VerdictLookups {
	private readonly waiting = new Set<WaitingScan>();
	private isRunning = false;
	private readonly windowLength = new WindowLength();
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
		this.windowLength.forget();
		this.refusals.forget();
		this.calls = 0;
		// The reason of the last abort holds what called it, and so all items of the execution.
		this.alarm = new AbortController();
		this.isRunning = false;
	}

	/** The scan whose execution asks for all: the one that waits longest. */
	private lead(): WaitingScan {
		return [...this.waiting].reduce((lead, one) => (one.lastMoment > lead.lastMoment ? one : lead));
	}

	private async lookUp(lead: WaitingScan): Promise<void> {
		const waiting = [...this.waiting];
		const began = this.clock.monotonic();
		const lastWord = lead.lastMoment - LAST_WORD_MS;
		const end = Math.min(lastWord, began + LONGEST_LOOKUP_MS);
		const secrets = waiting.flatMap(({ scan }) => scan.secrets ?? []);
		const windows = lookupWindows(
			waiting.map(({ listed }) => listed),
			this.windowLength.seconds,
		);
		const { scans } = lead.scan;
		const lookup = await lookUpScans(scans, windows, () => ({
			...this.callContext(lead, end),
			secrets,
		}));
		const { failure } = lookup;
		const ended = this.clock.monotonic();
		const went: Went = { lookup, began, ended, isOutOfTime: ended >= end || isExpired(failure) };
		this.windowLength.noteSilence(went);
		if (failure && lead.scan.signal?.aborted) {
			// That one execution was canceled must not cost the others their lookup: it may be their last.
			if (this.waiting.size > 0) await this.lookUp(this.lead());
			return;
		}
		for (const one of waiting) one.take(lookup, began);
		this.refusals.note(failure, began);
		const isForGood = this.refusals.areForGood(began) && !this.windowLength.canShorten(went);
		// Those in a part of the list that was read wait on.
		const isUnread = (one: WaitingScan) => !one.isOver && lookup.incomplete.has(one.listed.scanId);
		const refused = new Set(failure && isForGood ? waiting.filter(isUnread) : []);
		const unlisted = waiting.filter((one) => one.isUnlisted || refused.has(one));
		this.windowLength.goOn(went, unlisted.length > 0);
		const isAnswered = await this.askForSome(unlisted, lastWord);
		if (failure && isForGood) {
			this.refusals.forget();
			const error = afterSubmission(failure);
			// Other executions find out for themselves: theirs may be another credential.
			const lost = [...refused].filter((one) => !isAnswered && one.scan.scans === scans);
			for (const one of lost) if (!one.isOver) one.fail(error);
		}
		for (const one of waiting) if (!one.isOver) one.schedule(began);
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
		const answerWithinMs = Math.min(LONGEST_LOOKUP_MS, this.windowLength.answerWithinMs);
		return { deadline, answerWithinMs, signal, secrets, isUrgent: true, onRetry: spend };
	}

	/**
	 * Tries Get: the list may show a scan under another ID than its submission was given, or not be readable
	 * because of one that was created about the same time.
	 * @returns Whether it told anything of a scan.
	 */
	private async askForSome(unlisted: WaitingScan[], end: number): Promise<boolean> {
		const askedUntil = Math.min(end, this.clock.monotonic() + ANSWER_WITHIN_MS);
		let inTurn = unlisted.sort((a, b) => a.askedAt - b.askedAt);
		const told: string[] = [];
		while (inTurn.length > 0 && told.length < MOST_ASKED) {
			// Those whose turn does not come are the first of the next round.
			if (this.clock.monotonic() >= askedUntil || told.includes('refused')) break;
			const [first] = inTurn;
			const isSame = ({ scan }: WaitingScan) =>
				scan.scanId === first.scan.scanId && pathOfGet(scan) === pathOfGet(first.scan);
			told.push(await this.askFor(inTurn.filter(isSame), askedUntil));
			inTurn = inTurn.filter((one) => !isSame(one));
		}
		return told.includes('scan');
	}

	/** @param same All that wait for one scan: what is submitted again may be given the same ID. */
	private async askFor(same: WaitingScan[], end: number): Promise<'scan' | 'nothing' | 'refused'> {
		const [first] = same;
		const { scans, scanId } = first.scan;
		for (const one of same) one.askedAt = this.clock.monotonic();
		try {
			const call = scans.call('getScan', { scanId });
			const { body } = await scans.service.send(call, this.callContext(first, end));
			const areTaken = same.map((one) => one.takeFromGet(body));
			return areTaken.includes(true) ? 'scan' : 'nothing';
		} catch (error) {
			const others = same.filter((one) => !one.isOver);
			// That its execution was canceled must not cost the others their Get.
			if (first.isOver && others.length > 0) return await this.askFor(others, end);
			for (const one of same) {
				if (isNotFound(error)) one.onNotFound();
				else one.onGetFailed();
			}
			return isLasting(error) && !isNotFound(error) ? 'refused' : 'nothing';
		}
	}
}

/** Another credential with the same token may have another one; `undefined` for one that is not usable. */
function pathOfGet({ scans, scanId }: WaitRequest): string | undefined {
	try {
		return scans.call('getScan', { scanId }).path;
	} catch {
		return undefined;
	}
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
