import { UserError } from 'n8n-workflow';

/** In characters. An error text is searched for a secret in all its spellings, which takes its time. */
const LONGEST_SECRET = 16_384;

/**
 * @param label The option's display name.
 * @throws UserError for a text that is too long to be a password or a set of headers.
 */
export function refuseLongSecret(text: string, label: string): void {
	if (text.length <= LONGEST_SECRET) return;
	const most = LONGEST_SECRET.toLocaleString('en-US');
	throw new UserError(`The option '${label}' is longer than ${most} characters`, {
		description: 'Check its expression. Nothing was sent for this item.',
	});
}
