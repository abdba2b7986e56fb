import type { INodeProperties } from 'n8n-workflow';
import { USUAL_FIELDS } from '../../../services/console/auditLogEntry';
import { moveOnField } from '../../common/polling/moveOnField';
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
				description: 'Entries generated at or after a date, then all new ones',
			},
			{
				name: 'Now',
				value: 'now',
				description: 'Only entries that appear after the workflow is activated',
			},
			{
				name: 'Oldest',
				value: 'oldest',
				description:
					'All entries the console still has (up to 365 days), then all new ones. A backlog is read over many polls.',
			},
		],
		default: 'now',
		description: 'Where to begin when the workflow is activated for the first time',
	},
	{
		displayName: 'Start Date',
		name: 'startDate',
		type: 'dateTime',
		default: '',
		required: true,
		displayOptions: { show: { startFrom: ['date'] } },
		description: 'Without an offset, in the time zone of the workflow',
	},
	{
		displayName:
			'The console judges nothing and detects no intrusions: it records, and your workflow decides what matters.',
		name: 'judgementNotice',
		type: 'notice',
		default: '',
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
					'Field of an entry that holds its ID; a dot leads into nested objects. Entries without it are told apart by their content. Changing it starts anew.',
			},
			includeEventKeyField,
			{
				displayName: 'Lookback (Minutes)',
				name: 'lookbackMinutes',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: DEFAULT_LOOKBACK_MINUTES,
				description:
					'How late an entry may appear in the log, after the time it bears, and still be found. Every poll reads this stretch again; entries delivered before are left out.',
			},
			{
				displayName: MAX_ENTRIES_OPTION,
				name: 'maxEntriesPerPoll',
				type: 'number',
				typeOptions: { minValue: 1, numberPrecision: 0 },
				default: DEFAULT_MAX_ENTRIES,
				description: 'Most entries in one execution. What is left comes with the next poll.',
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
					'Most entries in one request. Starts at 100 and grows to 5,000 for backlogs unless you set a value.',
			},
			{
				displayName: 'Start Over',
				name: 'startOver',
				type: 'string',
				default: '',
				noDataExpression: true,
				placeholder: 'e.g. 2026-01-31',
				description:
					"Any text. Change it to make the trigger start over as 'Start From' says, on the next publish. Entries may come again.",
			},
			{
				displayName: 'Timestamp Field',
				name: 'timestampField',
				type: 'string',
				default: timestampField,
				description:
					'Field of an entry that holds the time it was generated; a dot leads into nested objects. An entry without it counts as generated with the next one that has it. Changing it starts anew.',
			},
		],
	},
];
