import type { IDataObject } from 'n8n-workflow';
import type { CallRequest } from './scanService';
import type { ItemRun } from './itemRun';
import type { OperationKey } from './operationTable';
import { readBack } from './readBack';
import { isScanRecord } from './scanRecord';

/**
 * Carries out an operation that changes something about a scan.
 * @returns The scan's id and that the service accepted it, completed with the service's answer: its
 * form is not published, and it may be empty.
 */
export async function carryOut(
	item: ItemRun,
	key: OperationKey,
	request: CallRequest & { scanId: string },
): Promise<IDataObject[]> {
	const { body } = await item.send(item.scans.call(key, request));
	const answer = isScanRecord(body) ? body : body === undefined ? {} : { answer: body as string };
	const result = { scanId: request.scanId, success: true, ...answer };
	return [{ ...result, ...(await readBack(item, request.scanId)) }];
}
