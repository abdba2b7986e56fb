import { randomUUID } from 'node:crypto';
import type { PollTriggerExecutor, ScheduledTaskManager } from 'n8n-core';
import type {
	IDataObject,
	INode,
	INodeExecutionData,
	IPollFunctions,
	IWorkflowExecuteAdditionalData,
	Workflow,
	WorkflowActivateMode,
} from 'n8n-workflow';
import { createAdditionalData, forExecution } from './additionalData.cts';
import { useBinaryMode } from './binaryItems.cts';
import { captureLog } from './capturedLog.cts';
import type { CapturedLog } from './capturedLog.cts';
import { createVault } from './credentialVault.cts';
import type { CredentialData, CredentialVault } from './credentialVault.cts';
import { CronStandIn } from './cronStandIn.cts';
import { describeError } from './describedError.cts';
import type { DescribedError } from './describedError.cts';
import { asStored, engine, intoEngine } from './engine.cts';
import { loadPackage, reloadPackage } from './loadedPackage.cts';
import type { LoadedPackage } from './loadedPackage.cts';
import { setNodeClock } from './nodeClock.cts';
import type { NodeClock } from './nodeClock.cts';
import { createPollFunctions } from './pollFunctions.cts';
import type { CrashPoint, Ending, PollHost } from './pollFunctions.cts';
import { PollDatabase } from './pollDatabase.cts';
import type { PersistenceMode, PollDatabaseContent } from './pollDatabase.cts';

export type { CrashPoint, Ending } from './pollFunctions.cts';
export type { PersistenceMode, PollDatabaseContent } from './pollDatabase.cts';

export interface PollHarnessOptions {
	/** Type (short or full), parameters and name of the polling node. */
	node: { type: string; parameters?: Record<string, unknown>; name?: string };
	credentials?: CredentialData;
	/** How n8n keeps the state. */
	mode: PersistenceMode;
	/** The time that the node sees. The real one when left out. */
	clock?: NodeClock;
	/**
	 * What `getPollBudgetMs()` answers: n8n's own figure by default (300,000 in default mode and at
	 * activation, 36,000 in a durable tick); `absent` takes the function away, as before n8n 2.38.
	 */
	pollBudgetMs?: number | 'absent';
	/**
	 * Takes each execution instead of `executions`, which then stays empty: for polls that emit more than
	 * should be kept in memory.
	 */
	onExecution?: (execution: EmittedExecution) => void;
	/** Folder of the built package; the repository by default. */
	packageFolder?: string;
}

/** An execution that a poll started. */
export interface EmittedExecution {
	/** The `json` of its items, in order. */
	items: IDataObject[];
	/** Whether the poll was that of an activation. */
	atActivation: boolean;
}

/** An error that a poll ended with: n8n records each as a failed execution. */
export interface PollError extends DescribedError {
	atActivation: boolean;
}

/** What is changed of the node; the rest stays. */
interface NodeChange {
	name?: string;
	parameters?: Record<string, unknown>;
}

/** What a tick may be told to do. */
export interface TickOptions {
	/** Kills n8n at this point of a poll that returns entries. `restart` is needed afterwards. */
	crash?: CrashPoint;
	/** Durable mode: the poll takes longer than n8n waits (45 s), so that its result is dropped. */
	abandoned?: boolean;
}

/** The answer of Fetch Test Event. */
export interface ManualRun {
	/** `null`: n8n tells the user that there is no data. */
	items: IDataObject[] | null;
	error?: DescribedError;
}

/** Makes a polling node part of an active workflow in n8n's engine. Call `close` at the end. */
export async function createPollHarness(options: PollHarnessOptions): Promise<PollHarness> {
	const pack = await loadPackage(options.packageFolder);
	const vault = await createVault(pack, options.credentials ?? {});
	await useBinaryMode('filesystem');
	return new PollHarness(options, pack, vault);
}

/** One run of the n8n process: what it holds in memory is gone with it. */
interface HostProcess extends PollHost {
	cron: CronStandIn;
	triggers: InstanceType<ReturnType<typeof engine>['core']['ActiveWorkflowTriggers']>;
	/** Polls under way. */
	polls: Set<Promise<void>>;
}

