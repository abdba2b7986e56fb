import type { INodeProperties } from 'n8n-workflow';
import { verdictOptions } from '../../../../services/scanning/verdict';
import { optionsField } from './optionsField';
import { readBackOption } from './readBackOption';
import { scanIdField } from './scanIdField';

const show = { resource: ['scan'], operation: ['changeVerdict'] };

export const changeVerdictFields: INodeProperties[] = [
	{
		displayName:
			"Ask your provider for the method, path and body of this operation, and enter them in the credential under 'Operation Paths'.",
		name: 'changeVerdictNotice',
		type: 'notice',
		default: '',
		displayOptions: { show },
	},
	scanIdField(show, {
		displayName: 'Scan',
		description: 'The scan whose verdict to change. The change affects this one scan only.',
	}),
	{
		displayName: 'Verdict',
		name: 'verdict',
		type: 'options',
		options: verdictOptions,
		default: '',
		required: true,
		description:
			'The new verdict. Changing malicious or spam to clean also releases the email; changing clean to malicious may quarantine it.',
		displayOptions: { show },
	},
	{
		displayName: 'Reason',
		name: 'reason',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		placeholder: 'e.g. Known sender, checked by phone',
		required: true,
		description: 'The reason for the change, sent to the provider',
		displayOptions: { show },
	},
	optionsField(show, [readBackOption]),
];
