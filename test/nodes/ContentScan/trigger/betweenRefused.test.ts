import { LifeOfFeed, START } from './support/lifeOfFeed';
import { ModelScanList } from './support/modelScanList';
import { watchedForAnHour } from './support/feedSettings';

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

/** Ten slow scans, 5 seconds apart. Two of them the service no longer lists when they have finished. */
function listWithTwoRefused(): ModelScanList {
	return new ModelScanList(
		Array.from({ length: 10 }, (_, index) => {
			const created = START + 30 * MINUTE + 5 * index;
			const isRefused = index === 2 || index === 5;
			const refused = { failsFrom: created + 12 * MINUTE, failsUntil: START + DAY };
			const verdicts = [{ at: created + (20 + index / 2) * MINUTE, code: 'MAL' }];
			return { id: `scan ${index}`, created, listed: created, verdicts, ...(isRefused && refused) };
		}),
	);
}

it('a scan that is created between two that the service refuses is told within minutes', async () => {
	const settings = { ...watchedForAnHour, watchSeconds: DAY };
	const life = new LifeOfFeed(listWithTwoRefused(), settings);
	for (let minute = 1; minute < 80; minute++) await life.poll(START + minute * MINUTE);
	expect(life.delivered.map(({ id }) => id).toSorted()).toEqual(
		[0, 1, 3, 4, 6, 7, 8, 9].map((index) => `scan ${index}`),
	);
});
