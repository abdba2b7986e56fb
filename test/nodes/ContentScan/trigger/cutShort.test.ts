import { LifeOfFeed, START } from './support/lifeOfFeed';
import type { PageFault, Traits } from './support/scanListTraits';
import { ModelScanList } from './support/modelScanList';
import { PLAIN } from './support/scanListTraits';
import { watchedForAnHour as settings } from './support/feedSettings';

/** Twenty malicious scans of one second, in a list that gives five to a page and no window of more. */
function listOfTwenty(traits: Partial<Traits> = {}): ModelScanList {
	const created = START + 30;
	const scans = Array.from({ length: 20 }, (_, index) => ({
		id: `scan ${String(index).padStart(2, '0')}`,
		...{ created, listed: created },
		verdicts: [{ at: created + 5, code: 'MAL' }],
	}));
	return new ModelScanList(scans, { ...PLAIN, pageSize: 5, mostScans: 10, ...traits });
}

async function deliveredWith(
	list: ModelScanList,
	fault: PageFault,
	minutes: number,
	start = START,
) {
	const life = new LifeOfFeed(list, settings, true, start);
	for (let minute = 1; minute < 60; minute++) {
		list.nextFault = () => (minute <= minutes ? fault : 'none');
		await life.poll(START + 60 * minute);
	}
	return life.delivered.map(({ id }) => id!).sort();
}

const ALL = listOfTwenty().scans.map(({ id }) => id);

it('a list whose pages lead in a circle is read again until it is whole', async () => {
	expect(await deliveredWith(listOfTwenty(), 'repeats', 15)).toEqual(ALL);
});

it('a list that ends too early is read again until it is whole', async () => {
	expect(await deliveredWith(listOfTwenty(), 'endsEarly', 8)).toEqual(ALL);
});

it('a count that is of something else does not keep the trigger from going on', async () => {
	expect(await deliveredWith(listOfTwenty({ count: 'ofAll' }), 'none', 0)).toEqual(ALL);
});

it('nor does a count of all the scans there are, more than any window is read for', async () => {
	const list = listOfTwenty({ count: 'ofAll' });
	for (let old = 1000; old > 0; old--) {
		const created = START - old;
		list.scans.splice(1000 - old, 0, {
			id: `${old}`,
			...{ created, listed: created },
			verdicts: [],
		});
	}
	expect(await deliveredWith(list, 'none', 0, START + 30)).toEqual(ALL);
});

describe.each(['repeats', 'startsAgain', 'emptyPages', 'hasMoreOnly'] as const)(
	'where the last page always has a next one (%s)',
	(lastPage) => {
		it.each(['right', 'missing'] as const)(
			'the trigger falls behind once, and then keeps up, with a count that is %s',
			async (count) => {
				const MINUTE = 60;
				const scans = Array.from({ length: 300 }, (_, minute) => {
					const created = START + minute * MINUTE;
					const verdicts = [{ at: created + 5, code: 'MAL' }];
					return { id: `scan ${minute}`, created, listed: created, verdicts };
				});
				const list = new ModelScanList(scans, { ...PLAIN, lastPage, count });
				const life = new LifeOfFeed(list, settings);
				let said = 0;
				for (let minute = 1; minute <= 300; minute++) {
					await life.poll(START + minute * MINUTE);
					said += life.hasGivenUp ? 1 : 0;
				}
				expect(life.delivered.map(({ id }) => id)).toEqual(scans.map(({ id }) => id));
				const late = life.delivered
					.slice(200)
					.map(({ at }, index) => at - scans[200 + index].created);
				expect(Math.max(...late)).toBeLessThan(3 * MINUTE);
				expect(said).toBe(1);
			},
		);
	},
);