/**
 * Drives one polling node through n8n-core's ActiveWorkflowTriggers, PollTriggerExecutor and
 * PollContext. Only the clockwork and the database are the harness's own: a tick happens when a test
 * says so, and what n8n would write is kept in a PollDatabase.
 */
export class PollHarness {
	/** The executions that exist after all that has happened. */
	readonly executions: EmittedExecution[] = [];

	/** What becomes of an execution, for a node that asks. A kill of n8n ends those under way. */
	workflow: (execution: EmittedExecution) => Ending | Promise<Ending> = () => 'success';

	/** The errors of polls, in order. */
	readonly errors: PollError[] = [];

	/** n8n's log since the harness was made. */
	readonly log: CapturedLog = captureLog();

	private readonly database = new PollDatabase();

	private readonly workflowId = randomUUID();

	private readonly node: INode;

	private readonly resetClock: () => void;

	private host: HostProcess;

	constructor(
		private readonly options: PollHarnessOptions,
		private pack: LoadedPackage,
		private readonly vault: CredentialVault,
	) {
		this.node = {
			id: randomUUID(),
			name: options.node.name ?? 'Trigger under test',
			type: pack.fullType(options.node.type),
			typeVersion: 1,
			position: [0, 0],
			parameters: {
				pollTimes: { item: [{ mode: 'everyMinute' }] },
				...(options.node.parameters as INode['parameters']),
			},
			credentials: vault.references(),
		};
		this.resetClock = options.clock ? setNodeClock(options.clock) : () => {};
		this.host = this.startProcess();
	}

	/**
	 * Activates the workflow, which polls at once (in durable mode only when the node has no scheduled
	 * job yet).
	 * @throws WorkflowActivationError of n8n when that poll throws. n8n tries up to five times; this once.
	 */
	async activate(activation: WorkflowActivateMode = 'activate'): Promise<void> {
		const { host } = this;
		const workflow = this.createWorkflow();
		const additionalData = createAdditionalData(this.vault.helper, this.workflowId);
		try {
			await host.triggers.addTriggers(
				this.workflowId,
				workflow,
				[this.node.id],
				additionalData,
				'trigger',
				activation,
				() => {
					throw new Error('Only polling nodes run here');
				},
				(wf, node, data, _mode, mode) =>
					this.pollFunctions(host, wf, node, data, mode, 'activation'),
			);
		} catch (error) {
			if (host.alive) {
				this.errors.push({ ...describeError(causeOf(error)), atActivation: true });
			}
			throw error;
		} finally {
			// workflow-trigger-activator.js: after the activation, whether it succeeded or not.
			host.saveStaticData(workflow);
		}
	}

	/** Ends the registration: polls under way are superseded and their results dropped. */
	async deactivate(): Promise<void> {
		await this.host.triggers.remove(this.workflowId);
		this.database.removeJob(this.node.id);
	}

	/**
	 * One poll time. Resolves when the poll has ended and everything that n8n does with it has been done.
	 * @throws Error when the workflow is not active.
	 */
	async tick(options: TickOptions = {}): Promise<void> {
		const { host } = this;
		if (!host.alive) throw new Error('n8n is not running: restart it first');
		if (!host.triggers.isActive(this.workflowId)) throw new Error('The workflow is not active');
		if (options.crash) host.crashAt(options.crash);
		if (this.options.mode === 'durable') {
			await this.durableTick(host, options.abandoned ?? false);
			return;
		}
		const before = new Set(host.polls);
		host.cron.fire(this.node.id);
		await Promise.all([...host.polls].filter((poll) => !before.has(poll)));
	}

	/** Several poll times before the first poll has ended: n8n does not wait. */
	async overlappingTicks(count: number): Promise<void> {
		await Promise.all(Array.from({ length: count }, async () => await this.tick()));
	}

	/** Ends n8n like SIGKILL: nothing is written any more, results of polls under way are lost. */
	kill(): void {
		this.host.alive = false;
	}

	/**
	 * Kills n8n and starts it again, perhaps set up to keep the state in the other way: the node's
	 * modules are loaded anew, the state comes from the database, the workflow is activated with mode
	 * `init`.
	 */
	async restart(mode = this.options.mode): Promise<void> {
		this.kill();
		this.options.mode = mode;
		this.pack = await reloadPackage(this.options.packageFolder);
		this.host = this.startProcess();
		await this.activate('init');
	}

