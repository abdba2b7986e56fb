import type { IBinaryData, IBinaryKeyData, IExecuteFunctions } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { isRecord } from '../../../../transport/isRecord';

/** The field of an item's `json` in which n8n may keep its files. */
export const FILES_IN_JSON = '_files';

/** Whether n8n keeps files there, as n8n 2 can for a workflow: its *Execution Logic* is v2. */
export function keepsFilesInJson(context: IExecuteFunctions): boolean {
	const host: Partial<IExecuteFunctions> = context;
	return host.getWorkflowSettings?.().binaryMode === 'combined';
}

/** Whether the files of an input item are there: n8n leaves those that it keeps in memory. */
export function filesAreInJson(context: IExecuteFunctions, itemIndex: number): boolean {
	const { json } = context.getInputData()[itemIndex];
	return keepsFilesInJson(context) && isRecord(json[FILES_IN_JSON]);
}

/** The files of an input item, by the names of their fields. Anything may stand in place of a file. */
export function filesOf(context: IExecuteFunctions, itemIndex: number): IBinaryKeyData {
	const { json, binary } = context.getInputData()[itemIndex];
	if (!filesAreInJson(context, itemIndex)) return binary ?? {};
	const files = json[FILES_IN_JSON] as unknown as IBinaryKeyData;
	return binary ? { ...files, ...binary } : files;
}

/** Whether a file has content, so that it can go on: n8n fails at any other that it puts into the `json`. */
export function hasContent(file: unknown): boolean {
	return isRecord(file) && (isText(file.id) || typeof file.data === 'string');
}

function isText(value: unknown): boolean {
	return typeof value === 'string' && value !== '';
}

/**
 * An item without a file may come from a workflow that keeps files in the `json`, of which this one is a
 * sub-workflow: it must not count as one that has none.
 * @throws UserError where the `json` seems to hold files that are not those of the item.
 */
export function refuseFilesElsewhere(context: IExecuteFunctions, itemIndex: number): void {
	const { [FILES_IN_JSON]: elsewhere } = context.getInputData()[itemIndex].json;
	if (!isRecord(elsewhere) || keepsFilesInJson(context)) return;
	if (!Object.values(elsewhere).some(isFile)) return;
	throw new UserError(`The item has files only in '${FILES_IN_JSON}'`, {
		description:
			"They come from a workflow whose Execution Logic is v2. In this workflow's settings, choose the same.",
	});
}

/** Whether something is a file, as n8n describes one: its content may have been left out. */
export function isFile(value: unknown): value is Partial<IBinaryData> {
	return isRecord(value) && 'mimeType' in value;
}
