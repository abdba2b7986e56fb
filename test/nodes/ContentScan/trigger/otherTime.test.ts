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

/** Scans that come every two seconds for an hour and a half, and the trigger that delivers them. */
async function liveWithOtherClock(traits: Traits, n8nAhead: number) {
	const minutes = 90;
	const scans = Array.from({ length: 30 * minutes }, (_, index) => {
		const created = START + index * 2;
		const verdicts = [{ at: created, code: 'MAL' }];
		return { id: `scan ${index}`, created, listed: created, verdicts };
	});
	const list = new ModelScanList(scans, traits);
	list.n8nAhead = n8nAhead;
	const life = new LifeOfFeed(list, settings);
	for (let minute = 1; minute <= minutes; minute++) await life.poll(START + minute * MINUTE);
	expect(life.delivered).toHaveLength(scans.length);
	const delays = life.delivered.map(({ at }, index) => at - scans[index].created);
	expect(Math.max(...delays)).toBeLessThan(10 * MINUTE);
	return list.calls / minutes;
}

it.each([-8, -1, 1, 8])(
	'scans come soon, and cost few calls, although the clock of n8n is off by %i hours',
	async (hours) => {
		expect(await liveWithOtherClock(PLAIN, hours * 3_600_000)).toBeLessThan(8);
	},
);

it("scans come soon although the service's clock is hours behind", async () => {
	expect(await liveWithOtherClock({ ...PLAIN, date: 'behind' }, 0)).toBeLessThan(12);
});
