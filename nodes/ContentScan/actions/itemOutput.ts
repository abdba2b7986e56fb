import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { NodeFailure } from '../../common/itemResult';
import { errorItem, resultItems } from '../../common/itemResult';
import { OUTCOME_KEYS } from './common/inputFields';
import { filesAreInJson, filesOf, hasContent } from './common/itemFiles';
import type { ItemRun, OperationResult, Task } from './itemRun';

/** The files that go on with a result: of several, the one that was scanned. n8n puts them where it keeps files. */
function passedOn(context: IExecuteFunctions, { itemIndex, binaryField }: Task) {
	const files = filesOf(context, itemIndex);
	const names = binaryField === undefined ? Object.keys(files) : [binaryField];
	if (names.length === 0) return {};
	const kept = names.filter((name) => Object.hasOwn(files, name) && hasContent(files[name]));
	return { binary: Object.fromEntries(kept.map((name) => [name, files[name]])) };
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
	const { submittedId, scanId = run?.enteredId } = run?.known ?? {};
	const known = {
		...(scanId && { scanId }),
		...(submittedId && { submittedId }),
		...(binaryField !== undefined && { binaryField }),
	};
	const item = errorItem(context, failure, itemIndex, known);
	const files = passedOn(context, task);
	if (context.getNode().onError !== 'continueErrorOutput') {
		return {
			...item,
			...files,
			json: { ...run?.carried, ...item.json, clean: null, verdict: null },
		};
	}
	// n8n lays the fields of the paired item below those of an error, unless the pair is a number.
	const { json } = context.getInputData()[itemIndex];
	const pairedItem = OUTCOME_KEYS.some((key) => key in json) ? itemIndex : item.pairedItem;
	// With files in its `json`, n8n would not take it for an error; those of the paired item come along.
	return { ...item, ...(!filesAreInJson(context, itemIndex) && files), pairedItem };
}
