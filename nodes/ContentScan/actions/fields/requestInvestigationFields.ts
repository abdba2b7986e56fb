import type { INodeProperties } from 'n8n-workflow';
import { verdictOptions } from '../../../../services/scanning/verdict';
import { optionsField } from './optionsField';
import { scanIdField } from './scanIdField';

const show = { resource: ['scan'], operation: ['requestInvestigation'] };

export const requestInvestigationFields: INodeProperties[] = [
	{
		displayName:
			"Ask your provider for the method, path and body of this operation, and enter them in the credential under 'Operation Paths'.",
		name: 'requestInvestigationNotice',
		type: 'notice',
		default: '',
		displayOptions: { show },
	},
	scanIdField(show, {
		displayName: 'Scan',
		description: "The scan that the provider's incident response team should look at",
	}),
	{
		displayName: 'Expected Verdict',
		name: 'expectedVerdict',
		type: 'options',
		options: verdictOptions,
		default: '',
		required: true,
		description: 'What you think the verdict should be',
		displayOptions: { show },
	},
	{
		displayName: 'Comment',
		name: 'comment',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		placeholder: 'e.g. Three users reported this mail as phishing',
		description: 'What the investigators should know. Default: empty.',
		displayOptions: { show },
	},
	optionsField(show),
];
