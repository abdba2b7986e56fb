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
	const readIn: number[] = [];
	for (let minute = 1; minute <= 60; minute++) {
		const from = list.calls;
		list.now = (START + minute * MINUTE) * 1000;
		for (let calls = 0; calls < rivals; calls++) life.budget.spend();
		await life.poll(START + minute * MINUTE);
		if (list.calls > from) readIn.push(minute);
	}
	return { ids: life.delivered.map(({ id }) => id), readIn };
}

it.each([5, 12, 17])(
	'finds every verdict although others spend %i of its 20 calls before each poll',
	async (rivals) => {
		const { ids } = await lived(rivals);
		expect(ids).toEqual(Array.from({ length: ids.length }, (_, minute) => `scan ${minute}`));
		expect(ids.length).toBeGreaterThan(30);
	},
);

it('where others have spent the calls of more than three minutes, it reads only once it is overdue, and finds all', async () => {
	const { ids, readIn } = await lived(70);
	expect(ids).toEqual(Array.from({ length: ids.length }, (_, minute) => `scan ${minute}`));
	expect(ids.length).toBeGreaterThan(25);
	const pauses = readIn.slice(1).map((minute, at) => minute - readIn[at]);
	expect(Math.min(...pauses)).toBeGreaterThanOrEqual(5);
});

/** A list with a scan each second for three hours. */
function busyList(): ModelScanList {
	return new ModelScanList(
		Array.from({ length: 180 * 60 }, (_, second) => {
			const created = START + second;
			const verdicts = [{ at: created + 20, code: 'MAL' }];
			return { id: `scan ${second}`, created, listed: created, verdicts };
		}),
	);
}

it.each([5, 15])(
	'one that polls each %i minutes keeps up although others have always spent the calls before it',
	async (interval) => {
		const list = busyList();
		const life = new LifeOfFeed(list, settings);
		for (let minute = interval; minute <= 180; minute += interval) {
			list.now = (START + minute * MINUTE) * 1000;
			for (let calls = 0; calls < 12; calls++) life.budget.spend();
			await life.poll(START + minute * MINUTE);
		}
		const behind = START + 180 * MINUTE - life.state.settledTo;
		expect(behind).toBeLessThan(2 * interval * MINUTE + 10 * MINUTE);
	},
);

it('one that has not polled for an hour leaves calls of the same minute for others', async () => {
	const list = busyList();
	const life = new LifeOfFeed(list, { ...settings, maxScans: 10_000 });
	await life.poll(START + MINUTE);
	list.now = (START + 61 * MINUTE) * 1000;
	for (let calls = 0; calls < 12; calls++) life.budget.spend();
	const before = list.calls;
	await life.poll(START + 61 * MINUTE);
	expect(list.calls - before).toBeGreaterThan(10);
	expect(list.calls - before).toBeLessThan(25);
});
