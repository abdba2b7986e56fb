import type { ScanRecord } from '../../../../services/scanning/scanRecord';
import { describesScan, matchStrength, recordIds } from '../../../../services/scanning/scanRecord';
import { serverMessage } from '../../../../transport/errors/serverMessage';
import { isRecord } from '../../../../transport/isRecord';
import type { ItemRun } from '../itemRun';

/** @throws NodeApiError as `Service.send`, and when the answer is no record of a scan (`{"detail": "Not found."}`). */
export async function readScan(item: ItemRun, scanId: string): Promise<ScanRecord> {
	const call = item.scans.call('getScan', { scanId });
	const { body } = await item.send(call);
	if (isRecord(body) && (describesScan(body) || recordIds(body).size > 0 || 'scan_id' in body))
		return body;
	const quote = await item.quoted(serverMessage(body) ?? '');
	throw await item.scans.service.wrongShape(call, 'there is no scan', item.itemIndex, quote);
}

/** What there is to say of a record that does not bear the ID as its own. */
export function mismatch(record: ScanRecord, scanId: string): { note?: string } {
	const strength = matchStrength(record, scanId);
	if (strength === 'own') return {};
	const what =
		strength === 'root' ? `only a part of scan ${scanId}` : 'a scan that does not have this ID';
	return {
		note: `The service answered with ${what}, so it is not known whether scan ${scanId} is clean.`,
	};
}
