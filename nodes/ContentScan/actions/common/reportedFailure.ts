import { UserError } from 'n8n-workflow';
import type { Call } from '../../../../transport/call';
import type { ItemRun } from '../itemRun';

/**
 * The error of an item whose call was answered with a status of success, and words that say that it was
 * not done.
 * @param scanId What the answer gives as the ID of a new scan.
 */
export async function reportedFailure(
	item: ItemRun,
	{ purpose, howToCheck }: Call,
	body: unknown,
	scanId?: string,
): Promise<UserError> {
	return new UserError(`Could not ${purpose}: the scanning service reports a failure`, {
		description: [
			`It answered: ${await item.quoted(JSON.stringify(body))}.`,
			scanId !== undefined && `It gave the scan ID ${await item.quoted(scanId)}.`,
			howToCheck,
		]
			.filter(Boolean)
			.join(' '),
	});
}
