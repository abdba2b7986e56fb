import type { IBinaryKeyData, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { NodeFailure } from '../../common/itemResult';
import { errorItem, resultItems } from '../../common/itemResult';
import { OUTCOME_KEYS } from './common/inputFields';
import type { ItemRun, OperationResult, Task } from './itemRun';

/** The files that go on with a result: of several, the one that was scanned. */
function passedOn(context: IExecuteFunctions, { itemIndex, binaryField }: Task) {
	const { binary } = context.getInputData()[itemIndex];
	if (!binary) return {};
	if (binaryField === undefined) return { binary };
	const own: IBinaryKeyData = {};
	if (Object.hasOwn(binary, binaryField)) own[binaryField] = binary[binaryField];
	return { binary: own };
}

/** The items that come of a task. Those of a list have no file: it would come with each of them. */
export function outputItems(
	context: IExecuteFunctions,
	task: Task,
	result: OperationResult,
): INodeExecutionData[] {
	if (Array.isArray(result)) return resultItems(result, task.itemIndex);
	const files = passedOn(context, task);
	return resultItems([result], task.itemIndex).map((item) => ({ ...item, ...files }));
}

/** The item of a task that failed, under "continue on fail". It never shows an earlier verdict. */
export function failedItem(
	context: IExecuteFunctions,
	task: Task,
	failure: NodeFailure,
	run: ItemRun | undefined,
): INodeExecutionData {
	const { itemIndex, binaryField } = task;
	const { scanId, submittedId } = run?.known ?? {};
	const known = {
		...(scanId && { scanId }),
		...(submittedId && { submittedId }),
		...(binaryField !== undefined && { binaryField }),
	};
	const item = { ...errorItem(context, failure, itemIndex, known), ...passedOn(context, task) };
	if (context.getNode().onError !== 'continueErrorOutput') {
		return { ...item, json: { ...run?.carried, ...item.json, clean: null, verdict: null } };
	}
	// n8n lays the fields of the paired item below those of an error, unless the pair is a number.
	const { json } = context.getInputData()[itemIndex];
	return OUTCOME_KEYS.some((key) => key in json) ? { ...item, pairedItem: itemIndex } : item;
}
