import { watchedForAnHour } from './support/feedSettings';
import { LifeOfFeed, START } from './support/lifeOfFeed';
import { ModelScanList } from './support/modelScanList';
import { PLAIN } from './support/scanListTraits';

const MINUTE = 60;

it.each(['right', 'missing'] as const)(
	'a date to come: no scan that was created before it (date: %s)',
	async (date) => {
		const scans = Array.from({ length: 120 }, (_, minute) => {
			const created = START + minute * MINUTE;
			return {
				id: `scan ${minute}`,
				created,
				listed: created,
				verdicts: [{ at: created, code: 'MAL' }],
			};
		});
		const list = new ModelScanList(scans, { ...PLAIN, date });
		const startDate = START + 60 * MINUTE;
		const life = new LifeOfFeed(list, { ...watchedForAnHour, startDate }, true, startDate);
		for (let minute = 1; minute <= 125; minute++) await life.poll(START + minute * MINUTE);
		const ids = life.delivered.map(({ id }) => id);
		expect(ids).toEqual(scans.slice(60).map(({ id }) => id));
	},
);
