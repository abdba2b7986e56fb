import { LifeOfFeed, START } from './support/lifeOfFeed';
import { ModelScanList } from './support/modelScanList';
import { PLAIN } from './support/scanListTraits';

const MINUTE = 60;

const settings = {
	isChosen: (code: string) => code !== 'CLN',
	tellsUnfinished: true,
	verdictChanges: false,
	watchSeconds: 3600,
	maxScans: 1000,
};

it.each([120, 500, 800])(
	'with %i scans a minute each comes once, within twelve minutes of being listed with it',
	async (perMinute) => {
		const minutes = 45;
		const scans = Array.from({ length: perMinute * minutes }, (_, index) => {
			const created = START + Math.floor((index * MINUTE) / perMinute);
			const listed = index % 30 === 0 ? created + 5 * MINUTE : created;
			const verdicts = [{ at: listed + 20, code: index % 20 === 0 ? 'MAL' : 'CLN' }];
			return { id: `scan ${index}`, created, listed, verdicts };
		});
		const life = new LifeOfFeed(new ModelScanList(scans, { ...PLAIN, mostScans: 1000 }), settings);
		const finished = new Map(scans.map(({ id, verdicts }) => [id, verdicts[0].at]));
		for (let minute = 1; minute <= minutes + 11; minute++) await life.poll(START + minute * MINUTE);

		const late = life.delivered.map(({ id, at }) => at - finished.get(id!)!);
		expect(Math.max(...late)).toBeLessThanOrEqual(12 * MINUTE);
		const malicious = scans.filter((_, index) => index % 20 === 0);
		expect(life.delivered.map(({ id }) => id).sort()).toEqual(malicious.map(({ id }) => id).sort());
	},
);

it('a window for which the calls of a poll do not suffice is not taken as too long', async () => {
	const scan = (second: number, ...codes: Array<[at: number, code: string]>) => ({
		id: `scan ${second}`,
		created: START + second,
		listed: START + second,
		verdicts: codes.map(([at, code]) => ({ at: START + at, code })),
	});
	const pending = [1, 1200, 1201, 1202].map((second) => scan(second));
	const changed = scan(1920, [1920, 'MAL'], [3001, 'SUS']);
	// Two calls for each poll.
	const list = new ModelScanList(
		[...pending, changed],
		{ ...PLAIN, pageSize: 2, mostScans: 3 },
		20,
	);
	const life = new LifeOfFeed(list, { ...settings, verdictChanges: true, watchSeconds: 2400 });
	for (let time = 1800; time < 5400; time += 240) await life.poll(START + time);

	const told = life.delivered.filter(({ event }) => event !== 'unfinished');
	expect(told.map(({ code }) => code)).toEqual(['MAL', 'SUS']);
});

it('a burst comes within the hour, and what pends of it keeps no other scan back, with few calls and polls far apart', async () => {
	const HOUR = 60 * MINUTE;
	const scan = (id: number, created: number, finishedAfter: number) => ({
		id: `scan ${id}`,
		created,
		listed: created,
		verdicts: [{ at: created + finishedAfter, code: 'MAL' }],
	});
	const burst = Array.from({ length: 1200 }, (_, id) =>
		scan(id, START + 70 + Math.floor(id / 600), id % 600 < 599 ? 5 : 5 * HOUR),
	);
	const scans = [...burst, scan(1200, START + 4 * HOUR, HOUR)];
	const list = new ModelScanList(scans, PLAIN, 50);
	const life = new LifeOfFeed(list, { ...settings, maxScans: 10_000, watchSeconds: 72 * HOUR });
	for (let time = START; time <= START + 10 * HOUR; time += 10 * MINUTE) await life.poll(time);
	expect(life.delivered.map(({ id }) => id).sort()).toEqual(scans.map(({ id }) => id).sort());
	expect(life.delivered[1197].at).toBeLessThanOrEqual(START + HOUR);
});
