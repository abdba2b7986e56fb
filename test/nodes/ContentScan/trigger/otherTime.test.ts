import { LifeOfFeed, START } from './support/lifeOfFeed';
import type { ModelScan, Traits } from './support/scanListTraits';
import { ModelScanList } from './support/modelScanList';
import { PLAIN } from './support/scanListTraits';
import { watchedForAnHour as settings } from './support/feedSettings';
import { takingTime } from './support/takingTime';

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

it.each([
	{ behind: 9, perMinute: 200, soon: 20 },
	{ behind: 9, perMinute: 60, callsPerMinute: 20, soon: 20 },
	{ behind: 45, perMinute: 60, soon: 55 },
	{ behind: 45, perMinute: 60, downUntil: 80, minutes: 240, soon: 55 },
	{ behind: 120, perMinute: 60, callsPerMinute: 20, downUntil: 170, minutes: 320, soon: 12 },
	{ behind: 61, perMinute: 100, lateEach: 290, soon: 12 },
])(
	"with n8n's clock behind, the scans of a busy list come late by no more than that and ten minutes, and soon where it is over an hour: %j",
	async ({ behind, perMinute, callsPerMinute, downUntil = 0, minutes = 120, lateEach, soon }) => {
		const scans = Array.from({ length: minutes * perMinute }, (_, index) => {
			const created = START + Math.floor((index * MINUTE) / perMinute);
			const isLate = lateEach !== undefined && index % lateEach === 100;
			const listed = created + (isLate ? 11 * MINUTE : index % 20);
			const verdicts = [{ at: listed, code: 'MAL' }];
			return { id: `scan ${index}`, created, listed, verdicts, isLate };
		});
		const list = new ModelScanList(scans, PLAIN, callsPerMinute);
		takingTime(list, 300);
		list.n8nAhead = -behind * MINUTE * 1000;
		const life = new LifeOfFeed(list, settings);
		for (let minute = 1; minute <= minutes + soon + 10; minute++) {
			if (minute > 20 && minute < downUntil) continue;
			if (minute === downUntil) life.restart();
			await life.poll(START + minute * MINUTE);
		}
		const at = new Map(life.delivered.map((one) => [one.id, one.at]));
		expect(at.size).toBe(life.delivered.length);
		const due = scans.filter(({ isLate }) => !isLate);
		const delays = due.map(({ id, listed }) => (at.get(id) ?? Infinity) - listed);
		expect(Math.max(...delays)).toBeLessThan(Infinity);
		// A backlog is made up for by then.
		expect(Math.max(...delays.slice(-30 * perMinute))).toBeLessThan(soon * MINUTE);
	},
	60_000,
);

it.each([
	[3500, 63],
	[1200, 75],
])(
	"pending scans are found again where n8n's clock was set back by %i seconds until minute %i, and the service tells no time",
	async (seconds, until) => {
		const scans = Array.from({ length: 3600 }, (_, index) => {
			const created = START + index * 2;
			const takes = index % 5 === 0 ? 30 * MINUTE : 20;
			return {
				...{ id: `scan ${index}`, created, listed: created },
				verdicts: [{ at: created + takes, code: 'MAL' }],
			};
		});
		const list = new ModelScanList(scans, { ...PLAIN, date: 'missing' });
		const life = new LifeOfFeed(list, { ...settings, watchSeconds: 120 * MINUTE });
		for (let minute = 1; minute <= 260; minute++) {
			list.n8nAhead = minute >= 60 && minute < until ? -seconds * 1000 : 0;
			await life.poll(START + minute * MINUTE);
		}
		expect(life.delivered.filter(({ event }) => event !== 'finished')).toEqual([]);
		expect(life.delivered.map(({ id }) => id).sort()).toEqual(scans.map(({ id }) => id).sort());
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
		takingTime(list, callMs);
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

it.each([
	[-8, 20],
	[-3, 20],
	[-0.25, 30],
	[-0.1, 20],
	[0, 15],
	[3, 15],
])(
	"a second that the service refuses holds up later scans for minutes, with n8n's clock off by %p hours",
	async (hours, soon) => {
		const delays = await delaysOf(hours, { poisoned: 60 });
		expect(Math.max(...delays)).toBeLessThan(soon * MINUTE);
		expect(delays.filter((delay) => delay > 2 * MINUTE).length).toBeLessThan(60);
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
