import { UserError } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../../../../transport/isRecord';
import type { OperationKey } from '../../../../services/scanning/operationTable';
import { simplifyFound, unknownScan } from '../../../../services/scanning/scanRecord';
import type { CallRequest } from '../../../../services/scanning/scanService';
import { mismatch, readScan } from '../scan/getScan';
import type { ItemRun } from '../itemRun';

export const readBackOption = {
	displayName: 'Read Scan Afterwards',
	name: 'readBack',
	type: 'boolean',
	default: false,
	description:
		'Whether to read the scan afterwards and return its state, at the cost of one more call. Off by default.',
} as const;

/**
 * Runs an operation that changes something about a scan.
 * @returns The scan, of which nothing is known unless it is read afterwards, and the answer as sent:
 * its form is not published.
 * @throws UserError when the answer says that it was not done.
 */
export async function runMutation(
	item: ItemRun,
	key: OperationKey,
	request: CallRequest & { scanId: string },
): Promise<IDataObject> {
	const readsBack = item.isOn('readBack', readBackOption.displayName);
	const call = item.scans.call(key, request);
	const { body } = await item.send(call);
	if (reportsFailure(body)) {
		item.mutated = false;
		throw new UserError(`Could not ${call.purpose}: the scanning service reports a failure`, {
			description:
				`It answered: ${item.quoted(JSON.stringify(body))}. ${call.howToCheck ?? ''}`.trim(),
		});
	}
	const done = { success: true, answer: (body ?? null) as IDataObject };
	if (!readsBack) return { ...unknownScan(request.scanId, null), ...done };
	return { ...(await readBack(item, request.scanId)), ...done };
}

function saysNo(success: unknown): boolean {
	if (typeof success === 'object') return success === null;
	return /^(false|0|no|failed|failure|error|)$/i.test(String(success).trim());
}

/** No form is published, so only what cannot mean a success counts: a sentence may be one. */
function reportsFailure(body: unknown): boolean {
	if (!isRecord(body)) return body === false;
	const { success, status, error, data } = body;
	if (saysNo(success) || error || (isRecord(data) && saysNo(data.success))) return true;
	return typeof status === 'string' && /^(failed|failure|error)$/i.test(status.trim());
}

/** It does not fail when the scan cannot be read: the operation itself was done. */
async function readBack(item: ItemRun, scanId: string): Promise<IDataObject> {
	try {
		const record = await readScan(item, scanId);
		return { ...simplifyFound(scanId, record), scan: record, ...mismatch(record, scanId) };
	} catch (error) {
		const note = `The operation was done, but the scan could not be read afterwards. ${(error as Error).message}`;
		return { ...unknownScan(scanId, null), scan: null, note };
	}
}
