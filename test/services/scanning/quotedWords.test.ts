import { scanServices } from '../../../services/scanning/scanService';
import { expectCost } from '../../support/expectCost.cts';

const scanService = async () =>
	await scanServices({
		getNode: () => ({ name: 'Content Scan', credentials: { contentScanApi: {} } }),
		getCredentials: async () =>
			await Promise.resolve({ baseUrl: 'https://scan.example.com', apiToken: 'TOP-SECRET-1' }),
	} as never)(0);

const secrets = Array.from({ length: 1200 }, (_, item) => `secret ${item} `.padEnd(900, 'x'));

it('the service is quoted without the secrets of the credential and of the item', async () => {
	const { quoted } = await scanService();
	expect(await quoted('neither TOP-SECRET-1 nor pass%20word', ['pass word'])).toBe(
		'neither [redacted] nor [redacted]',
	);
});

it('for hundreds of items with long secrets of their own it is not quoted, at no cost', async () => {
	const { quoted } = await scanService();
	await expectCost(1, async () => expect(await quoted('Maintenance', secrets)).toBe('…'));
});
