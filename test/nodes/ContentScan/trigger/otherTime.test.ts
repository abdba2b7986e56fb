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

it.each([-8, -1, 1, 8])(
	'scans come soon, and cost few calls, although the clock of n8n is off by %i hours',
	async (hours) => {
		const minutes = 90;
		const scans = Array.from({ length: 30 * minutes }, (_, index) => {
			const created = START + index * 2;
			return {
				id: `scan ${index}`,
				created,
				listed: created,
				verdicts: [{ at: created, code: 'MAL' }],
			};
		});
		const list = new ModelScanList(scans, PLAIN);
		list.n8nAhead = hours * 3_600_000;
		const life = new LifeOfFeed(list, settings);
		for (let minute = 1; minute <= minutes; minute++) await life.poll(START + minute * MINUTE);
		expect(life.delivered).toHaveLength(scans.length);
		const latest = life.delivered.reduce(
			(most, { at }, index) => Math.max(most, at - scans[index].created),
			0,
		);
		expect(latest).toBeLessThan(10 * MINUTE);
		expect(list.calls).toBeLessThan(8 * minutes);
	},
);
