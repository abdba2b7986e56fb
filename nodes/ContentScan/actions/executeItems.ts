import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError, UserError } from 'n8n-workflow';
import type { Clock } from '../../../transport/clock';
import { systemClock } from '../../../transport/clock';
import { operationError } from '../../../transport/errors/operationError';
import { DEFAULT_PARALLEL_ITEMS, executionOptions } from './common/executionOptions';
import type { Place, PoolOutcome } from './itemPool';
import { runPool } from './itemPool';
import type { NodeFailure } from '../../common/itemResult';
import { enteredCount } from '../../../input/enteredNumber';
import { errorItem, nodeFailure, resultItems } from '../../common/itemResult';
import { queueDeadline } from '../../../input/queueTime';
import type { Run } from './itemRun';
import { ItemRun } from './itemRun';
import { operationFor } from './operations';
import type { ScanService } from '../../../services/scanning/scanService';
import { connectScanService } from '../../../services/scanning/scanService';
import { VerdictWatch } from '../verdict/verdictWatch';

/** Where time and the service come from; a test passes its own. */
export interface Surroundings {
	clock: Clock;
	connect: (context: IExecuteFunctions) => Promise<ScanService>;
}

const REAL: Surroundings = { clock: systemClock, connect: connectScanService };

const MOST_PARALLEL_ITEMS = 100;

/** Ids that an error text names. */
const MOST_IDS = 50;

type Settle = PoolOutcome<INodeExecutionData[]>;

function parallelItems(context: IExecuteFunctions): number {
	const { concurrency = DEFAULT_PARALLEL_ITEMS } = executionOptions(context, 0);
	try {
		return enteredCount(concurrency, 'Parallel Items', { most: MOST_PARALLEL_ITEMS });
	} catch (error) {
		throw operationError(context.getNode(), error as Error, 0);
	}
}

/** Connects once, when the first item asks: a wrong credential is then an error of every item. */
function runOf(context: IExecuteFunctions, { clock, connect }: Surroundings): () => Promise<Run> {
	let run: Promise<Run> | undefined;
	const begin = async (): Promise<Run> => {
		const scans = await connect(context);
		const watch = new VerdictWatch(scans, clock, () => ({
			deadline: queueDeadline(executionOptions(context, 0), clock),
			signal: context.getExecutionCancelSignal?.(),
		}));
		return { context, scans, watch, clock };
	};
	return async () => await (run ??= begin());
}

/**
 * Runs the node's operation on every input item, several at a time, with the results in the order
 * of the input. Under "continue on fail" every item keeps its own error; else the first item that
 * does not succeed, in the order of the input, ends the run.
 *
 * @throws NodeApiError or NodeOperationError of that item, with how many others had been submitted.
 */
export async function executeItems(
	context: IExecuteFunctions,
	surroundings: Surroundings = REAL,
): Promise<INodeExecutionData[]> {
	const count = context.getInputData().length;
	if (count === 0) return [];
	const resource = String(context.getNodeParameter('resource', 0));
	const operationName = String(context.getNodeParameter('operation', 0));
	const operation = operationFor(resource, operationName);
	if (!operation) {
		const flaw = new UserError(
			`The operation '${operationName}' of the resource '${resource}' does not exist`,
			{ description: 'Choose one from the list, or correct the expression in its place.' },
		);
		throw operationError(context.getNode(), flaw);
	}
	const run = runOf(context, surroundings);
	const items: ItemRun[] = [];
	const options = {
		concurrency: parallelItems(context),
		failFast: !context.continueOnFail(),
		signal: context.getExecutionCancelSignal?.(),
	};
	const outcome = await runPool(count, options, async (itemIndex: number, place: Place) => {
		const item = new ItemRun(await run(), itemIndex, place);
		items[itemIndex] = item;
		return resultItems(await operation(item), itemIndex);
	});
	if (outcome.failedAt !== undefined) throw firstFailure(context, outcome, items);
	await showDelays(context, run);
	return collected(context, outcome, items);
}

/** Tells the user what the licensed rate cost this execution: what waits is visible. */
async function showDelays(context: IExecuteFunctions, run: () => Promise<Run>): Promise<void> {
	const scans = await run().then(
		(begun) => begun.scans,
		() => undefined,
	);
	const { calls, longestMs } = scans?.service.delays ?? { calls: 0, longestMs: 0 };
	if (!scans || calls === 0) return;
	context.addExecutionHints({
		message: `${calls} ${calls === 1 ? 'call' : 'calls'} waited for a turn, the longest for ${Math.round(longestMs / 1000)} seconds. The credential allows ${scans.callsPerMinute} calls per minute.`,
		location: 'outputPane',
		type: 'info',
	});
}

function collected(
	context: IExecuteFunctions,
	{ settled }: Settle,
	items: ItemRun[],
): INodeExecutionData[] {
	return settled.flatMap((one, itemIndex) => {
		if (one?.ok) return one.value;
		const error = one?.error ?? canceled(context, itemIndex);
		const failure = nodeFailure(context, error, itemIndex);
		if (!one && !context.continueOnFail()) throw withHistory(failure, itemIndex, items);
		return errorItem(context, failure, itemIndex, items[itemIndex]?.known ?? {});
	});
}

/** n8n shows an execution as canceled by this very word in the message (workflow-execute.js). */
function canceled(context: IExecuteFunctions, itemIndex: number): NodeOperationError {
	return new NodeOperationError(
		context.getNode(),
		`The execution was canceled before this item was finished [item ${itemIndex}]`,
		{ itemIndex },
	);
}

function firstFailure(
	context: IExecuteFunctions,
	{ settled, failedAt = 0 }: Settle,
	items: ItemRun[],
): NodeFailure {
	const first = settled[failedAt];
	const failure = nodeFailure(context, first?.ok === false ? first.error : undefined, failedAt);
	return withHistory(failure, failedAt, items);
}

/** The error that ends the run. What was already carried out for this and other items stays visible. */
function withHistory(failure: NodeFailure, failedAt: number, items: ItemRun[]): NodeFailure {
	const sentences = [failure.description ?? ''];
	const scanId = items[failedAt]?.known.scan_id;
	if (scanId !== undefined) {
		sentences.push(`The scan was submitted: its scan_id is ${String(scanId)}.`);
	}
	const others = items.filter((item) => item.carriedOut && item.itemIndex !== failedAt);
	if (others.length > 0) {
		sentences.push(
			`Before that, the call for ${others.length} other ${others.length === 1 ? 'item' : 'items'} was carried out at the service and is not undone${submissions(others)}.`,
		);
	}
	failure.description = sentences.filter(Boolean).join(' ');
	return failure;
}

/** The ids under which items were submitted: with them the scans are not lost, though their items are. */
function submissions(items: ItemRun[]): string {
	const ids = items.map(({ known }) => known.scan_id).filter((id) => id !== undefined);
	if (ids.length === 0) return '';
	const more = ids.length > MOST_IDS ? `, and ${ids.length - MOST_IDS} more` : '';
	return ` (scan_id ${ids.slice(0, MOST_IDS).map(String).join(', ')}${more})`;
}
