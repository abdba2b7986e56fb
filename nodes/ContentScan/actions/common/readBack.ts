import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { readScan } from '../scan/getScan';
import type { ItemRun } from '../itemRun';
import type { ScanRecord } from '../../../../services/scanning/scanRecord';

/**
 * The option with which an operation reports what state resulted from it.
 * @param what Completes "return".
 */
export function readBackOption(what: string): INodeProperties {
	return {
		displayName: 'Read Scan Afterwards',
		name: 'readBack',
		type: 'boolean',
		default: false,
		description: `Whether to read the scan afterwards and return ${what} as "scan", at the cost of one more call. Off by default.`,
	};
}

/**
 * What reading the scan after an operation adds to its result. When it cannot be read the item does
 * not fail, since the operation itself was carried out: it says so in `note`.
 *
 * @param shown What of the record is returned.
 */
export async function readBack(
	item: ItemRun,
	scanId: string,
	shown: (record: ScanRecord) => IDataObject,
): Promise<IDataObject> {
	if (item.options.readBack !== true) return {};
	try {
		return { scan: shown(await readScan(item, scanId)) };
	} catch (error) {
		return {
			scan: null,
			note: `The operation was carried out, but the scan could not be read afterwards. ${(error as Error).message}`,
		};
	}
}
