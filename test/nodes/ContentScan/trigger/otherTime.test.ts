import { LifeOfFeed, START } from './support/lifeOfFeed';
import type { ModelScan, Traits } from './support/scanListTraits';
import { ModelScanList } from './support/modelScanList';
import { PLAIN } from './support/scanListTraits';
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

describe("on a busy list each comes soon although the service's `Date` header is wrong for hours", () => {
	/** So many scans a minute, then few, a list whose calls take so long, and an n8n that is down at first. */
	async function busyList(
		traits: Partial<Traits>,
		{ perMinute = 60, minutes = 90, callMs = 0, thenEach = Infinity, downUntil = 0 } = {},
	) {
		const scans: ModelScan[] = [];
		let created = START + 120;
		while (created < START + 90 * MINUTE) {
			const verdicts = [{ at: created + 20, code: 'MAL' }];
			scans.push({ id: `scan ${scans.length}`, created, listed: created, verdicts });
			created += scans.length < perMinute * minutes ? MINUTE / perMinute : thenEach;
		}
		const list = new ModelScanList(scans, { ...PLAIN, ...traits });
		const send = list.send.bind(list);
		list.send = async (call, context) => {
			list.now += callMs;
			return await send(call, context);
		};
		const life = new LifeOfFeed(list, {
			...settings,
			verdictChanges: true,
			watchSeconds: 120 * MINUTE,
		});
		for (let minute = downUntil + 1; minute <= 130; minute++)
			await life.poll(START + minute * MINUTE);
		expect(life.delivered.map(({ id }) => id).sort()).toEqual(scans.map(({ id }) => id).sort());
		const delays = life.delivered.map(
			({ id, at }) => at - scans[Number(id!.split(' ')[1])].verdicts[0].at,
		);
		expect(Math.max(...delays)).toBeLessThan((downUntil + 30) * MINUTE);
	}

	test('it stands still, and no scan tells its time', async () => {
		await busyList({ date: 'still', createdAt: 'null' });
	});

	test('long windows are refused, and n8n was down', async () => {
		await busyList({ date: 'hoursBehind', longestWindow: 300 }, { downUntil: 30 });
	});

	test('calls take so long that a poll ends by its time', async () => {
		await busyList({ date: 'hoursBehind' }, { perMinute: 40, callMs: 4500 });
	});

	test('it is busy for minutes only, and then quiet', async () => {
		await busyList(
			{ date: 'still', createdAt: 'local' },
			{ perMinute: 3000, minutes: 1, thenEach: 7.3 * MINUTE },
		);
	});
});

/** A trigger that polls each minute, and scans of which each takes so many minutes. */
async function liveWith(minutes: number[], traits: Partial<Traits>, n8nAhead = 0) {
	const scans = minutes.map((takes, index) => {
		const created = START + index * 20;
		const verdicts = [{ at: created + takes * MINUTE, code: 'MAL' }];
		return { id: `scan ${index}`, created, listed: created, verdicts };
	});
	const list = new ModelScanList(scans, { ...PLAIN, ...traits });
	list.n8nAhead = n8nAhead;
	const life = new LifeOfFeed(list, { ...settings, watchSeconds: 86_400 });
	for (let minute = 1; minute <= 300; minute++) await life.poll(START + minute * MINUTE);
	return { life, scans };
}

it.each([
	[0, 10],
	[10, 20],
	[20, 23],
	[23, 60],
])(
	'a scan comes once where the list goes by the time of its finish (%i to %i minutes)',
	async (least, most) => {
		const minutes = Array.from({ length: 200 }, (_, i) => least + ((most - least) * i) / 200);
		const { life, scans } = await liveWith(minutes, { goesBy: 'finish' });
		expect(life.delivered.map(({ id }) => id).sort()).toEqual(scans.map(({ id }) => id).sort());
	},
);

it.each([0, 1, 8])(
	"scans that take long come soon although n8n's clock is ahead by %i hours, and few are remembered",
	async (hours) => {
		const minutes = Array.from({ length: 600 }, (_, i) => (i % 10 === 0 ? 11 + i / 20 : 1));
		const { life, scans } = await liveWith(minutes, {}, hours * 3_600_000);
		expect(life.delivered).toHaveLength(scans.length);
		const late = life.delivered.map(({ id, at }) => {
			return at - scans.find((scan) => scan.id === id)!.verdicts[0].at;
		});
		expect(Math.max(...late)).toBeLessThan(12 * MINUTE);
		expect(life.largestState).toBeLessThan(8000);
	},
);

