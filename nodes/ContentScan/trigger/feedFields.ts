import type { INodeProperties } from 'n8n-workflow';
import { verdictOptions } from '../../../services/scanning/verdict';
import { moveOnField } from '../../common/polling/moveOnField';
import { startOverField } from '../../common/polling/startOverField';

/** Every verdict code that is not documented, and none at all. */
export const OTHER = 'other';

export const DEFAULT_WATCH_HOURS = 24;
/** A watch for longer than this would only fill the memory. */
export const LONGEST_WATCH_HOURS = 24 * 30;
export const DEFAULT_MAX_SCANS = 1000;
export const SIZE_OPTION = 'Max Scans per Poll';

export const feedFields: INodeProperties[] = [
	{
		displayName: 'Verdicts',
		name: 'verdicts',
		type: 'multiOptions',
		options: [
			...verdictOptions,
			{
				name: 'Other',
				value: OTHER,
				description: 'Any other verdict, and scans that do not finish in time',
			},
		].sort((a, b) => (a.name < b.name ? -1 : 1)),
		default: ['malicious', 'suspicious', 'restricted', 'other'],
		description: 'Which verdicts start the workflow. None selected means all.',
	},
	{
		displayName: 'Start From',
		name: 'startFrom',
		type: 'options',
		options: [
			{
				name: 'Date',
				value: 'date',
				description: 'Scans created at or after a date, then all new ones',
			},
			{
				name: 'Now',
				value: 'now',
				description: 'Only scans created after the workflow is first published',
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
		displayName: 'Simplify',
		name: 'simplify',
		type: 'boolean',
		default: true,
		description: 'Whether to return a simplified version of the response instead of the raw data',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: SIZE_OPTION,
				name: 'maxScansPerPoll',
				type: 'number',
				typeOptions: { minValue: 1, numberPrecision: 0 },
				default: DEFAULT_MAX_SCANS,
				description: 'Maximum number of scans in one execution. The next poll delivers the rest.',
			},
			moveOnField('Scans', SIZE_OPTION),
			{
				displayName: 'Organization ID',
				name: 'organizationId',
				type: 'string',
				default: '',
				description: 'Only scans of this organization. If empty, all that the token covers.',
			},
			{
				displayName: 'Origin',
				name: 'origin',
				type: 'string',
				default: '',
				description:
					'Only scans from this source, as the service names it. If empty, all scans that the token covers, whoever submitted them. If this workflow submits scans itself, set a source other than its own, or each scan starts it again.',
			},
			startOverField('Scans'),
			{
				displayName: 'Verdict Changes',
				name: 'verdictChanges',
				type: 'boolean',
				default: false,
				description:
					'Whether to start the workflow again when a verdict changes from or to a selected one, within Watch (Hours) after the scan was created. Adds previousVerdict.',
			},
			{
				displayName: 'Watch (Hours)',
				name: 'watchHours',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: LONGEST_WATCH_HOURS },
				default: DEFAULT_WATCH_HOURS,
				description:
					'How long to wait for a scan to finish, from its creation. A scan that takes longer is delivered as unfinished if Other is selected, and otherwise never.',
			},
		],
	},
];
