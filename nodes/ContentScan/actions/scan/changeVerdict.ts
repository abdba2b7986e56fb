import { UserError } from 'n8n-workflow';
import { runMutation } from '../common/mutation';
import type { Operation } from '../itemRun';
import { chosenVerdict } from '../../../../services/scanning/verdict';

export const changeVerdict: Operation = async (item) => {
	const { scanId } = item;
	const verdict = chosenVerdict(item.parameter('verdict', ''), 'Verdict');
	const reason = item.text('reason', 'Reason');
	if (reason === '') {
		throw new UserError("The 'Reason' is empty", {
			description:
				'Say why the verdict changes, e.g. "Known sender, checked by phone". Nothing was sent for this item.',
		});
	}
	const { code, word } = verdict;
	const values = { verdict: code, verdictWord: word, reason, comment: reason };
	return await runMutation(item, 'changeVerdict', { scanId, values }, { verdict: code });
};