/** The same for three hours, with two scans a minute that each finish at once. @returns How late they came, in seconds. */
async function delaysOf(hours: number, { poisoned = -1, refusesFuture = false, restartAt = 0 }) {
	const minutes = 180;
	const scans = Array.from({ length: 2 * minutes }, (_, index) => {
		const created = START + index * 30;
		const verdicts = [{ at: created, code: 'MAL' }];
		const failsUntil = index === poisoned ? Infinity : undefined;
		return { id: `scan ${index}`, created, listed: created, verdicts, failsUntil };
	});
	const list = new ModelScanList(scans, { ...PLAIN, refusal: 500 });
	list.n8nAhead = hours * 3_600_000;
	const send = list.send.bind(list);
	list.send = async (call, context) => {
		const isToCome = Number(call.query?.end) > list.now / 1000;
		list.nextFault = () => (refusesFuture && isToCome ? 400 : 'none');
		return await send(call, context);
	};
	const life = new LifeOfFeed(list, { ...settings, watchSeconds: 86_400 });
	for (let minute = 1; minute <= minutes; minute++) {
		if (minute === restartAt) life.restart();
		await life.poll(START + minute * MINUTE);
	}
	const at = new Map(life.delivered.map((one) => [one.id, one.at]));
	expect(at.size).toBe(life.delivered.length);
	const due = scans.filter(({ failsUntil }, index) => !failsUntil && index < scans.length - 10);
	return due.map(({ id, created }) => (at.get(id) ?? Infinity) - created);
}

it.each([-8, -3, -0.25, -0.1, 0, 3])(
	"a second that the service refuses holds up later scans for minutes, with n8n's clock off by %p hours",
	async (hours) => {
		const delays = await delaysOf(hours, { poisoned: 60 });
		expect(Math.max(...delays)).toBeLessThan(20 * MINUTE);
		expect(delays.filter((delay) => delay > 2 * MINUTE).length).toBeLessThan(40);
	},
);

it('the same where n8n is restarted meanwhile', async () => {
	const delays = await delaysOf(-3, { poisoned: 60, restartAt: 36 });
	expect(Math.max(...delays)).toBeLessThan(25 * MINUTE);
});

it.each([-8, -3, 0])(
	"scans come soon where the service refuses a time to come, with n8n's clock off by %p hours",
	async (hours) => {
		const delays = await delaysOf(hours, { refusesFuture: true });
		expect(Math.max(...delays)).toBeLessThan(5 * MINUTE);
	},
);

/** Of which scans the times are ahead, as the `Date` header is, by so many seconds; one scan comes every so many. */
interface DatedAhead {
	seconds: number;
	every: number;
	isAhead: (index: number) => boolean;
	/** How long the list takes to show a scan, in seconds. */
	listedAfter?: number;
	restartAt?: number;
}

/** Five hours of a service with two machines: the clock of one is ahead, and its `Date` header comes with all answers. */
async function lostBesideScansAhead(dated: DatedAhead) {
	const { seconds, every, isAhead, listedAfter = 0, restartAt } = dated;
	const scans = Array.from({ length: Math.floor((240 * MINUTE) / every) }, (_, index) => {
		const submitted = START + 120 + index * every;
		const created = submitted + (isAhead(index) ? seconds : 0);
		const listed = submitted + listedAfter;
		return { id: `scan ${index}`, created, listed, verdicts: [{ at: listed + 20, code: 'MAL' }] };
	}).sort((a, b) => a.created - b.created);
	const date = seconds === 300 ? 'minutesAhead' : 'ahead';
	const list = new ModelScanList(scans, { ...PLAIN, date });
	const life = new LifeOfFeed(list, settings);
	for (let minute = 1; minute <= 300; minute++) {
		if (minute === restartAt) life.restart();
		await life.poll(START + minute * MINUTE);
	}
	const delivered = life.delivered.map(({ id }) => id);
	expect(delivered).toHaveLength(new Set(delivered).size);
	return scans.filter(({ id }) => !delivered.includes(id)).map(({ id }) => id);
}

it.each<[string, DatedAhead]>([
	['one of many', { seconds: 1800, every: 10, isAhead: (index) => index === 200 }],
	['one of few', { seconds: 1800, every: 400, isAhead: (index) => index === 10 }],
	['some of many', { seconds: 1800, every: 2, isAhead: (index) => index % 100 === 7 }],
	['most of many', { seconds: 1800, every: 2, isAhead: (index) => index % 10 !== 7 }],
	['half of few', { seconds: 1800, every: 100, isAhead: (index) => index % 5 > 2 }],
	[
		'half of them, and n8n is restarted',
		{ seconds: 1800, every: 5, isAhead: (index) => index % 2 === 0, restartAt: 100 },
	],
	[
		'some, by minutes',
		{ seconds: 300, every: 5, isAhead: (index) => index % 10 === 0, listedAfter: 400 },
	],
])(
	'scans that are dated ahead, as the `Date` header is, keep no other from coming (%s)',
	async (_, dated) => {
		expect(await lostBesideScansAhead(dated)).toEqual([]);
	},
);
