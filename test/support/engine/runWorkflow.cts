import { randomUUID } from 'node:crypto';
import type {
	ExecutionStatus,
	IBinaryData,
	IConnections,
	INode,
	INodeExecutionData,
	IRun,
	ITaskData,
	ITaskMetadata,
	IWorkflowBase,
	NodeExecutionHint,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { createAdditionalData, forExecution } from './additionalData.cts';
import { toExecutionItems, useBinaryMode } from './binaryItems.cts';
import type { BinaryMode, InputItem } from './binaryItems.cts';
import { captureLog } from './capturedLog.cts';
import type { LogEntry } from './capturedLog.cts';
import { createVault } from './credentialVault.cts';
import type { CredentialData, CredentialVault } from './credentialVault.cts';
import { describeError } from './describedError.cts';
import type { DescribedError } from './describedError.cts';
import { asStored, engine, intoEngine } from './engine.cts';
import { loadPackage } from './loadedPackage.cts';
import type { LoadedPackage } from './loadedPackage.cts';

export { readBinary } from './binaryItems.cts';

/** An item that a node gave out, as the next node and the stored execution have it. */
export interface OutputItem {
	json: Record<string, unknown>;
	binary?: Record<string, IBinaryData>;
	pairedItem?: { item: number; input?: number } | Array<{ item: number; input?: number }> | number;
	/** The error of this item, where the node continued after it and attached it. */
	error?: DescribedError;
}

/** One run of one node. */
export interface NodeRun {
	status: ExecutionStatus | undefined;
	/** The items of each output. */
	outputs: OutputItem[][];
	/** The error that ended the node, or that it continued after by its settings. */
	error?: DescribedError;
	hints: NodeExecutionHint[];
	metadata?: ITaskMetadata;
}

/** An execution that has ended, in whatever way. */
export interface WorkflowRun {
	/** `success`, `error`, `canceled`, … */
	status: ExecutionStatus;
	/** The error that ended the execution. */
	error?: DescribedError;
	/** The runs of each node, by its name. A node that was not reached is missing. */
	nodes: Record<string, NodeRun[]>;
	/** What n8n logged meanwhile. */
	log: LogEntry[];
	/** The credentials as they are stored after the run. */
	vault: CredentialVault;
	/** The execution as n8n would write it into its database, as text. */
	stored(): string;
}

/** The run of the one node, with what concerns the execution. */
export interface SingleNodeRun extends NodeRun, Pick<WorkflowRun, 'log' | 'vault' | 'stored'> {
	/** How the execution ended: `error` only if the node did not continue after its error. */
	executionStatus: ExecutionStatus;
}

/** What a node is, as it stands in a saved workflow. */
export type NodeSettings = Pick<
	Partial<INode>,
	| 'onError'
	| 'continueOnFail'
	| 'retryOnFail'
	| 'maxTries'
	| 'waitBetweenTries'
	| 'alwaysOutputData'
	| 'executeOnce'
	| 'notes'
	| 'disabled'
>;

export interface NodeUnderTest extends NodeSettings {
	/** `contentScan`, or the full type. */
	type: string;
	/** The latest when left out. */
	typeVersion?: number;
	name?: string;
	/** Values may be expressions (`={{ … }}`); what is left out gets the node's default. */
	parameters?: Record<string, unknown>;
	/** The credential types in use; by default all that the run has. */
	credentials?: string[];
}

export interface RunOptions {
	credentials?: CredentialData;
	/** Cancels the execution, as a user's click on Stop does. */
	signal?: AbortSignal;
	/** Default `filesystem`. */
	binaryData?: BinaryMode;
	/** Folder of the built package; the repository by default. */
	packageFolder?: string;
	/** Default `manual` for one node, `trigger` when trigger items are given. */
	mode?: WorkflowExecuteMode;
}

export interface RunNodeOptions extends RunOptions {
	node: NodeUnderTest;
	/** What arrives at the node; one item without fields when left out. */
	items?: Array<InputItem | Record<string, unknown>>;
	/** The workflow's. */
	settings?: IWorkflowBase['settings'];
}

export interface RunWorkflowOptions extends RunOptions {
	/** The name of the node to start from; the workflow's own start node by default. */
	startNode?: string;
	/** What the start node gives out: the entries of a poll, say. Without it a trigger polls or waits. */
	items?: Array<InputItem | Record<string, unknown>>;
}

/** The parts of a workflow file that an execution needs. */
export interface WorkflowJson {
	id?: string;
	name?: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IWorkflowBase['settings'];
}

const INPUT_NODE = 'Input of the test';

/**
 * Runs one node of the built package in n8n's execution engine, as the second node of a workflow whose
 * first node gives out `items` (it is called `Input of the test` in expressions).
 *
 * It does not throw for an error of the node: that is in the result.
 */
export async function runNode(options: RunNodeOptions): Promise<SingleNodeRun> {
	const pack = await loadPackage(options.packageFolder);
	const {
		type,
		typeVersion,
		name = 'Node under test',
		parameters,
		credentials,
		...settings
	} = options.node;
	const fullType = pack.fullType(type);
	const vault = await createVault(pack, options.credentials ?? {});
	const node: INode = {
		id: randomUUID(),
		name,
		type: fullType,
		typeVersion: typeVersion ?? latestVersion(pack, fullType),
		position: [200, 0],
		parameters: (parameters ?? {}) as INode['parameters'],
		credentials: vault.references(credentials),
		...settings,
	};
	const input: INode = {
		id: randomUUID(),
		name: INPUT_NODE,
		type: 'n8n-nodes-base.manualTrigger',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
	const json: WorkflowJson = {
		nodes: [input, node],
		connections: { [INPUT_NODE]: { main: [[{ node: name, type: 'main', index: 0 }]] } },
		settings: options.settings,
	};
	const run = await execute(pack, vault, json, {
		...options,
		startNode: INPUT_NODE,
		items: options.items ?? [{}],
	});
	const own = run.nodes[name]?.at(-1) ?? { status: undefined, outputs: [], hints: [] };
	return {
		...own,
		...(own.error === undefined && run.error ? { error: run.error } : {}),
		executionStatus: run.status,
		log: run.log,
		vault: run.vault,
		stored: run.stored,
	};
}

/**
 * Runs a workflow, such as one of examples/, in n8n's execution engine. Nodes other than this package's
 * are known as far as standInTypes.cts has them. Every node that names a credential of a type given in
 * `credentials` gets that one, whatever id the file has.
 */
export async function runWorkflow(
	workflow: WorkflowJson,
	options: RunWorkflowOptions = {},
): Promise<WorkflowRun> {
	const pack = await loadPackage(options.packageFolder);
	const vault = await createVault(pack, options.credentials ?? {});
	const given = Object.keys(options.credentials ?? {});
	const nodes = workflow.nodes.map((node) => {
		const used = given.filter((type) => node.credentials?.[type] !== undefined);
		return { ...node, ...(used.length > 0 ? { credentials: vault.references(used) } : {}) };
	});
	return await execute(pack, vault, { ...workflow, nodes }, options);
}

function latestVersion(pack: LoadedPackage, type: string): number {
	const { description } = pack.nodeTypes.getByNameAndVersion(type);
	return Math.max(...[description.version].flat());
}

async function execute(
	pack: LoadedPackage,
	vault: CredentialVault,
	json: WorkflowJson,
	options: RunWorkflowOptions,
): Promise<WorkflowRun> {
	const n8n = engine();
	const workflowId = json.id ?? randomUUID();
	const executionId = randomUUID();
	const mode = options.mode ?? 'manual';
	const { nodes, connections, settings } = intoEngine({
		nodes: json.nodes,
		connections: json.connections,
		settings: json.settings ?? {},
	});
	const workflow = new n8n.workflow.Workflow({
		id: workflowId,
		name: json.name ?? 'Workflow of the test',
		nodes,
		connections,
		settings,
		active: false,
		nodeTypes: pack.nodeTypes,
	});
	const base: IWorkflowBase = {
		id: workflowId,
		name: workflow.name ?? '',
		nodes,
		connections,
		settings,
		active: false,
		activeVersionId: null,
		isArchived: false,
		createdAt: new Date(),
		updatedAt: new Date(),
	};
	const additionalData = forExecution(
		createAdditionalData(vault.helper, workflowId),
		executionId,
		base,
		mode,
	);
	await useBinaryMode(options.binaryData ?? 'filesystem');

	const startNode = options.startNode
		? workflow.getNode(options.startNode)
		: workflow.getStartNode();
	if (!startNode) throw new Error(`The workflow has no start node ${options.startNode ?? ''}`);
	const items = options.items
		? await toExecutionItems(options.items.map(asItem), workflowId, executionId)
		: undefined;
	const log = captureLog();
	try {
		const run = await runToEnd(workflow, startNode, items, additionalData, mode, options.signal);
		return {
			status: run.status,
			...(run.data.resultData.error ? { error: describeError(run.data.resultData.error) } : {}),
			nodes: Object.fromEntries(
				Object.entries(run.data.resultData.runData).map(([name, runs]) => [
					name,
					runs.map(nodeRun),
				]),
			),
			log: log.entries,
			vault,
			stored: () => nativeFlatted().stringify(run.data),
		};
	} finally {
		log.stop();
	}
}

function asItem(item: InputItem | Record<string, unknown>): InputItem {
	return isInputItem(item) ? item : { json: item };
}

function isInputItem(item: InputItem | Record<string, unknown>): item is InputItem {
	const names = Object.keys(item);
	const onlyItemKeys = names.every((name) => name === 'json' || name === 'binary');
	return onlyItemKeys && typeof item.json === 'object' && item.json !== null;
}

async function runToEnd(
	workflow: InstanceType<ReturnType<typeof engine>['workflow']['Workflow']>,
	startNode: INode,
	items: INodeExecutionData[] | undefined,
	additionalData: ReturnType<typeof createAdditionalData>,
	mode: WorkflowExecuteMode,
	signal: AbortSignal | undefined,
): Promise<IRun> {
	const { core, workflow: n8nWorkflow } = engine();
	// As WorkflowExecute.run builds it, with the items where n8n has one empty item.
	const data = n8nWorkflow.createRunExecutionData({
		executionData: {
			nodeExecutionStack: [
				{ node: startNode, data: { main: [items ?? [{ json: {} }]] }, source: null },
			],
		},
	});
	// A trigger passes given items on only when it is not run by hand (WorkflowExecute.executePollNode).
	const isTrigger = workflow.getPollNodes().includes(startNode) && items !== undefined;
	const execution = new core.WorkflowExecute(additionalData, isTrigger ? 'trigger' : mode, data);
	const running = execution.processRunExecutionData(workflow);
	const cancel = (): void => running.cancel();
	if (signal?.aborted) cancel();
	signal?.addEventListener('abort', cancel);
	try {
		return await running;
	} finally {
		signal?.removeEventListener('abort', cancel);
	}
}

function nodeRun(task: ITaskData): NodeRun {
	return {
		status: task.executionStatus,
		outputs: (task.data?.main ?? []).map((items) => (items ?? []).map(outputItem)),
		...(task.error ? { error: describeError(task.error) } : {}),
		hints: asStored(task.hints ?? []),
		...(task.metadata ? { metadata: asStored(task.metadata) } : {}),
	};
}

function outputItem({ error, ...item }: INodeExecutionData): OutputItem {
	return { ...asStored(item as OutputItem), ...(error ? { error: describeError(error) } : {}) };
}

/** The library that n8n writes executions with. */
function nativeFlatted(): { stringify(value: unknown): string } {
	return engine().require('flatted') as { stringify(value: unknown): string };
}
