import { active, BEGIN, entry, MINUTE } from '../support/triggerOnLog';

describe('a batch whose workflow failed', () => {
	const batch = ['a', 'b', 'c'];

	async function failed() {
		const log = [...batch, 'd', 'e'].map((id, second) => entry(id, second * 1000));
		const before = Array.from({ length: 30 }, (_, number) => entry(`${number}`, number - MINUTE));
		const { console, trigger } = active([...before, ...log], {
			startFrom: 'oldest',
			options: { moveOn: 'succeeded', pageSize: 3 },
		});
		console.now = BEGIN - 30_000;
		trigger.budgetMs = 36_000;
		await trigger.poll();
		console.now = BEGIN + 2000;
		trigger.ending = 'error';
		await trigger.poll();
		expect(trigger.started.splice(0).at(-1)).toEqual(batch);
		console.now += MINUTE;
		trigger.ending = 'success';
		return { console, trigger };
	}

	test('comes again as it was after a poll that had no time to read', async () => {
		const { trigger } = await failed();
		trigger.budgetMs = 0;
		await trigger.poll();
		expect(trigger.started).toEqual([]);
		trigger.budgetMs = 36_000;
		await trigger.poll();
		await trigger.poll();
		expect(trigger.started.filter((ids) => ids.length > 0)).toEqual([batch, ['d', 'e']]);
	});

	test('counts as failed before also where polls have time for a page or two of the lookback', async () => {
		const { console, trigger } = await failed();
		console.callMs = 20_000;
		for (let polls = 0; polls < 30; polls++) await trigger.poll();
		expect(trigger.started.flat()).toEqual([...batch, 'd', 'e']);
		expect(trigger.warnings).toEqual([expect.stringContaining('again, attempt 2')]);
	});
});
