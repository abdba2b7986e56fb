import type { INodeProperties } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { readBackOption, runMutation } from '../common/mutation';
import { optionsField } from '../common/executionOptions';
import type { Operation } from '../itemRun';
import { scanIdField } from '../common/scanId';
import { chosenVerdict, verdictOptions } from '../../../../services/scanning/verdict';

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
			'The new verdict. From malicious or spam to clean also releases the email; from clean to malicious may quarantine it.',
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

export const changeVerdict: Operation = async (item) => {
	const { scanId } = item;
	const verdict = chosenVerdict(item.parameter('verdict', ''), 'Verdict');
	const reason = item.text('reason', 'Reason');
	if (reason === '') {
		throw new UserError("The 'Reason' is empty", {
			description:
				'Say why the verdict changes, e.g. "Known sender, checked by phone". Nothing was sent.',
		});
	}
	return await runMutation(item, 'changeVerdict', {
		scanId,
		values: { verdict: verdict.code, verdictWord: verdict.word, reason, comment: reason },
	});
};