	/** What stands in n8n's database. */
	snapshot(): PollDatabaseContent {
		return this.database.snapshot();
	}

	/**
	 * Puts an earlier snapshot back, as another execution of the workflow does when it writes its older
	 * copy. A running n8n in default mode goes on with what it has in memory: it shows after `restart`.
	 */
	rewind(snapshot: PollDatabaseContent): void {
		this.database.rewind(snapshot);
	}

	/** The node's own state as it is persisted; `undefined` before the first write. */
	persistedState(): IDataObject | undefined {
		return this.options.mode === 'durable'
			? this.database.readCursor(this.node.id)
			: (this.database.readStaticData()[`node:${this.node.name}`] as IDataObject | undefined);
	}

	/** The largest state ever persisted, in bytes of JSON. */
	get largestStateBytes(): number {
		return this.database.largestStateBytes;
	}

	/** The `json` of all items of all executions, in order. */
	emittedItems(): IDataObject[] {
		return this.executions.flatMap((execution) => execution.items);
	}

	/** Changes the node and publishes the workflow: n8n registers the node anew. */
	async update(change: NodeChange): Promise<void> {
		await this.deactivate();
		if (change.name !== undefined) this.node.name = change.name;
		Object.assign(this.node.parameters, change.parameters);
		await this.activate('update');
	}

	/** Pastes the node anew in place of the old one: n8n gives it another ID. */
	async replace(change: NodeChange = {}): Promise<void> {
		await this.deactivate();
		this.node.id = randomUUID();
		await this.update(change);
	}

	/** Renames the node. In default mode its state stays behind under the old name. */
	async rename(name: string): Promise<void> {
		await this.update({ name });
	}

	/** The same while n8n is off, which is started again afterwards. */
	async renameWhileOff(name: string): Promise<void> {
		this.kill();
		this.node.name = name;
		await this.restart();
	}

	/** Changes a credential in its form: the node stays registered. */
	async replaceCredential(type: string, data: Record<string, unknown>): Promise<void> {
		await this.vault.replace(type, data);
	}

	/** Fetch Test Event: the poll runs in mode `manual`, and nothing that it stores is kept. */
	async manual(): Promise<ManualRun> {
		const { core } = engine();
		const workflow = this.createWorkflow();
		const data = forExecution(
			createAdditionalData(this.vault.helper, this.workflowId),
			randomUUID(),
			{
				id: this.workflowId,
				name: workflow.name ?? '',
				nodes: [this.node],
				connections: {},
				active: true,
				activeVersionId: null,
				isArchived: false,
				createdAt: new Date(),
				updatedAt: new Date(),
			},
			'manual',
		);
		const node = workflow.getNode(this.node.name) ?? undefined;
		const run = await new core.WorkflowExecute(data, 'manual').run({
			workflow,
			startNode: node,
			destinationNode: { nodeName: this.node.name, mode: 'inclusive' },
		});
		const { error, runData } = run.data.resultData;
		if (error) return { items: null, error: describeError(error) };
		const output = runData[this.node.name]?.[0]?.data?.main[0];
		return { items: output ? jsonOf(output) : null };
	}

	/** Ends the polls, gives the real time back and stops recording the log. */
	async close(): Promise<void> {
		this.kill();
		await this.host.triggers.remove(this.workflowId);
		this.log.stop();
		this.resetClock();
	}

