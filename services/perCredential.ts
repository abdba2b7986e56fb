import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import type { RequestContext } from '../transport/connection';
import { operationError } from '../transport/errors/operationError';
import { digestOf } from './digestOf';

/**
 * Makes something of the credential that a node uses, for each item, since n8n works out the expressions in it for
 * each; but once only for items for which it says the same.
 * @throws NodeOperationError, of the function it returns, that names the field when a value is not usable.
 */
export function perCredential<T>(
	context: RequestContext,
	credentialType: string,
	make: (credential: ICredentialDataDecryptedObject) => T,
): (itemIndex?: number) => Promise<T> {
	const made = new Map<string, T>();
	return async (itemIndex) => {
		const credential = await context.getCredentials(credentialType, itemIndex);
		const key = digestOf(JSON.stringify(credential));
		try {
			const known = made.get(key) ?? make(credential);
			made.set(key, known);
			return known;
		} catch (error) {
			throw operationError(context.getNode(), error as Error, itemIndex);
		}
	};
}
