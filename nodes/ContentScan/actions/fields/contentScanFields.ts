import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { changeVerdictFields } from './changeVerdictFields';
import { getManyScansFields } from './getManyScansFields';
import { getScanFields } from './getScanFields';
import { releaseEmailFields } from './releaseEmailFields';
import { requestInvestigationFields } from './requestInvestigationFields';
import { scanFileFields } from './scanFileFields';
import { scanUrlFields } from './scanUrlFields';

/** In the order of use, not of the alphabet: what Enter picks in the list of actions is harmless. */
const scanOperationOptions: INodePropertyOptions[] = [
	{
		name: 'Scan File',
		value: 'scanFile',
		action: 'Scan a file',
		description: 'Submit a file and get its verdict, such as malicious or clean',
	},
	{
		name: 'Scan URL',
		value: 'scanUrl',
		action: 'Scan a URL',
		description: 'Submit a URL and get its verdict, such as malicious or clean',
	},
	{
		name: 'Get',
		value: 'get',
		action: 'Get a scan',
		description: 'Read the status and verdict of one scan',
	},
	{
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many scans',
		description: 'List scans by time, verdict, origin or email, oldest first',
	},
	{
		name: 'Request Investigation',
		value: 'requestInvestigation',
		action: 'Request investigation of a scan',
		description: "Ask the provider's incident response team to look at one scan",
	},
	{
		name: 'Change Verdict',
		value: 'changeVerdict',
		action: 'Change verdict of a scan',
		description: 'Replace the verdict of one scan with your own',
	},
];

const scanOperations: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['scan'] } },
	options: scanOperationOptions,
	default: 'scanFile',
};

const emailOperations: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['email'] } },
	options: [
		{
			name: 'Release',
			value: 'release',
			action: 'Release an email from quarantine',
			description: 'Deliver a quarantined email to its recipients',
		},
	],
	default: 'release',
};

export const contentScanFields: INodeProperties[] = [
	{
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'Scan', value: 'scan' },
			{ name: 'Email', value: 'email' },
		],
		default: 'scan',
	},
	scanOperations,
	emailOperations,
	...scanFileFields,
	...scanUrlFields,
	...getScanFields,
	...getManyScansFields,
	...changeVerdictFields,
	...requestInvestigationFields,
	...releaseEmailFields,
];
