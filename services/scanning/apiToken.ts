import { UserError } from 'n8n-workflow';
import { enteredText } from '../../input/enteredValues';

/**
 * The token of a `contentScanApi` credential, without the spaces and line ends that copying adds.
 * @throws UserError for an empty token, one that is no text (an expression may give it), and one that is not
 * allowed in a header.
 */
export function apiToken(value: unknown): string {
	const token = enteredText(value, 'API Token').trim();
	if (token === '') {
		throw new UserError(`The 'API Token' of the credential is empty`, {
			description: 'Enter the token that the support contact or the admin console gave you.',
		});
	}
	if (/^token\s/i.test(token)) {
		throw new UserError(`The 'API Token' of the credential begins with "Token"`, {
			description: 'Enter the token alone: the word "Token" is added when it is sent.',
		});
	}
	if (!/^[\x21-\x7e]+$/.test(token)) {
		throw new UserError(
			`The 'API Token' of the credential contains a space, a line break or another character that is not allowed in a header`,
			{ description: 'Copy the token again, without spaces.' },
		);
	}
	return token;
}
