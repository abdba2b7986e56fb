import type { IDataObject } from 'n8n-workflow';
import { includeInputOption } from '../fields/submissionFields';
import type { ItemRun } from '../itemRun';
import { FILES_IN_JSON, keepsFilesInJson } from './itemFiles';

/** What of an earlier result tells how a scan or an operation ended. */
export const OUTCOME_KEYS = ['clean', 'verdict', 'verdictCode', 'scanId', 'submittedId', 'success'];

/** What an earlier scan may have left in an item, and must not be taken for the result of this one. */
const RESULT_KEYS = [...OUTCOME_KEYS, 'status', 'scan', 'answer', 'note', 'binaryField', 'error'];

/** The fields of the input item that go on with its result. @throws UserError for what is no boolean. */
export function carriedFields(item: ItemRun): IDataObject {
	if (!item.isOn('includeInput', includeInputOption.displayName)) return {};
	const { json } = item.context.getInputData()[item.itemIndex];
	// Files go on as such.
	const files = keepsFilesInJson(item.context) ? [FILES_IN_JSON] : [];
	const left = [...RESULT_KEYS, ...files];
	return Object.fromEntries(Object.entries(json).filter(([key]) => !left.includes(key)));
}
