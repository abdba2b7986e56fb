import type { INodeProperties } from 'n8n-workflow';
import { USUAL_FIELDS } from '../../../services/console/auditLogEntry';
import { moveOnField } from '../../common/polling/moveOnField';
import { startOverField } from '../../common/polling/startOverField';
import { authenticationField, includeEventKeyField } from '../consoleFields';
import { maxTextSizeField, outputFields } from '../output/outputFields';
import { DEFAULT_PAGE_SIZE } from '../reading/pageSize';

const { idField, timestampField } = USUAL_FIELDS;

export const MAX_ENTRIES_OPTION = 'Max Entries per Poll';
export const DEFAULT_MAX_ENTRIES = 10_000;
export const DEFAULT_LOOKBACK_MINUTES = 5;

export const triggerFields: INodeProperties[] = [
	authenticationField,
	{
		displayName: 'Start From',
		name: 'startFrom',
		type: 'options',
		options: [
			{
				name: 'Date',
				value: 'date',
				description: 'Entries created at or after a date, then all new ones',
			},
			{
				name: 'Now',
				value: 'now',
				description: 'Only entries that appear after the workflow is first published',
			},
			{
				name: 'Oldest',
				value: 'oldest',
				description:
					'All entries the console still has (up to 365 days), then all new ones. A long backlog takes several polls.',
			},
		],
		default: 'now',
		description: 'Where to start when the workflow is first published',
		hint: 'For the first start only. To begin again here later, use the option Start Over.',
	},
	{
		displayName: 'Start Date',
		name: 'startDate',
		type: 'dateTime',
		default: '',
		required: true,
		displayOptions: { show: { startFrom: ['date'] } },
		description: 'In the time zone of the workflow unless you add an offset',
	},
	{
		displayName:
			'All new entries of one poll start the workflow together, as the items of one execution. To alert on only some, add an If node, for example on "action".',
		name: 'judgementNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { output: ['items'] } },
	},
	...outputFields(),
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'ID Field',
				name: 'idField',
				type: 'string',
				default: idField,
				description:
					'Field that holds the unique ID of an entry. Use dots for nested fields. Entries without an ID are compared by their content. Changing this resets the trigger.',
			},
			includeEventKeyField,
			{
				displayName: 'Lookback (Minutes)',
				name: 'lookbackMinutes',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: DEFAULT_LOOKBACK_MINUTES,
				description:
					'How late an entry may appear in the log and still be found. Each poll reads this period again and skips what it has delivered.',
			},
			{
				displayName: MAX_ENTRIES_OPTION,
				name: 'maxEntriesPerPoll',
				type: 'number',
				typeOptions: { minValue: 1, numberPrecision: 0 },
				default: DEFAULT_MAX_ENTRIES,
				description: 'Maximum number of entries in one execution. The next poll delivers the rest.',
			},
			maxTextSizeField,
			moveOnField('Entries', MAX_ENTRIES_OPTION),
			{
				displayName: 'Page Size',
				name: 'pageSize',
				type: 'number',
				typeOptions: { minValue: 1, numberPrecision: 0 },
				default: DEFAULT_PAGE_SIZE,
				description:
					'Maximum number of entries in one request. Starts at 100 and grows to 5,000 for backlogs unless you set a value.',
			},
			startOverField('Entries'),
			{
				displayName: 'Timestamp Field',
				name: 'timestampField',
				type: 'string',
				default: timestampField,
				description:
					"Field that holds the time an entry was created. Use dots for nested fields. Entries without a timestamp use the next entry's. Changing this resets the trigger.",
			},
		],
	},
];
