import type { IBinaryData, IBinaryKeyData, IExecuteFunctions } from 'n8n-workflow';
import { isRecord } from '../../../../transport/isRecord';

/** Where n8n keeps an item's files in the item's `json`. */
export const FILES_IN_JSON = '_files';

/** Whether it does, as n8n 2 can for a workflow: its *Execution Logic* is v2. */
export function keepsFilesInJson(context: IExecuteFunctions): boolean {
	const host: Partial<IExecuteFunctions> = context;
	return host.getWorkflowSettings?.().binaryMode === 'combined';
}

/** The files of an input item, by the names of their fields. Anything may stand in place of a file. */
export function filesOf(context: IExecuteFunctions, itemIndex: number): IBinaryKeyData {
	const { json, binary } = context.getInputData()[itemIndex];
	const inJson = keepsFilesInJson(context) ? json[FILES_IN_JSON] : undefined;
	if (!isRecord(inJson)) return binary ?? {};
	const files = inJson as unknown as IBinaryKeyData;
	// n8n leaves files that it keeps in memory where they were.
	return binary ? { ...files, ...binary } : files;
}

/** Whether a file has content, so that it can go on: n8n fails at any other that it puts into the `json`. */
export function hasContent(file: unknown): boolean {
	return isRecord(file) && [file.id, file.data].some((value) => typeof value === 'string');
}

/** Whether an expression has given a file itself, rather than a field's name. */
export function isFile(value: unknown): value is Partial<IBinaryData> {
	return isRecord(value) && 'mimeType' in value && ('data' in value || 'id' in value);
}
