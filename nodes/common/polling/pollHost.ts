import type { IDataObject, INodeExecutionData, IPollFunctions, IRun } from 'n8n-workflow';
import { isRecord } from '../../../transport/isRecord';
import type { Outcome } from './moveOn';
import { outcomeOfError, outcomeOfRun } from './moveOn';
import type { Progress } from './progress';
import { nodeOf, packProgress, revisionOf } from './progress';

/** Milliseconds for a poll where n8n does not tell: the shortest that it gives. */
const DEFAULT_BUDGET_MS = 36_000;

/** The same in default mode, and at an activation in all modes. */
const DEFAULT_MODE_BUDGET_MS = 300_000;

/** The same for "Fetch Test Event". */
const MANUAL_BUDGET_MS = 60_000;

const DAY_MS = 86_400_000;

/** How much longer than its timeout an execution may take, for the time it waits for a worker. */
const QUEUE_TIME_MS = 600_000;

/** What tells one trigger of this process from all others. */
export function triggerKey(context: IPollFunctions): string {
	return `${context.getWorkflow().id}:${context.getNode().id}`;
}

/** Share of a poll's time used for reading and waiting; the rest is for handing over. */
const READING_SHARE = 0.85;

/**
 * When a poll is to read no more and to wait no longer, in milliseconds since the epoch.
 * @param begun When it began.
 */
export function pollDeadline(context: IPollFunctions, begun: number): number {
	return begun + READING_SHARE * pollBudgetMs(context);
}

function pollBudgetMs(context: IPollFunctions): number {
	if (context.getMode() === 'manual') return MANUAL_BUDGET_MS;
	return context.getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS;
}

/**
 * Whether n8n stores what a poll changes also where it emits nothing: with durable cursors, whose
 * polls have a time of their own.
 */
export function storesSilentPolls(context: IPollFunctions): boolean {
	return (context.getPollBudgetMs?.() ?? DEFAULT_MODE_BUDGET_MS) < DEFAULT_MODE_BUDGET_MS;
}

const polled = new WeakSet<IPollFunctions>();

/**
 * Whether this is the poll of an activation, which must not wait for an execution: n8n starts none
 * before it has ended. n8n makes a context for each activation, and polls with it at once.
 */
export function isActivation(context: IPollFunctions): boolean {
	const isFirst = !polled.has(context);
	polled.add(context);
	return isFirst && !storesSilentPolls(context);
}

/**
 * How long an execution may take, in milliseconds, until it is taken for one of which n8n will never
 * tell: older versions forget some, and in queue mode n8n 2.41 tells of none that a timeout ended.
 */
export function longestExecutionMs(context: IPollFunctions): number {
	const timeout = Number(context.getWorkflowSettings?.().executionTimeout);
	return timeout > 0 ? Math.min(1000 * timeout + QUEUE_TIME_MS, DAY_MS) : DAY_MS;
}

export function canStartExecutions(context: IPollFunctions): boolean {
	return (
		typeof context.__emit === 'function' &&
		typeof context.helpers.createDeferredPromise === 'function'
	);
}

/**
 * Starts an execution; n8n stores with it what the poll has changed in the static data. The only
 * place that does: n8n emits what a poll returns, and tells a poll that emits itself how it ended.
 * @returns The outcome, as soon as n8n tells it. Nothing else of the execution is kept.
 */
export async function startExecution(
	context: IPollFunctions,
	items: INodeExecutionData[],
): Promise<Outcome> {
	const done = context.helpers.createDeferredPromise<IRun | undefined>();
	const outcome = done.promise.then(outcomeOfRun, outcomeOfError);
	try {
		context.__emit([items], undefined, done);
	} catch (error) {
		return outcomeOfError(error);
	}
	return await outcome;
}

const STATE_KEY = 'pollState';

/** A longer position, in characters of JSON, is not stored twice. */
const LONGEST_COPY = 7000;

/** What n8n has stored of a trigger. */
export interface StoredProgress {
	value?: unknown;
	/** Where the position is out of reach: the name that the trigger bore, and how new it is. */
	elsewhere?: { name: string; revision: number };
}

/**
 * What n8n stores for a trigger: one value under one key, since n8n notices nothing below that.
 *
 * In default mode n8n keeps a node's data under its name, and finds nothing under a new one. With
 * durable cursors it goes by the node's ID, but keeps nothing of a silent poll at activation. It keeps
 * the workflow's own data in both cases: a copy stands there, under the node's ID. In the place of a
 * long one stands only the name to look under.
 */
export class NodeStore {
	private readonly own: IDataObject;
	private readonly ofWorkflow: IDataObject;
	private readonly nodeId: string;
	private readonly name: string;
	private readonly copyKey: string;
	private readonly keepsId: boolean;

	constructor(context: IPollFunctions) {
		this.own = context.getWorkflowStaticData('node');
		this.ofWorkflow = context.getWorkflowStaticData('global');
		({ id: this.nodeId, name: this.name } = context.getNode());
		this.copyKey = `position of ${this.nodeId}`;
		this.keepsId = storesSilentPolls(context);
	}

	/** Whichever is newer; what stands under the name may be of a node that bore it before. */
	stored(scope: string): StoredProgress {
		const own = this.own[STATE_KEY];
		const copy = this.ofWorkflow[this.copyKey] as IDataObject | undefined;
		if (!copy || !hasScope(copy, scope)) return { value: own };
		const isMine = hasScope(own, scope) && nodeOf(own) === this.nodeId;
		const revision = revisionOf(copy);
		if (isMine && revisionOf(own) >= revision) return { value: own };
		const { name } = copy;
		if (typeof name !== 'string') return { value: unwatched(copy) };
		return name === this.name ? { value: own } : { elsewhere: { name, revision } };
	}

	/** One assignment: n8n stores all of it or nothing. */
	store(progress: Progress<object>): void {
		this.own[STATE_KEY] = packProgress(progress, this.nodeId) as IDataObject;
	}

	/** Where a silent poll at activation starts. */
	storeStart(progress: Progress<object>): void {
		this.store(progress);
		this.storeCopy(progress);
	}

	/** What n8n stores with an execution, to be found under a new name too. */
	storeWithExecution(progress: Progress<object>): void {
		this.store(progress);
		if (!this.keepsId) this.storeCopy(progress);
	}

	private storeCopy(progress: Progress<object>): void {
		const packed = packProgress(progress, this.nodeId);
		const isShort = JSON.stringify(packed).length <= LONGEST_COPY;
		const { scope, delivery } = packed as IDataObject;
		this.ofWorkflow[this.copyKey] = unwatched(
			isShort ? packed : { scope, delivery, name: this.name },
		);
	}

	/**
	 * Drops a copy of another scope, so that the trigger does not go back to it, and one that is not
	 * needed. Touches nothing where there is nothing: n8n stores what was touched.
	 */
	dropCopy(scope: string): void {
		if (!(this.copyKey in this.ofWorkflow)) return;
		const isNeeded = !this.keepsId || !hasScope(this.own[STATE_KEY], scope);
		if (!isNeeded || !hasScope(this.ofWorkflow[this.copyKey], scope)) {
			delete this.ofWorkflow[this.copyKey];
		}
	}
}

/** n8n watches what it gives out of static data, and stores no watched value in another place. */
function unwatched(value: unknown): IDataObject {
	return JSON.parse(JSON.stringify(value)) as IDataObject;
}

function hasScope(stored: unknown, scope: string): boolean {
	return isRecord(stored) && stored.scope === scope;
}
