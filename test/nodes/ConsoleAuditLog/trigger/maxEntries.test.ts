import { active, entry, MINUTE } from '../support/triggerOnLog';

describe('few entries per poll', () => {
	const known = Array.from({ length: 300 }, (_, number) => entry(`known ${number}`, number * 500));
	const fresh = Array.from({ length: 25 }, (_, number) => entry(`new ${number}`, 200_000 + number));

	test('do not make a poll read the lookback in as small pages', async () => {
		const { console, trigger } = active([...known, ...fresh], { startFrom: 'oldest' }, 160_000);
		expect(await trigger.ids()).toHaveLength(300);
		trigger.parameters = { startFrom: 'oldest', options: { maxEntriesPerPoll: 10 } };
		console.now += MINUTE;
		const came: unknown[] = [];
		for (const count of [10, 10, 5, 0]) {
			console.urls.length = 0;
			const ids = await trigger.ids();
			expect(ids).toHaveLength(count);
			expect(console.urls.length).toBeLessThanOrEqual(5);
			came.push(...ids);
		}
		expect(came).toEqual(fresh.map((one) => one.entry.auditlogId));
	});

	test.each([1, 7, 100, 130])(
		'bring a backlog in order, %i at a time',
		async (maxEntriesPerPoll) => {
			const parameters = { startFrom: 'oldest', options: { maxEntriesPerPoll } };
			const { console, trigger } = active(known, parameters, 120 * MINUTE);
			const came: unknown[] = [];
			while (came.length < known.length) {
				console.urls.length = 0;
				const ids = await trigger.ids();
				expect(ids.length).toBeLessThanOrEqual(maxEntriesPerPoll);
				expect(console.urls.length).toBeLessThanOrEqual(2);
				came.push(...ids);
			}
			expect(came).toEqual(known.map((one) => one.entry.auditlogId));
			expect(await trigger.ids()).toEqual([]);
		},
	);
});
