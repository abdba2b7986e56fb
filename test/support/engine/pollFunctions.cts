import { AsyncLocalStorage } from 'node:async_hooks';
import { isDeepStrictEqual } from 'node:util';
import type {
	IDataObject,
	INode,
	INodeExecutionData,
	IPollFunctions,
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

/** What the poll functions need of the n8n process around them. */
export interface PollHost {
	/** False once the process was killed: nothing is written any more. */
	alive: boolean;
	database: PollDatabase;
	/** Asks for a crash at the next hand-over. */
	crashAt(point: CrashPoint): void;
	crashPoint(): CrashPoint | undefined;
	saveStaticData(workflow: Workflow): void;
	startExecution(data: INodeExecutionData[][], atActivation: boolean): void;
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
	const emit = (data: INodeExecutionData[][]): void => {
		const crash = host.crashPoint();
		if (crash === 'beforeSaving') host.alive = false;
		const cursor = takeStagedCursor();
		if (crash !== 'executionStartedOnly') host.saveStaticData(workflow);
		if (crash === 'stateSavedOnly') host.alive = false;
		// With durable cursors one transaction holds the cursor and the execution.
		if (cursor !== null && host.alive) host.database.writeCursor(node.id, cursor);
		host.startExecution(data, inActivation);
		if (crash !== undefined) host.alive = false;
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
