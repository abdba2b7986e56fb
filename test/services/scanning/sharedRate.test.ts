import { scanServices } from '../../../services/scanning/scanService';
import type { RequestContext } from '../../../transport/connection';
import { queueFor } from '../../../transport/queue/queueRegistry';

async function scansWith(callsPerMinute: number) {
	const credential = { environment: 'us', apiToken: 'TOP-SECRET-1', callsPerMinute };
	return await scanServices({
		getCredentials: async () => credential,
		getNode: () => ({ name: 'Content Scan' }),
	} as unknown as RequestContext)();
}

it('the calls per minute are those of all credentials with the token, as they are now', async () => {
	const scans = await scansWith(100);
	expect(scans.callsPerMinute).toBe(100);
	const stated = (credentialId: string, callsPerMinute: number, statedAt: number) =>
		queueFor(scans.tokenKey, { credentialId, callsPerMinute, statedAt });
	stated('one', 100, 1);
	stated('another', 10, 1);
	expect(scans.callsPerMinute).toBe(10);
	stated('another', 600, 2);
	expect(scans.callsPerMinute).toBe(100);
});
