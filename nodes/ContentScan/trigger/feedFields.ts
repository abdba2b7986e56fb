import type { INodeProperties } from 'n8n-workflow';
import { verdictOptions } from '../../../services/scanning/verdict';
import { moveOnField } from '../../common/polling/moveOnField';

/** Every verdict code that is not documented, and none at all. */
export const OTHER = 'other';

export const DEFAULT_WATCH_HOURS = 24;
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
				description: 'Any verdict not listed here, and scans that do not finish in time',
			},
		].sort((a, b) => a.name.localeCompare(b.name)),
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
				description: 'Only scans created after the workflow is activated',
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
				description: 'Most scans in one execution. What is left comes with the next poll.',
			},
			moveOnField('Scans', SIZE_OPTION),
			{
				displayName: 'Organization ID',
				name: 'organizationId',
				type: 'string',
				default: '',
				description: 'Only scans of this organization, among those the token reaches',
			},
			{
				displayName: 'Origin',
				name: 'origin',
				type: 'string',
				default: '',
				description:
					'Only scans that came in this way, sent as it is. Needed where the workflow itself submits scans: else each of them starts it again.',
			},
			{
				displayName: 'Verdict Changes',
				name: 'verdictChanges',
				type: 'boolean',
				default: false,
				description:
					'Whether a scan also starts the workflow when its verdict changes from or to a selected one, with previousVerdict. Watched as long as Watch (Hours) says.',
			},
			{
				displayName: 'Watch (Hours)',
				name: 'watchHours',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: DEFAULT_WATCH_HOURS,
				description:
					'How long after its creation a scan may finish and still be found. A scan that takes longer comes as unfinished, where Other is selected.',
			},
		],
	},
];
