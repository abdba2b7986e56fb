import { LifeOfFeed, START } from './support/lifeOfFeed';
import type { Traits } from './support/scanListTraits';
import { ModelScanList } from './support/modelScanList';
import { PLAIN } from './support/scanListTraits';
import { watchedForAnHour as settings } from './support/feedSettings';
import { takingTime } from './support/takingTime';

const MINUTE = 60;

/** Of which scans the times are ahead, as the `Date` header is, by so many seconds; one scan comes every so many. */
interface DatedAhead {
	seconds: number;
	every: number;
	isAhead: (index: number) => boolean;
	/** How long the list takes to show a scan, in seconds. */
	listedAfter?: number;
	/** From which scan on they come every five minutes. */
	quietFrom?: number;
	/** How long a call takes, in milliseconds. */
	callMs?: number;
	createdAt?: Traits['createdAt'];
	/** When n8n is restarted, in minutes, and how long it was down before. */
	restartAt?: number;
	downFor?: number;
}

/** Five hours of a service with two machines: the clock of one is ahead, and its `Date` header comes with all answers. */
async function lostBesideScansAhead(dated: DatedAhead) {
	const { seconds, every, isAhead, listedAfter = 0, restartAt = 0, downFor = 0 } = dated;
	const { quietFrom = Infinity, callMs = 0, createdAt = 'right' } = dated;
	const scans = Array.from({ length: Math.floor((240 * MINUTE) / every) }, (_, index) => {
		const quiet = Math.max(0, index - quietFrom);
		const submitted = START + 120 + Math.floor((index - quiet) * every) + quiet * 300;
		const created = submitted + (isAhead(index) ? seconds : 0);
		const listed = submitted + listedAfter;
		return { id: `scan ${index}`, created, listed, verdicts: [{ at: listed + 20, code: 'MAL' }] };
	}).sort((a, b) => a.created - b.created);
	const date = seconds === 300 ? 'minutesAhead' : 'ahead';
	const list = new ModelScanList(scans, { ...PLAIN, date, createdAt });
	takingTime(list, callMs);
	const life = new LifeOfFeed(list, settings);
	for (let minute = 1; minute <= 300; minute++) {
		if (minute === restartAt) life.restart();
		if (minute < restartAt && minute > restartAt - downFor) continue;
		await life.poll(START + minute * MINUTE);
	}
	const delivered = life.delivered.map(({ id }) => id);
	expect(delivered).toHaveLength(new Set(delivered).size);
	const due = scans.filter(({ listed }) => listed < START + 280 * MINUTE);
	return due.filter(({ id }) => !delivered.includes(id)).map(({ id }) => id);
}

it.each<[string, DatedAhead]>([
	['one of many', { seconds: 1800, every: 10, isAhead: (index) => index === 200 }],
	['one of few', { seconds: 1800, every: 400, isAhead: (index) => index === 10 }],
	['some of many', { seconds: 1800, every: 2, isAhead: (index) => index % 100 === 7 }],
	['most of many', { seconds: 1800, every: 4, isAhead: (index) => index % 10 !== 7 }],
	['half of few', { seconds: 1800, every: 100, isAhead: (index) => index % 5 > 2 }],
	[
		'half of them, and n8n is restarted',
		{ seconds: 1800, every: 5, isAhead: (index) => index % 2 === 0, restartAt: 100 },
	],
	[
		'one, with calls that take a second',
		{ seconds: 1800, every: 4, isAhead: (index) => index === 905, quietFrom: 900, callMs: 1000 },
	],
	[
		'one, and no scan tells its time',
		{
			seconds: 1800,
			every: 2,
			isAhead: (index) => index === 1795,
			quietFrom: 1800,
			createdAt: 'null',
		},
	],
	[
		'few of a backlog',
		{
			...{ seconds: 1800, every: 0.6, isAhead: (index: number) => index % 20 === 7 },
			...{ callMs: 300, restartAt: 50, downFor: 30 },
		},
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
