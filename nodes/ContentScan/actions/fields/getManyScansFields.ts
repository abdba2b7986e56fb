import type { INodeProperties } from 'n8n-workflow';
import { filterOptions } from './filterOptions';
import { optionsField } from './optionsField';
import { simplifyField } from './simplifyField';

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
		hint: 'The oldest come first. For recent scans, add the filter Created After.',
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
