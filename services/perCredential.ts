import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { digestOf } from './digestOf';

/**
 * Makes something of a credential, once for each set of values: n8n works out the expressions in a credential for
 * each item.
 */
export function perCredential<T>(
	make: (credential: ICredentialDataDecryptedObject) => T,
): (credential: ICredentialDataDecryptedObject) => T {
	const made = new Map<string, T>();
	return (credential) => {
		const key = digestOf(JSON.stringify(credential));
		const known = made.get(key) ?? make(credential);
		made.set(key, known);
		return known;
	};
}
