import type { INodeExecutionData, IPollFunctions, IRun } from 'n8n-workflow';
import { contextNode } from '../../../transport/contextNode';
import type { Outcome } from './moveOn';
import { outcomeOfError, outcomeOfRun, ranOthers } from './moveOn';

/** Milliseconds for a poll where n8n does not tell: the shortest that it gives. */
const DEFAULT_BUDGET_MS = 36_000;

/** The same in default mode, and at an activation in all modes. */
const DEFAULT_MODE_BUDGET_MS = 300_000;

/**
 * The most at an activation: n8n counts one as failed after 84 s, and leaves it so for good. A call of a
 * trigger's first poll may have to wait for a minute, where an execution has used up all of one.
 */
const ACTIVATION_BUDGET_MS = 76_000;

/** The same for "Fetch Test Event". */
const MANUAL_BUDGET_MS = 60_000;

const DAY_MS = 86_400_000;

/** How much longer than its timeout an execution may take, for the time it waits for a worker. */
const QUEUE_TIME_MS = 600_000;

/** Writes into n8n's log, for a user. */
export function warn(context: IPollFunctions, text: string): void {
	context.logger.warn(`${context.getNode().name}: ${text}`);
}

/** Contexts that have polled. */
const polled = new WeakSet<IPollFunctions>();

/** What tells one trigger of this process from all others. */
export function triggerKey(context: IPollFunctions): string {
	return `${context.getWorkflow().id}:${contextNode(context).id}`;
}

/** Share of a poll's time used for reading and waiting; the rest is for handing over. */
const READING_SHARE = 0.85;

export interface PollTerms {
	/** When the poll is to read no more and to wait no longer, in milliseconds since the epoch. */
	deadline: number;
	/** Whether it is the poll of an activation, which must not wait for an execution: n8n starts none before it has ended. */
	isActivation: boolean;
}

/**
 * What n8n grants a poll. To be asked once in each, as it begins: an activation polls first with a
 * context that n8n has made for it.
 */
export function beginPoll(context: IPollFunctions, now: number): PollTerms {
	const isActivation = !polled.has(context) && !isScheduled(context);
	polled.add(context);
	return { deadline: now + READING_SHARE * pollBudgetMs(context, isActivation), isActivation };
}

function pollBudgetMs(context: IPollFunctions, isActivation: boolean): number {
	if (context.getMode() === 'manual') return MANUAL_BUDGET_MS;
	const given = context.getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS;
	return isActivation ? Math.min(given, ACTIVATION_BUDGET_MS) : given;
}

/** Whether n8n's scheduler runs the poll: in a context of its own, and with another time than default mode. */
export function isScheduled(context: IPollFunctions): boolean {
	return (context.getPollBudgetMs?.() ?? DEFAULT_MODE_BUDGET_MS) !== DEFAULT_MODE_BUDGET_MS;
}

/**
 * Whether n8n stores what a poll changes under the node's ID, also where it emits nothing: with durable
 * cursors. Without them the scheduler's polls too get a part of the workflow's data, which n8n watches.
 */
export function hasDurableCursor(context: IPollFunctions): boolean {
	return isScheduled(context) && !isPartOfWorkflow(context.getWorkflowStaticData('node'));
}

/** Whether static data is a part of the workflow's, which n8n watches for changes and stores as a whole. */
export function isPartOfWorkflow(staticData: object): boolean {
	return '__dataChanged' in staticData;
}

/**
 * How long an execution may take, in milliseconds, until it is taken for one of which n8n will never
 * tell: older versions forget some, and in queue mode n8n 2.41 tells of none that a timeout ended.
 * @param untold How many before it in a row n8n did not tell of. All may be waiting in a queue without
 * a worker, and run in the end: so that they are few, each is given twice the time of the one before.
 */
export function longestExecutionMs(context: IPollFunctions, untold: number): number {
	const timeout = Number(context.getWorkflowSettings?.().executionTimeout);
	const queueTime = QUEUE_TIME_MS * 2 ** untold;
	return timeout > 0 ? Math.min(1000 * timeout + queueTime, DAY_MS) : DAY_MS;
}

export function canStartExecutions(context: IPollFunctions): boolean {
	return (
		typeof context.__emit === 'function' &&
		typeof context.helpers.createDeferredPromise === 'function'
	);
}

/** What follows a node; `undefined` where n8n throws: a node far behind has a connection to one that does not exist. */
function followersOf(context: IPollFunctions, name: string): string[] | undefined {
	try {
		return context.getChildNodes(name).map((node) => node.name);
	} catch {
		return undefined;
	}
}

/** What makes it doubtful that an awaited execution worked on its batch. */
interface Doubts {
	/**
	 * Whether an end at the trigger, although nodes follow, is to be told: it may have been at the
	 * trigger's former name. If that comes twice in a row, the workflow is like that.
	 */
	doubtsEnd: boolean;
	/** Whether n8n may have started it at another node, which is followed by others. */
	hasLostItsName: () => Promise<boolean>;
}

/**
 * Starts an execution; n8n stores with it what the poll has changed in the static data. It tells how
 * the execution ended only to whoever called `__emit`, so a batch that is awaited starts here.
 * @returns The outcome, as soon as n8n tells it. Nothing else of the execution is kept.
 */
export async function startExecution(
	context: IPollFunctions,
	items: INodeExecutionData[],
	doubts?: Doubts,
): Promise<Outcome> {
	const done = context.helpers.createDeferredPromise<IRun | undefined>();
	const { name } = contextNode(context);
	const followers = doubts && followersOf(context, name);
	const trigger = doubts?.doubtsEnd && followers?.length !== 0 ? name : undefined;
	const outcome = done.promise.then((run): Outcome | Promise<Outcome> => {
		const told = outcomeOfRun(run, trigger);
		// Tools of an agent are others, too.
		const mayBeElsewhere = followers && ranOthers(run, [name, ...followers]);
		if (!mayBeElsewhere) return told;
		return doubts.hasLostItsName().then((isElsewhere) => (isElsewhere ? 'unknown' : told));
	}, outcomeOfError);
	try {
		context.__emit([items], undefined, done);
	} catch (error) {
		return outcomeOfError(error);
	}
	return await outcome;
}

/**
 * Calls back when n8n takes the batch that this poll returns, right before it stores the static data.
 * n8n takes it by emitting it from the poll's own context: the scheduler some time later. If the
 * trigger was disabled or published again meanwhile, n8n drops it silently.
 */
export function whenTaken(
	context: IPollFunctions,
	returned: INodeExecutionData[][],
	taken: () => void,
): void {
	const emit = context.__emit;
	context.__emit = (...emitted) => {
		if (emitted[0] === returned) {
			context.__emit = emit;
			taken();
		}
		emit.apply(context, emitted);
	};
}
