import type { IDataObject } from 'n8n-workflow';

/** Whether a value of parsed JSON is an object, and neither null nor a list. */
export function isRecord(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
