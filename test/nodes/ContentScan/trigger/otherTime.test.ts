import { LifeOfFeed, START } from './support/lifeOfFeed';
import type { Traits } from './support/modelScanList';
import { ModelScanList, PLAIN } from './support/modelScanList';
import { watchedForAnHour as settings } from './support/feedSettings';

const MINUTE = 60;

it.each<Traits['createdAt']>(['earlier', 'later', 'local', 'missing'])(
	'a scan comes once, with its verdict, where its created_at is not the time the list goes by (%s)',
	async (createdAt) => {
		const scans = Array.from({ length: 120 }, (_, index) => {
			const created = START + index * 30;
			const verdicts = [{ at: created + (index % 40) * MINUTE, code: 'MAL' }];
			return { id: `scan ${index}`, created, listed: created, verdicts };
		});
		const list = new ModelScanList(scans, { ...PLAIN, createdAt });
		const life = new LifeOfFeed(list, settings);
		for (let minute = 1; minute <= 180; minute++) await life.poll(START + minute * MINUTE);
		expect(life.delivered.map(({ id }) => id).sort()).toEqual(scans.map(({ id }) => id).sort());
		expect(life.delivered.every(({ event }) => event === 'finished')).toBe(true);
	},
);
