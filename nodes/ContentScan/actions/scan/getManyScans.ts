import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { resultLimit } from '../../../../input/enteredValues';
import { optionsField } from '../common/executionOptions';
import type { Operation } from '../itemRun';
import { filterOptions, filterQuery } from '../common/scanFilters';
import { PAGE_SIZE, scanPages } from '../../../../services/scanning/scanList';
import type { ScanRecord } from '../../../../services/scanning/scanRecord';
import { simplifyScan } from '../../../../services/scanning/scanRecord';
import { scanOutput, simplifyField } from '../common/scanOutput';

const show = { resource: ['scan'], operation: ['getAll'] };

export const getManyScansFields: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
		displayOptions: { show },
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
		displayOptions: { show: { ...show, returnAll: [false] } },
	},
	simplifyField(show),
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add filter',
		default: {},
		description:
			'Which scans to return. A scan must match all filters. The service may refuse a time range that holds 1,000 scans or more: choose a shorter one.',
		displayOptions: { show },
		options: filterOptions,
	},
	optionsField(show),
];

/** In the service's own order: oldest first, as a third party found. */
export const getManyScans: Operation = async (item) => {
	const { simplify } = item;
	const wanted = resultLimit(item.context, item.itemIndex);
	const filters = item.parameter('filters', {}) as IDataObject;
	const query = {
		...filterQuery(filters, item.context.getTimezone()),
		limit: Math.min(wanted, PAGE_SIZE),
	};
	const found: ScanRecord[] = [];
	for await (const { records } of scanPages(item.scans, query, () => item.callContext())) {
		for (const record of records.slice(0, wanted - found.length)) found.push(record);
		if (found.length >= wanted) break;
	}
	return found.map((record) => scanOutput(simplifyScan(record), { record, simplify }));
};
