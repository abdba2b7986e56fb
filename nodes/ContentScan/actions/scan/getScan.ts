import type { INodeProperties } from 'n8n-workflow';
import { isRecord } from '../../../../transport/isRecord';
import { optionsField } from '../common/executionOptions';
import type { ItemRun, Operation } from '../itemRun';
import { scanIdField } from '../common/scanId';
import type { ScanRecord } from '../../../../services/scanning/scanRecord';
import { simplifyScan } from '../../../../services/scanning/scanRecord';
import { simplifyField } from '../common/simplify';

const show = { resource: ['scan'], operation: ['get'] };

export const getScanFields: INodeProperties[] = [
	scanIdField(show, {
		displayName: 'Scan',
		description:
			'The scan to read. The service looks it up by its long ID (full_scan_id), as the list of scans shows it; whether it takes the scan_id of a submission is not published.',
	}),
	simplifyField(show),
	optionsField(show),
];

/**
 * One scan as the service has it now.
 * @throws NodeApiError as `Service.send`, and when the answer is no record.
 */
export async function readScan(item: ItemRun, scanId: string): Promise<ScanRecord> {
	const call = item.scans.call('getScan', { scanId });
	const { body } = await item.send(call);
	if (isRecord(body)) return body;
	throw item.scans.service.wrongShape(call, 'there is no scan', item.itemIndex);
}

/** One scan, simplified unless the item says otherwise. */
export const getScan: Operation = async (item) => {
	const record = await readScan(item, item.scanId);
	return [item.parameter('simplify', true) === false ? record : simplifyScan(record)];
};
