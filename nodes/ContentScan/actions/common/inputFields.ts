import type { IDataObject } from 'n8n-workflow';
import type { ItemRun } from '../itemRun';

export const INCLUDE_INPUT_LABEL = 'Include Input Fields';

/** What an earlier scan may have left in an item, and must not be taken for the result of this one. */
const RESULT_KEYS = [
	'clean',
	'verdict',
	'verdictCode',
	'status',
	'scanId',
	'submittedId',
	'scan',
	'answer',
	'note',
	'binaryField',
];

/** The fields of the input item that go on with its result. @throws UserError for what is no boolean. */
export function carriedFields(item: ItemRun): IDataObject {
	if (!item.isOn('includeInput', INCLUDE_INPUT_LABEL)) return {};
	const { json } = item.context.getInputData()[item.itemIndex];
	return Object.fromEntries(Object.entries(json).filter(([key]) => !RESULT_KEYS.includes(key)));
}
