import type { IDataObject } from 'n8n-workflow';
import { resultLimit } from '../../../../input/enteredValues';
import type { Operation } from '../itemRun';
import { largestResult, tooLargeResult } from '../../../common/resultSize';
import { filterQuery } from '../common/scanFilters';
import { PAGE_SIZE, scanPages } from '../../../../services/scanning/scanList';
import { simplifyScan } from '../../../../services/scanning/scanRecord';
import { scanOutput } from '../common/scanOutput';

/** In the service's own order: oldest first, as a third party found. */
export const getManyScans: Operation = async (item) => {
	const { simplify } = item;
	const wanted = resultLimit(item.context, item.itemIndex);
	const filters = item.parameter('filters', {}) as IDataObject;
	const query = {
		...filterQuery(filters, item.context.getTimezone(), item.clock.now()),
		limit: Math.min(wanted, PAGE_SIZE),
	};
	// Not the records: simplified, a list of any length takes a small part of their memory.
	const found: IDataObject[] = [];
	let counted: number | undefined;
	let size = 0;
	const pages = scanPages(item.scans, query, () => item.callContext());
	for await (const { records, count, bytes } of pages) {
		counted ??= count;
		for (const record of records.slice(0, wanted - found.length)) {
			size += bytes / records.length;
			if (size > largestResult(wanted)) throw tooLargeResult('scans', wanted);
			found.push(scanOutput(simplifyScan(record), { record, simplify }));
		}
		if (found.length >= wanted) break;
	}
	item.unlisted = Math.max(0, Math.min(counted ?? 0, wanted) - found.length);
	return found;
};
