import type { INodeProperties } from 'n8n-workflow';
import { queueTimeField } from '../../common/queueTime';
import { authenticationField, includeEventKeyField } from '../consoleFields';
import { maxTextSizeField, outputFields } from '../output/outputFields';
import { DEFAULT_PAGE_SIZE } from '../reading/pageSize';

const showForGetAll = { show: { operation: ['getAll'] } };

const maxQueueTime = queueTimeField('while the console refuses more calls (429)');

export const actionFields: INodeProperties[] = [
	authenticationField,
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Get',
				value: 'get',
				action: 'Get an audit log entry',
				description: 'Retrieve one entry by its ID',
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many audit log entries',
				description: 'List entries, the newest first or the oldest first',
			},
		],
		default: 'getAll',
	},
	{
		displayName: 'Audit Log ID',
		name: 'auditlogId',
		type: 'string',
		default: '',
		required: true,
		displayOptions: { show: { operation: ['get'] } },
		placeholder: 'e.g. 5f2c8a1b',
		description: 'ID of the entry, from its field auditlogId',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		displayOptions: { show: { operation: ['get'] } },
		options: [includeEventKeyField, maxQueueTime],
	},
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		displayOptions: showForGetAll,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		displayOptions: { show: { operation: ['getAll'], returnAll: [false] } },
		description: 'Max number of results to return',
	},
	{
		displayName: 'Order',
		name: 'order',
		type: 'options',
		options: [
			{
				name: 'Newest First',
				value: 'newestFirst',
				description: 'Start at Until, or now, and go back to Since',
			},
			{
				name: 'Oldest First',
				value: 'oldestFirst',
				description: 'Start at Since, or at the oldest entry the console still has',
			},
		],
		default: 'newestFirst',
		displayOptions: showForGetAll,
	},
	{
		displayName: 'Since',
		name: 'since',
		type: 'dateTime',
		default: '',
		displayOptions: showForGetAll,
		description:
			'Only entries created at or after this time. In the time zone of the workflow unless you add an offset. If empty: no limit (the console keeps 365 days).',
	},
	...outputFields({ operation: ['getAll'] }),
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		displayOptions: showForGetAll,
		options: [
			includeEventKeyField,
			maxQueueTime,
			maxTextSizeField,
			{
				displayName: 'Page Size',
				name: 'pageSize',
				type: 'number',
				typeOptions: { minValue: 1, numberPrecision: 0 },
				default: DEFAULT_PAGE_SIZE,
				description: 'Entries per request. The console may return fewer.',
			},
			{
				displayName: 'Until',
				name: 'until',
				type: 'dateTime',
				default: '',
				description:
					'Only entries created at or before this time. The console has no such filter, so reading stops at the first later entry.',
			},
		],
	},
];
