import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../../../../transport/isRecord';
import type { CallRequest } from '../../../../services/scanning/scanService';
import type { ItemRun } from '../itemRun';
import type { OperationKey } from '../../../../services/scanning/operationTable';
import { readBack } from './readBack';
import type { ScanRecord } from '../../../../services/scanning/scanRecord';
import { recordId, simplifyScan } from '../../../../services/scanning/scanRecord';

/**
 * Carries out an operation that changes something about a scan.
 * @param shown What is returned of the scan where it is read afterwards.
 * @returns The scan's id and that the service accepted it, completed with the service's answer: its
 * form is not published, and it may be empty.
 */
export async function carryOut(
	item: ItemRun,
	key: OperationKey,
	request: CallRequest & { scanId: string },
	shown: (record: ScanRecord) => IDataObject = simplifyScan,
): Promise<IDataObject[]> {
	const { body } = await item.send(item.scans.call(key, request));
	const answer = isRecord(body) ? body : body === undefined ? {} : { answer: body as string };
	const result = { scanId: request.scanId, success: true, ...answer };
	// A record in the answer names the long id, by which the scan is surely found.
	const id = isRecord(body) && body.full_scan_id ? recordId(body) : undefined;
	return [{ ...result, ...(await readBack(item, id ?? request.scanId, shown)) }];
}
