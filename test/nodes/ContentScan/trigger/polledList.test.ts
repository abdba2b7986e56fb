import { pagesOf } from '../../../../nodes/ContentScan/trigger/polledList';
import { listBudget } from '../../../../services/scanning/listBudget';
import { FakeClock } from '../../../support/fakeClock.cts';
import { FakeService, scanService } from '../support/fakeService';

it('pays for each request of a call that is repeated', async () => {
	const service = new FakeService(({ context }) => {
		for (let retries = 0; retries < 3; retries++) context.onRetry?.();
		return { results: [] };
	});
	const clock = new FakeClock();
	const scans = scanService(service);
	const budget = listBudget(scans, 'trigger', clock, new Map());
	await pagesOf({ scans, budget, filters: {}, clock, deadline: clock.now() + 60_000 }, {}).next();
	expect(budget.waitMs()).toBe(4 * budget.callMs);
});