	private startProcess(): HostProcess {
		const { core, container, logger } = engine();
		const cron = new CronStandIn();
		const polls = new Set<Promise<void>>();
		const triggers = new core.ActiveWorkflowTriggers(
			logger,
			cron as unknown as ScheduledTaskManager,
			container.get(core.TriggersAndPollers),
			container.get(core.ErrorReporter),
			countedExecutor(polls),
		);
		const { database } = this;
		if (this.options.mode === 'durable') {
			// In n8n the container gives it; there is one container for all harnesses of a process.
			Reflect.set(triggers, 'getPollJobManager', () => ({
				register: async () => ({ inserted: database.insertJob(this.node.id) }),
				remove: async () => database.removeJob(this.node.id),
			}));
		}
		let crash: CrashPoint | undefined;
		const host: HostProcess = {
			alive: true,
			cron,
			polls,
			triggers,
			database,
			crashAt: (point) => {
				if (this.options.mode === 'durable' && point !== 'beforeSaving') {
					throw new Error('With durable cursors state and execution are written together');
				}
				crash = point;
			},
			crashPoint: () => crash,
			saveStaticData: (workflow) => {
				// workflow-static-data.service.js: the whole column, and only when something changed.
				if (!host.alive || workflow.staticData.__dataChanged !== true) return;
				database.writeStaticData(workflow.staticData);
				workflow.staticData.__dataChanged = false;
			},
			startExecution: (data, atActivation) => {
				if (!host.alive) return undefined;
				const items = data[0] ?? [];
				if (this.options.onExecution) {
					this.options.onExecution({ items: items.map(({ json }) => json), atActivation });
					return Promise.resolve('success');
				}
				const execution = { items: jsonOf(items), atActivation };
				this.executions.push(execution);
				return Promise.resolve(this.workflow(execution));
			},
			recordError: (error) => {
				if (host.alive) this.errors.push({ ...describeError(error), atActivation: false });
			},
		};
		return host;
	}

	private createWorkflow(): Workflow {
		const { workflow } = engine();
		return new workflow.Workflow({
			id: this.workflowId,
			name: 'Workflow under test',
			nodes: [intoEngine(this.node)],
			connections: {},
			active: true,
			nodeTypes: this.pack.nodeTypes,
			staticData: intoEngine(this.database.readStaticData()),
			settings: {},
		});
	}

	private pollFunctions(
		host: HostProcess,
		workflow: Workflow,
		node: INode,
		additionalData: IWorkflowExecuteAdditionalData,
		activation: WorkflowActivateMode,
		kind: 'activation' | 'durableTick',
		isAbandoned?: () => boolean,
	): IPollFunctions {
		return createPollFunctions({
			host,
			mode: this.options.mode,
			workflow,
			node,
			additionalData,
			activation,
			kind,
			isAbandoned,
			...(this.options.pollBudgetMs !== undefined
				? { pollBudgetMs: this.options.pollBudgetMs }
				: {}),
		});
	}

	/** Reproduces poll-trigger-task-handler.js: a fresh workflow each time, the cursor as a snapshot. */
	private async durableTick(host: HostProcess, abandoned: boolean): Promise<void> {
		const { core, container, workflow: n8nWorkflow } = engine();
		const workflow = this.createWorkflow();
		const node = workflow.getNode(this.node.name);
		if (!node) throw new Error('The node under test is not in its workflow');
		const additionalData = createAdditionalData(this.vault.helper, this.workflowId);
		const isAbandoned = () => abandoned;
		const poll = this.pollFunctions(
			host,
			workflow,
			node,
			additionalData,
			'update',
			'durableTick',
			isAbandoned,
		);
		await core.runPollInStagingScope(poll, async () => {
			try {
				const result = await container
					.get(core.TriggersAndPollers)
					.runPollFunction(workflow, node, poll);
				if (abandoned || !host.alive || !host.triggers.isActive(this.workflowId)) return;
				if (result !== null) poll.__emit(result);
				else await core.commitStagedCursor(poll);
			} catch (error) {
				if (abandoned || !host.alive) return;
				poll.__emitError(error instanceof n8nWorkflow.NodeError ? error : (error as Error));
			}
		});
	}
}

/** n8n's executor, with a list of the polls under way: n8n's cron does not wait for them. */
function countedExecutor(polls: Set<Promise<void>>): PollTriggerExecutor {
	const { core, container } = engine();
	const executor = container.get(core.PollTriggerExecutor);
	const create: PollTriggerExecutor['create'] = (...context) => {
		const execute = executor.create(...context);
		return async (testingTrigger) => {
			const poll = execute(testingTrigger);
			polls.add(poll);
			try {
				await poll;
			} finally {
				polls.delete(poll);
			}
		};
	};
	return { create } as PollTriggerExecutor;
}

function jsonOf(items: INodeExecutionData[]): IDataObject[] {
	return items.map((item) => asStored(item.json));
}

function causeOf(error: unknown): unknown {
	return (error as { cause?: unknown }).cause ?? error;
}
