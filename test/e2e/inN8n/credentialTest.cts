import { saveCredential, type CredentialDetails } from '../../../scripts/n8n/workflows.cts';
import type { N8nSession } from '../../../scripts/n8n/session.cts';

export interface CredentialTest {
	/** Id of the credential, which is saved first, as n8n's form does it. */
	id: string;
	status: 'OK' | 'Error';
	/** What n8n's form shows. */
	message: string;
}

/** Saves a credential and tests it, as the button of its form does. */
export async function testCredential(
	session: N8nSession,
	details: CredentialDetails,
): Promise<CredentialTest> {
	const id = await saveCredential(session, details);
	const credentials = { id, ...details };
	const result = await session.call<Omit<CredentialTest, 'id'>>('POST', '/credentials/test', {
		credentials,
	});
	return { id, status: result.status, message: result.message };
}
