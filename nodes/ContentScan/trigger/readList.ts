import type { NodeApiError } from 'n8n-workflow';
import { alsoFails } from '../../../transport/errors/callError';
import { failsEveryCall } from './failedPage';
import type { ContinuedList } from './polledList';
import { OVERDUE_MS } from './polledList';
import { readWindow } from './readWindow';
import type { FeedReading } from './reading/feedReading';
import type { Silence } from './silences';
import { isSilent } from './silences';

/**
 * Calls of a poll that finds the budget used up, for each minute since the list was last read, and the largest debt
 * with which it makes them, in milliseconds.
 */
const CALLS_WITHOUT_BUDGET = 2;
const LARGEST_DEBT_MS = 180_000;

/** Time that a poll keeps for its calls when it waits for the budget, in milliseconds. */
const LEAST_FOR_CALLS_MS = 5000;

/** Polls come once a minute, as far as is known of them, in milliseconds. */
const USUAL_INTERVAL_MS = 60_000;

/**
 * After so many calls a poll begins no other window: half of what the budget has for the time since the list
 * was last read, so that other triggers with the token have some too. One that is begun is read on, or it
 * would be taken as too long.
 */
function callsPerPoll({ budget, unreadOrSoughtMs }: ContinuedList): number {
	return Math.max(2, Math.floor(Math.max(USUAL_INTERVAL_MS, unreadOrSoughtMs) / 2 / budget.callMs));
}

/** A trigger that polls rarely has all the more to read, but calls of the same minute must be left for others. */
function callsWithoutBudget({ budget, unreadMs }: ContinuedList): number {
	const minutes = Math.floor(unreadMs / USUAL_INTERVAL_MS);
	const most = Math.min(CALLS_WITHOUT_BUDGET * minutes, USUAL_INTERVAL_MS / budget.callMs);
	return Math.max(CALLS_WITHOUT_BUDGET, Math.floor(most));
}

/**
 * Calls that a poll may make. It waits for the budget until shortly before its deadline. Where other triggers with
 * the token have used up more, it makes a few all the same, and the next ones wait the longer for it.
 */
async function callsAllowed(list: ContinuedList): Promise<number> {
	const { clock, deadline, budget, unreadOrSoughtMs, memory } = list;
	const wait = budget.waitMs();
	const mayMiss = unreadOrSoughtMs < OVERDUE_MS && !memory.begun.holdsPages;
	const isHopeless = wait > LARGEST_DEBT_MS && mayMiss;
	if (wait === 0) return callsPerPoll(list);
	const mayWait = clock.now() + wait < deadline - LEAST_FOR_CALLS_MS;
	if (!mayWait) return isHopeless ? 0 : callsWithoutBudget(list);
	await clock.sleep(wait);
	// Others that waited for the same moment may have been faster.
	return await callsAllowed(list);
}

/** Finds out which of two clocks is wrong, where that matters. A failure says nothing of them. */
async function lookBeyond(list: ContinuedList, reading: FeedReading): Promise<void> {
	for (const window of reading.beyondWindows) {
		if (list.clock.now() >= list.deadline) return;
		const { content, error } = await readWindow(list, window, reading);
		if (content) reading.take(window, content);
		if (content?.records.length || (error && failsEveryCall(error))) return;
	}
}

/**
 * Carries out a reading: window after window until there is nothing to look for, the calls or the
 * time of the poll are over, or the service fails. What was read before stays in the reading.
 *
 * @returns The failure that ended it, if one did: the first, where nothing could be read.
 */
export async function readList(
	list: ContinuedList,
	reading: FeedReading,
): Promise<NodeApiError | undefined> {
	const { clock, deadline, memory } = list;
	const { silences } = memory;
	memory.beginPoll();
	let left = await callsAllowed(list);
	if (silences.mustProbe && left > 0) {
		reading.probeFirst();
		silences.mustProbe = false;
	}
	/** What was silent before anything was answered: a probe tells whether that says something of it. */
	let suspect: Silence | undefined;
	let first: NodeApiError | undefined;
	// The last quarter of the time is left for the look beyond.
	const lastQuarter = deadline - (deadline - clock.now()) / 4;
	while (clock.now() < deadline) {
		if (clock.now() > lastQuarter && reading.beyondWindows.length > 0) break;
		const window = reading.nextWindow;
		// A probe is made beyond the calls: without it, a refusal could not be told from an outage.
		if (!window || (left <= 0 && window.kind !== 'probe')) break;
		const { calls, content, error, isOver, waitedMs } = await readWindow(list, window, reading);
		left -= calls;
		if (content) reading.take(window, content);
		if (suspect && reading.hasRead) {
			if (silences.saysSomething(suspect)) reading.refused(suspect.window, true);
			silences.mustProbe = true;
			suspect = undefined;
		}
		if (!error) continue;
		first ??= error;
		const isInDoubt = waitedMs !== undefined && !isOver && !content;
		const silence = isInDoubt ? { window, waitedMs } : undefined;
		if (silence && !reading.hasRead) {
			if (window.kind === 'probe') break;
			suspect = silence;
			reading.probeFirst();
			continue;
		}
		// What it was given may have been too little to say anything of the window.
		if (silence && !silences.saysSomething(silence)) return undefined;
		if (isOver || failsEveryCall(error)) {
			if (!content) reading.failed(window);
			// What fails every call says more than a silence before it.
			return reading.hasRead || failsEveryCall(error) ? error : first;
		}
		reading.refused(window, isInDoubt);
		// The next one may be silent as well: it is found out soonest behind a probe.
		if (isInDoubt) silences.mustProbe = true;
		// Where all are refused, or no connection holds, shorter ones need not be tried.
		if ((alsoFails(error) || isSilent(error)) && !reading.hasRead) reading.probeFirst();
	}
	await lookBeyond(list, reading);
	silences.mustProbe ||= suspect !== undefined;
	if (!reading.hasRead) silences.forget();
	return reading.hasRead ? undefined : first;
}
