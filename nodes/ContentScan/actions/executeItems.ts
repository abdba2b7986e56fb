import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError, UserError } from 'n8n-workflow';
import { enteredCount } from '../../../input/enteredValues';
import type { ScanService } from '../../../services/scanning/scanService';
import { scanServices } from '../../../services/scanning/scanService';
import type { Clock } from '../../../transport/clock';
import { systemClock } from '../../../transport/clock';
import { nodeFailure } from '../../common/itemResult';
import { pauses } from '../../common/pauses';
import { DEFAULT_QUEUE_SECONDS, enteredQueueSeconds, queueDeadline } from '../../common/queueTime';
import { RecentScans } from './common/recentScans';
import { NoVerdictError } from './common/waitForVerdict';
import { defaultParallelItems, PARALLEL_ITEMS } from './fields/optionsField';
import { showHints } from './executionHints';
import { failedItem, outputItems } from './itemOutput';
import type { Operation, Run, Task } from './itemRun';
import { ItemRun } from './itemRun';
import { operationFor } from './operations';
import { runError } from './runError';
import { binaryFields } from './scan/scanFile';
import type { PoolOutcome } from './taskPool';
import { runTasks } from './taskPool';

/** Where time and the service come from; a test passes its own. */
export interface Dependencies {
	clock: Clock;
	connect: (context: IExecuteFunctions) => (itemIndex: number) => Promise<ScanService>;
	/** Awaited before each item; one for each run. */
	pauses: () => () => Promise<void>;
}

const REAL: Dependencies = { clock: systemClock, connect: scanServices, pauses };

/**
 * An option of the first item, for what the items share. It is read alone: n8n works out only what it
 * is asked for, and another option of that item may have an expression that fails.
 */
function firstItemsOption(context: IExecuteFunctions, name: string, fallback: number): unknown {
	return context.getNodeParameter(`options.${name}`, 0, fallback);
}

function parallelItems(context: IExecuteFunctions): number {
	const byDefault = defaultParallelItems(operationName(context));
	const concurrency = firstItemsOption(context, 'concurrency', byDefault);
	return enteredCount(concurrency, 'Parallel Items', { most: PARALLEL_ITEMS.most });
}

function operationName(context: IExecuteFunctions): string {
	return String(context.getNodeParameter('operation', 0, ''));
}

/** For calls that serve all items. What is wrong with the first item's option is its own error only. */
function sharedDeadline(context: IExecuteFunctions, clock: Clock): number | undefined {
	const queueTimeout = attempt(() =>
		enteredQueueSeconds(firstItemsOption(context, 'queueTimeout', DEFAULT_QUEUE_SECONDS)),
	);
	return queueDeadline({ queueTimeout: queueTimeout ?? DEFAULT_QUEUE_SECONDS }, clock);
}

function chosenOperation(context: IExecuteFunctions): Operation {
	// Only to refuse what is not usable: without it the pool takes 1.
	parallelItems(context);
	const resource = String(context.getNodeParameter('resource', 0));
	const name = operationName(context);
	const operation = operationFor(resource, name);
	if (operation) return operation;
	throw new UserError(`The operation '${name}' of the resource '${resource}' does not exist`, {
		description: 'Choose one from the list, or correct the expression.',
	});
}

interface Prepared {
	operation: Operation;
	run: Run;
}

/**
 * What items share, those with the same credential. It is made when the first of them asks, so that whatever is
 * wrong is an error of every item: had the node thrown it, n8n would let the input pass under "continue on fail".
 */
function preparation(
	context: IExecuteFunctions,
	{ clock, connect }: Dependencies,
): (itemIndex: number) => Promise<Prepared> {
	const begun = clock.now();
	const connected = connect(context);
	const runs = new Map<ScanService, Run>();
	const callContext = () => ({
		deadline: sharedDeadline(context, clock),
		signal: context.getExecutionCancelSignal?.(),
	});
	const newRun = (scans: ScanService): Run => {
		const recentScans = new RecentScans(scans, callContext, begun);
		return { context, scans, recentScans, clock };
	};
	let operation: Operation | undefined;
	return async (itemIndex) => {
		operation ??= chosenOperation(context);
		const scans = await connected(itemIndex);
		const run = runs.get(scans) ?? newRun(scans);
		runs.set(scans, run);
		return { operation, run };
	};
}

