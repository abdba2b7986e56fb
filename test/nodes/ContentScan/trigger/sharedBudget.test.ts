import { LifeOfFeed, START } from './support/lifeOfFeed';
import { ModelScanList } from './support/modelScanList';
import { watchedForAnHour as settings } from './support/feedSettings';

const MINUTE = 60;

/** A trigger on a list with a scan each minute, while others spend so many calls before each poll. */
async function lived(rivals: number) {
	const scans = Array.from({ length: 60 }, (_, minute) => {
		const created = START + minute * MINUTE;
		const verdicts = [{ at: created + 20 * MINUTE, code: 'MAL' }];
		return { id: `scan ${minute}`, created, listed: created, verdicts };
	});
	const list = new ModelScanList(scans);
	const life = new LifeOfFeed(list, settings);
	for (let minute = 1; minute <= 60; minute++) {
		const from = list.calls;
		list.now = (START + minute * MINUTE) * 1000;
		for (let calls = 0; calls < rivals; calls++) life.budget.spend();
		await life.poll(START + minute * MINUTE);
		if (rivals > 20) expect(list.calls).toBe(from);
	}
	return life.delivered.map(({ id }) => id);
}

it.each([5, 12, 17])(
	'finds every verdict although others spend %i of its 20 calls before each poll',
	async (rivals) => {
		const ids = await lived(rivals);
		expect(ids).toEqual(Array.from({ length: ids.length }, (_, minute) => `scan ${minute}`));
		expect(ids.length).toBeGreaterThan(30);
	},
);

it('makes no call where others have spent the calls of more than three minutes, unless it is overdue', async () => {
	expect(await lived(70)).toEqual([]);
});
