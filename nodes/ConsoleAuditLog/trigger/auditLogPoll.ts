import type { IDataObject, INodeExecutionData, IPollFunctions, NodeApiError } from 'n8n-workflow';
import type { Service } from '../../../transport/call';
import type { Clock } from '../../../transport/clock';
import { systemClock } from '../../../transport/clock';
import { serverNow } from '../../../services/console/auditLog';
import { RETENTION_DAYS } from '../../../services/console/auditLogEntry';
import { connectConsole } from '../../../services/console/consoleService';
import { identified } from '../reading/entryIdentity';
import { LogReading } from '../reading/logReading';
import { newestEntries } from './newestEntries';
import { freshState } from '../reading/pollState';
import type { PollState } from '../reading/pollState';
import { DIGEST_BOUNDS } from '../reading/seenDigests';
import { readLog } from './readLog';
import { RecentHandOvers } from './recentHandOvers';
import { TriggerPosition, triggerKey } from './triggerPosition';
import type { TriggerSettings } from './triggerSettings';
import { triggerSettings } from './triggerSettings';

/** Time for a poll where n8n does not tell its own, in milliseconds: the shortest that it gives. */
const DEFAULT_BUDGET_MS = 36_000;

/** Share of the budget used for reading; the rest is for handing over. */
const READING_SHARE = 0.85;

/** Time for "Fetch Test Event", in milliseconds. */
const MANUAL_BUDGET_MS = 60_000;

/** Polls under way in this process: n8n starts the next one whether or not the last has ended. */
const polling = new Set<string>();

/** What this process knows of triggers beyond what n8n has stored for them. */
const recentHandOvers = new Map<string, RecentHandOvers>();

function handOversOf(key: string): RecentHandOvers {
	const known = recentHandOvers.get(key) ?? new RecentHandOvers();
	recentHandOvers.set(key, known);
	return known;
}

interface Poll {
	context: IPollFunctions;
	service: Service;
	settings: TriggerSettings;
	clock: Clock;
	/** When to stop reading, in milliseconds of the clock. */
	deadline: number;
}

/**
 * One poll of the trigger: reads what is new since the stored position, stores the new position in
 * one assignment, and returns the entries.
 *
 * @returns `null` when there is nothing new, or when a poll of this node, or the storing of what it
 * handed over, is still under way.
 * @throws NodeApiError when nothing could be read. What was read before a failure is returned, and
 * the failure is thrown by the next poll if it lasts.
 */
export async function pollAuditLog(
	context: IPollFunctions,
	clock: Clock = systemClock,
): Promise<INodeExecutionData[][] | null> {
	const isManual = context.getMode() === 'manual';
	const begun = clock.now();
	const budget = isManual ? MANUAL_BUDGET_MS : pollBudgetMs(context);
	const settings = triggerSettings(context);
	const service = await connectConsole(context, settings.authentication);
	const poll: Poll = {
		context,
		service,
		settings,
		clock,
		deadline: begun + budget * READING_SHARE,
	};
	if (isManual) {
		const newest = await newestEntries(service, settings.reading, poll);
		return toItems(settings.output(identified(newest, settings.reading)));
	}
	const key = triggerKey(context);
	if (polling.has(key)) return null;
	polling.add(key);
	try {
		return await pollOnce(poll);
	} finally {
		polling.delete(key);
	}
}

/** The time that n8n gives a poll, in milliseconds; older versions do not tell it. */
function pollBudgetMs(context: IPollFunctions): number {
	return typeof context.getPollBudgetMs === 'function'
		? context.getPollBudgetMs()
		: DEFAULT_BUDGET_MS;
}

async function pollOnce(poll: Poll): Promise<INodeExecutionData[][] | null> {
	const { context, service, settings, clock } = poll;
	const { idField, timestampField } = settings.reading;
	const scope = JSON.stringify([service.origin, idField, timestampField]);
	const position = new TriggerPosition(context, settings, scope);
	const before = position.current;
	if (before === undefined) {
		position.startAt(await startingNow(poll, scope));
		return null;
	}
	const handOvers = handOversOf(triggerKey(context));
	if (handOvers.has(before, clock.now())) return null;
	handOvers.meet(before, clock.now());
	const reading = new LogReading(before, settings.reading);
	const failure = await readLog(service, reading, poll);
	const { newEntries, state } = reading;
	if (failure && newEntries.length === 0) throw failure;
	if (reading.missedRetention) sayRetention(context);
	if (newEntries.length === 0) {
		handOvers.meet(state, clock.now());
		position.moveSilently(state);
		return null;
	}
	if (failure) sayPostponed(context, failure);
	const items = toItems(settings.output(newEntries));
	handOvers.pass(clock.now());
	position.moveWithDelivery(before, state);
	return items;
}

/**
 * The position of a trigger that starts now, by the server's clock: the entries of the lookback are
 * read and remembered, so that only what appears from now on counts as new.
 */
async function startingNow(poll: Poll, scope: string): Promise<PollState> {
	const { service, settings } = poll;
	const now = await serverNow(service, poll);
	const reading = new LogReading(freshState(scope, now - settings.reading.lookbackMs), {
		...settings.reading,
		maxEntries: DIGEST_BOUNDS.all,
	});
	const failure = await readLog(service, reading, poll);
	if (failure) throw failure;
	return reading.startingAt(now);
}

/** n8n's `returnJsonArray` would take an entry that has a field `json` apart. */
function toItems(results: IDataObject[]): INodeExecutionData[][] | null {
	return results.length === 0 ? null : [results.map((json) => ({ json }))];
}

function sayRetention(context: IPollFunctions): void {
	context.logger.warn(
		`${context.getNode().name}: the place where it left off is older than the ${RETENTION_DAYS} days for which the console keeps entries. What was older than that is gone and was not read; the trigger goes on with what is there.`,
	);
}

function sayPostponed(context: IPollFunctions, failure: NodeApiError): void {
	context.logger.warn(
		`${context.getNode().name}: ${failure.message}. What was read before is handed over; the next poll goes on from there.`,
	);
}
