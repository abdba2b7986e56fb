import { listEntries } from '../../../services/console/auditLog';
import { MOST_ON_A_PAGE } from '../../../services/pageCircle';
import { FakeService } from '../../nodes/ContentScan/support/fakeService';

it('refuses a page of more records than any log has, before it makes entries of them', async () => {
	const page = (length: number) =>
		listEntries(new FakeService(() => ({ items: Array(length).fill(null) })), { limit: 100 });
	await expect(page(MOST_ON_A_PAGE + 1)).rejects.toThrow('one page holds over 50,000 records');
	expect((await page(MOST_ON_A_PAGE)).page.items).toHaveLength(MOST_ON_A_PAGE);
});
