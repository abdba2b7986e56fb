import { runMutation } from '../common/mutation';
import type { Operation } from '../itemRun';
import { chosenVerdict } from '../../../../services/scanning/verdict';

export const requestInvestigation: Operation = async (item) => {
	const { scanId } = item;
	const verdict = chosenVerdict(item.parameter('expectedVerdict', ''), 'Expected Verdict');
	const comment = item.text('comment', 'Comment');
	const { code, word } = verdict;
	const values = { verdict: code, verdictWord: word, reason: comment, comment };
	return await runMutation(item, 'requestInvestigation', { scanId, values }, { isForLater: true });
};
