import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { errorItem, nodeFailure, resultItems, withAdviceForAgent } from '../../common/itemResult';
import { enteredOption } from '../../../input/enteredValues';
import { pauses } from '../../common/pauses';
import { queueDeadline } from '../../common/queueTime';
import type { Service } from '../../../transport/call';
import type { Clock } from '../../../transport/clock';
import { systemClock } from '../../../transport/clock';
import { USUAL_FIELDS } from '../../../services/console/auditLogEntry';
import type { AuditLogEntry } from '../../../services/console/auditLogEntry';
import { consoles, enteredAuthentication } from '../../../services/console/consoleService';
import { entryOutput } from '../output/entryOutput';
import { identified } from '../reading/entryIdentity';
import { getManyEntries } from './getManyEntries';
import { getOneEntry } from './getOneEntry';
import type { ItemCalls } from './itemCalls';

type Operation = (
	context: IExecuteFunctions,
	service: Service,
	calls: ItemCalls,
) => Promise<AuditLogEntry[]>;

const operations = { get: getOneEntry, getAll: getManyEntries } satisfies Record<string, Operation>;

const OPERATION_NAMES = Object.keys(operations) as Array<keyof typeof operations>;

/**
 * Runs the node's operation on every input item, one after the other. Under "continue on fail" every
 * item keeps its own error; else the first that does not succeed ends the run.
 * @throws NodeApiError or NodeOperationError of that item.
 */
export async function executeItems(
	context: IExecuteFunctions,
	clock: Clock = systemClock,
): Promise<INodeExecutionData[]> {
	const results: INodeExecutionData[][] = [];
	const pause = pauses(clock);
	const runItem = itemRunner(context, clock, pause);
	for (let itemIndex = 0; itemIndex < context.getInputData().length; itemIndex++) {
		await pause();
		const failure = await runItem(itemIndex).then(
			(items) => void results.push(items),
			(error: unknown) => nodeFailure(context, error, itemIndex),
		);
		if (!failure) continue;
		if (!context.continueOnFail()) throw withAdviceForAgent(context, failure);
		results.push([errorItem(context, failure, itemIndex, {})]);
	}
	return results.flat();
}

/** Connects when an item asks: a wrong credential is then an error of every item. */
function itemRunner(
	context: IExecuteFunctions,
	clock: Clock,
	pause: () => Promise<void>,
): (itemIndex: number) => Promise<INodeExecutionData[]> {
	const signal = context.getExecutionCancelSignal?.();
	let consoleOf: ReturnType<typeof consoles> | undefined;
	return async (itemIndex) => {
		consoleOf ??= consoles(
			context,
			enteredAuthentication(context.getNodeParameter('authentication', 0)),
		);
		const { service } = await consoleOf(itemIndex);
		const operation = enteredOption(
			context.getNodeParameter('operation', itemIndex),
			'Operation',
			OPERATION_NAMES,
		);
		const options = context.getNodeParameter('options', itemIndex, {}) as IDataObject;
		const output = entryOutput(
			{
				output:
					operation === 'getAll' ? context.getNodeParameter('output', itemIndex, 'items') : 'items',
				lineTemplate: () => context.getNodeParameter('lineTemplate', itemIndex, '{entry}'),
				options,
			},
			USUAL_FIELDS,
		);
		const calls = {
			itemIndex,
			callContext: () => ({ itemIndex, signal, deadline: queueDeadline(options, clock) }),
			clock,
			share: output.share,
		};
		const entries = await operations[operation](context, service, calls);
		const items = await output.items(identified(entries, USUAL_FIELDS), pause);
		// n8n takes its time with large ones, too.
		await pause();
		return resultItems(items, itemIndex);
	};
}