/** The value, or `undefined` where it is not usable: the run of the items says why. */
function attempt<T>(value: () => T): T | undefined {
	try {
		return value();
	} catch {
		return undefined;
	}
}

/** One task for each input item, or where it is to have several files scanned, for each file. */
async function tasksOf(context: IExecuteFunctions, pause: () => Promise<void>): Promise<Task[]> {
	const mayHaveFiles = operationName(context) === 'scanFile';
	const tasks: Task[] = [];
	for (const itemIndex of context.getInputData().keys()) {
		await pause();
		const fields = mayHaveFiles ? attempt(() => binaryFields(context, itemIndex)) : undefined;
		if (!fields?.length) tasks.push({ itemIndex });
		else for (const binaryField of fields) tasks.push({ itemIndex, binaryField });
	}
	return tasks;
}

/**
 * Runs the node's operation on every input item, several at a time, with the results in the order
 * of the input. Under "continue on fail" every item keeps its own error; else the first one ends the
 * run, but for a verdict that does not come in time: that ends it when all other items are done.
 *
 * @throws NodeApiError or NodeOperationError of that item, with the scans that had been submitted.
 */
export async function executeItems(
	context: IExecuteFunctions,
	dependencies: Dependencies = REAL,
): Promise<INodeExecutionData[]> {
	if (context.getInputData().length === 0) return [];
	const pause = dependencies.pauses();
	const tasks = await tasksOf(context, pause);
	const items: ItemRun[] = [];
	const prepared = preparation(context, dependencies);
	const goesOn = context.continueOnFail();
	const options = {
		concurrency: attempt(() => parallelItems(context)) ?? 1,
		endsRun: (error: unknown) => !goesOn && !(error instanceof NoVerdictError),
		signal: context.getExecutionCancelSignal?.(),
	};
	const outcome = await runTasks(tasks.length, options, async (index, slot) => {
		await pause();
		const { operation, run } = await prepared(tasks[index].itemIndex);
		const item = new ItemRun(run, tasks[index], slot);
		items[index] = item;
		return outputItems(context, tasks[index], await operation(item));
	});
	if (!goesOn) await throwFailure(context, outcome, { tasks, items });
	const failedResult = (index: number, error: unknown) => {
		const { itemIndex } = tasks[index];
		const failure = nodeFailure(context, error ?? canceled(context, itemIndex), itemIndex);
		return failedItem(context, tasks[index], failure, items[index]);
	};
	showHints(context, items);
	const results: INodeExecutionData[] = [];
	for (const [index, settled] of outcome.settled.entries()) {
		await pause();
		// As arguments of one call, 120,000 would be too many.
		if (settled?.ok) for (const item of settled.value) results.push(item);
		else results.push(failedResult(index, settled?.error));
	}
	return results;
}

/** @throws The error that ended the run, else that of the first item without a verdict, if any. */
async function throwFailure(
	context: IExecuteFunctions,
	{ settled, endedBy }: PoolOutcome<unknown>,
	{ tasks, items }: { tasks: Task[]; items: ItemRun[] },
): Promise<void> {
	const failedAt = endedBy ?? settled.findIndex((one) => !one?.ok);
	if (failedAt < 0) return;
	const { itemIndex } = tasks[failedAt];
	const failed = settled[failedAt];
	const error = failed?.ok === false ? failed.error : canceled(context, itemIndex);
	const ended = tasks.map((_, index) => ({ item: items[index], settled: settled[index] }));
	throw await runError(context, error, itemIndex, ended);
}

/** n8n shows an execution as canceled by this very word in the message (workflow-execute.js). */
function canceled(context: IExecuteFunctions, itemIndex: number): NodeOperationError {
	return new NodeOperationError(
		context.getNode(),
		`The execution was canceled before this item was finished [item ${itemIndex}]`,
		{ itemIndex },
	);
}
