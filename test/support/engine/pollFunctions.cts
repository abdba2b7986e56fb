import { AsyncLocalStorage } from 'node:async_hooks';
import { isDeepStrictEqual } from 'node:util';
import type {
	IDataObject,
	INode,
	INodeExecutionData,
	IPollFunctions,
	IRun,
	IWorkflowExecuteAdditionalData,
	Workflow,
	WorkflowActivateMode,
} from 'n8n-workflow';
import { engine, intoEngine } from './engine.cts';
import { onePerProcess } from './outsideJest.cts';
import type { PersistenceMode, PollDatabase } from './pollDatabase.cts';

/**
 * Where n8n dies when a poll hands over entries. In default mode it writes the state and starts the
 * execution side by side, in no order: one can survive without the other.
 */
export type CrashPoint = 'beforeSaving' | 'stateSavedOnly' | 'executionStartedOnly';

/**
 * How an execution ends, as n8n 2.41 tells a poll that has emitted it: `deadWorker` as an error at no
 * node; the three cancellations as rejections; `never` not at all.
 */
export type Ending =
	| 'success'
	| 'error'
	| 'waiting'
	| 'deadWorker'
	| 'stopped'
	| 'timedOut'
	| 'shutdown'
	| 'never';

type DonePromise = NonNullable<Parameters<IPollFunctions['__emit']>[2]>;

/** What the poll functions need of the n8n process around them. */
export interface PollHost {
	/** False once the process was killed: nothing is written any more. */
	alive: boolean;
	database: PollDatabase;
	/** Asks for a crash at the next hand-over. */
	crashAt(point: CrashPoint): void;
	crashPoint(): CrashPoint | undefined;
	saveStaticData(workflow: Workflow): void;
	/** @returns How it ends; `undefined` where it does not start. */
	startExecution(data: INodeExecutionData[][], atActivation: boolean): Promise<Ending> | undefined;
	recordError(error: Error): void;
}

export interface PollFunctionsOptions {
	host: PollHost;
	mode: PersistenceMode;
	workflow: Workflow;
	node: INode;
	additionalData: IWorkflowExecuteAdditionalData;
	activation: WorkflowActivateMode;
	/** In default mode one set of functions, made at activation, serves all ticks. */
	kind: 'activation' | 'durableTick';
	pollBudgetMs?: number | 'absent';
	/** Whether n8n waits for the poll no longer: what it emits then changes nothing. */
	isAbandoned?: () => boolean;
}

/** min(poll timeout 45 s, lease 60 s) less 20 %, n8n's defaults. */
const DURABLE_POLL_BUDGET_MS = 36_000;

/** What is staged during one durable poll: the node's copy of the cursor, and the cursor it began with. */
interface Staged {
	snapshot: IDataObject;
	seed: IDataObject;
}

/** As in n8n one for all polls: each further one would slow every promise of the process down. */
const stagedCursor = onePerProcess('stagedCursor', () => new AsyncLocalStorage<Staged>());

/**
 * n8n-core's PollContext with the hooks that n8n gives it. The hooks reproduce
 * `getExecutePollFunctions` of n8n's trigger-execution-context.factory.js and, for durable cursors,
 * poll-cursor.service.js; both live in the n8n package, which is not a development dependency.
 */
export function createPollFunctions(options: PollFunctionsOptions): IPollFunctions {
	const { core } = engine();
	const { host, workflow, node, additionalData, activation } = options;
	const durable = options.mode === 'durable';
	let inActivation = options.kind === 'activation';

	const runPoll = async <T,>(poll: () => Promise<T>): Promise<T> => {
		try {
			if (!durable) return await poll();
			return await stagedCursor.run(openCursor(host.database, workflow, node), poll);
		} finally {
			inActivation = false;
		}
	};
	const takeStagedCursor = (): IDataObject | null => {
		const staged = stagedCursor.getStore();
		if (!staged || isDeepStrictEqual(staged.snapshot, staged.seed)) return null;
		staged.seed = structuredClone(staged.snapshot);
		return staged.seed;
	};
	const emit = (data: INodeExecutionData[][], _response?: unknown, done?: DonePromise): void => {
		const crash = host.crashPoint();
		if (crash === 'beforeSaving') host.alive = false;
		const cursor = takeStagedCursor();
		if (crash !== 'executionStartedOnly') host.saveStaticData(workflow);
		if (crash === 'stateSavedOnly') host.alive = false;
		// n8n has given the tick to nobody else only while it waits for the poll.
		const isFenced = cursor !== null && options.isAbandoned?.() === true;
		// With durable cursors one transaction holds the cursor and the execution.
		if (cursor !== null && host.alive && !isFenced) host.database.writeCursor(node.id, cursor);
		const ending = isFenced ? undefined : host.startExecution(data, inActivation);
		if (crash !== undefined) host.alive = false;
		if (done) void tell(done, ending, host, node.name);
	};
	const commitCursor = async (): Promise<void> => {
		const cursor = takeStagedCursor();
		if (cursor !== null && host.alive) host.database.writeCursor(node.id, cursor);
	};

	const budget =
		options.pollBudgetMs ?? (options.kind === 'durableTick' ? DURABLE_POLL_BUDGET_MS : undefined);
	const context = new core.PollContext(
		workflow,
		node,
		additionalData,
		'trigger',
		activation,
		emit,
		(error) => host.recordError(error),
		commitCursor,
		runPoll,
		() => stagedCursor.getStore()?.snapshot ?? workflow.getStaticData('node', node),
		typeof budget === 'number' ? () => budget : undefined,
	);
	if (budget === 'absent') Reflect.deleteProperty(context, 'getPollBudgetMs');
	return context;
}

/** The first durable poll of a node takes over what default mode had stored for it. */
function openCursor(database: PollDatabase, workflow: Workflow, node: INode): Staged {
	const known = database.readCursor(node.id);
	if (known === undefined) database.writeCursor(node.id, workflow.getStaticData('node', node));
	const cursor = intoEngine(database.readCursor(node.id) ?? {});
	return { snapshot: structuredClone(cursor), seed: cursor };
}

/** Settles the promise of an emit as n8n does, once the execution has ended. */
async function tell(
	done: DonePromise,
	ending: Promise<Ending> | undefined,
	host: PollHost,
	trigger: string,
): Promise<void> {
	const { workflow } = engine();
	const ended = await ending;
	if (ended === 'never') return;
	// The promise is gone with its process, and its poll, which ends here, reaches nothing any more.
	if (!host.alive) return done.resolve(undefined);
	const run = (status: string, lastNodeExecuted?: string) =>
		done.resolve({ status, data: { resultData: { runData: {}, lastNodeExecuted } } } as IRun);
	switch (ended) {
		case undefined:
			return done.resolve(undefined);
		case 'stopped':
			return done.reject(new workflow.ManualExecutionCancelledError('1'));
		case 'timedOut':
			return done.reject(new workflow.TimeoutExecutionCancelledError('1'));
		case 'shutdown':
			return done.reject(new workflow.SystemShutdownExecutionCancelledError('1'));
		case 'deadWorker':
			return run('error');
		default:
			// No node follows the trigger.
			return run(ended, trigger);
	}
}
