import { FeedReading } from '../../../../nodes/ContentScan/trigger/reading/feedReading';
import { PollTime } from '../../../../nodes/ContentScan/trigger/reading/pollTime';
import type { FeedState } from '../../../../nodes/ContentScan/trigger/reading/feedState';
import { freshState } from '../../../../nodes/ContentScan/trigger/reading/feedState';
import { Gaps } from '../../../../nodes/ContentScan/trigger/reading/gaps';
import type { ListWindow } from '../../../../nodes/ContentScan/trigger/reading/listWindow';
import { packScans } from '../../../../nodes/ContentScan/trigger/reading/packedScans';
import type { RememberedScans } from '../../../../nodes/ContentScan/trigger/reading/rememberedScans';
import { PENDING } from '../../../../nodes/ContentScan/trigger/reading/rememberedScans';
import { identitiesOf } from '../../../../nodes/ContentScan/trigger/reading/scanIdentity';
import {
	MOST_REMEMBERED,
	ScanMemory,
} from '../../../../nodes/ContentScan/trigger/reading/scanMemory';
import { watchedForAnHour as settings } from './support/feedSettings';
import { START } from './support/lifeOfFeed';

const HOUR = 3600;
const REFUSED = START + 5;

const record = { id: 1, finished_at: '2026-06-15T12:01:00Z', verbose_verdict: 'MAL' };
const [digest] = identitiesOf(record);
const pending = (from: number, to = from) => ({ from, to, checked: to, mark: PENDING });

/** An hour after the start, with scans of which one may lie in a second that the service refuses. */
function stateWith(scans: RememberedScans): FeedState {
	const since = START + HOUR;
	const times = { start: REFUSED, end: REFUSED + 1, since, checked: since };
	return {
		...freshState('model', START + HOUR),
		scans: packScans(scans),
		gaps: [{ ...times, showsNew: false }],
	};
}

/** One poll of a list that shows the scan in the second that was refused. */
function poll(state: FeedState, now: number, isRefused: boolean) {
	// No window may be longer than two seconds.
	const before = { ...state, span: 2, tooLong: { span: 4, at: now } };
	const reading = new FeedReading(before, settings, new PollTime(now));
	const windows: ListWindow[] = [];
	while (windows.length < 20) {
		const window = reading.nextWindow;
		if (!window) break;
		windows.push(window);
		const shows = window.start <= REFUSED && window.end >= REFUSED;
		if (shows && isRefused) reading.refused(window);
		else reading.take(window, { records: shows ? [record] : [], end: 'said' });
	}
	const events = reading.result().events.map(({ event, created }) => ({ event, created }));
	return { events, windows, state: reading.result().state };
}

it('a scan is not told to be unfinished while a part of its time is refused', () => {
	const scans: RememberedScans = new Map([[digest, pending(REFUSED, START + 10)]]);
	const over = START + 10 + HOUR + 1;
	const first = poll(stateWith(scans), over, true);
	expect(first.events).toEqual([]);
	// Neither is it looked for again and again.
	expect(first.windows.length).toBeLessThan(15);
	expect(poll(first.state, over + 120, false).events).toMatchObject([{ event: 'finished' }]);
});

it('when too many scans are remembered, the oldest of those that can be read is given up', () => {
	const scans: RememberedScans = new Map([[digest, pending(REFUSED, START + 10)]]);
	for (let index = 0; index < MOST_REMEMBERED.usually; index++) {
		scans.set(String(index).padStart(6, '0'), pending(START + 100 + Math.floor(index / 5)));
	}
	const { events } = poll(stateWith(scans), START + HOUR + 10, true);
	expect(events[0]).toEqual({ event: 'unfinished', created: START + 100 });
});

/** What a poll tells of gaps where so many scans lie beside a hundred of them, most beside the one that begins last. */
function pollBesideGaps(count: number, refusedFor: number, { every = 100, triedBefore = 0 } = {}) {
	const now = START + 6 * HOUR;
	const times = { showsNew: true, since: now - refusedFor, checked: now - triedBefore };
	const gaps = Array.from({ length: 100 }, (_, index) => {
		const start = START + index * every;
		return { ...times, start, end: start + 1 };
	});
	const scans: RememberedScans = new Map();
	for (let index = 0; index < count; index++) {
		const from = gaps[index < 100 ? 99 : index % 100].end + 1;
		scans.set(String(index).padStart(6, '0'), { from, to: from, checked: from, mark: '=MAL' });
	}
	const state = { ...freshState('model', now - 600), scans: packScans(scans), gaps };
	const reading = new FeedReading(
		state,
		{ ...settings, watchSeconds: 24 * HOUR },
		new PollTime(now),
	);
	for (let window = reading.nextWindow; window; window = reading.nextWindow) {
		reading.take(window, { records: [], end: 'said' });
	}
	const { events, state: after } = reading.result();
	const { gaps: left = [] } = after;
	expect(left).toHaveLength(triedBefore > 0 ? 0 : 100 - events.length);
	const memory = new ScanMemory(after.scans, settings);
	const list = { settledTo: after.settledTo, gaps: new Gaps(left, settings.watchSeconds) };
	const { surplus } = memory.load(list);
	return { told: events.map(({ isGap, created }) => ({ isGap, created })), surplus };
}

const { usually: most } = MOST_REMEMBERED;

it('of refused parts that keep later scans out, the one with most scans beside it is given up', () => {
	const { told } = pollBesideGaps(most + 1, HOUR);
	expect(told).toEqual([{ isGap: true, created: START + 9900 }]);
});

it('so many are given up that there is room, where scans lie beside two of them', () => {
	expect(pollBesideGaps(most + 1000, HOUR, { every: 3 }).surplus).toBeLessThanOrEqual(0);
});

it.each([
	['they are refused for less than an hour', most + 1, HOUR - 1],
	['there is room', most, HOUR],
])('none is given up where %s', (_, count, refusedFor) => {
	expect(pollBesideGaps(count, refusedFor).told).toEqual([]);
});

it('one that was not tried for an hour is tried before it is given up', () => {
	const { told } = pollBesideGaps(most + 1, 2 * HOUR, { triedBefore: 1.5 * HOUR });
	expect(told).toEqual([]);
});

it.each<[string, Partial<Record<'beside' | 'young' | 'both' | 'recent', number>>]>([
	['only few scans are beside it', { beside: 10, recent: most }],
	['they are beside one that is young', { young: most + 1 }],
	['they are beside that one, too', { both: most + 1 }],
])(
	'a refused part is not in the way where %s',
	(_, { beside = 0, young = 0, both = 0, recent = 0 }) => {
		const times = { showsNew: true, since: START, checked: START };
		const gaps = [
			{ ...times, start: START, end: START + 1 },
			{ ...times, since: START + HOUR, start: START + 100, end: START + 101 },
		];
		const scans: RememberedScans = new Map();
		const add = (count: number, from: number, to = from) => {
			for (let index = 0; index < count; index++) {
				const key = String(scans.size).padStart(6, '0');
				scans.set(key, { from, to, checked: from, mark: '=MAL' });
			}
		};
		add(beside, START + 2);
		add(young, START + 102);
		add(both, START + 2, START + 99);
		add(recent, START + HOUR);
		const memory = new ScanMemory(packScans(scans), settings);
		const list = { gaps: new Gaps(gaps, 24 * HOUR), settledTo: START + HOUR };
		expect(memory.load(list).surplus).toBeGreaterThan(0);
		expect(memory.gapsInTheWay(list, ({ since }) => since === START)).toEqual([]);
	},
);

it('where new scans alone are too many, refused parts beside fewer than half are not given up for them', () => {
	const times = { showsNew: true, since: START, checked: START + HOUR };
	const [few, many] = [0, 100].map((at) => ({ ...times, start: START + at, end: START + at + 1 }));
	const places = [
		...Array<number>(10).fill(START + 2),
		...Array<number>(most / 2).fill(START + 102),
		...Array<number>(most).fill(START + HOUR),
	];
	const scans: RememberedScans = new Map(
		places.map((from, index) => [
			String(index).padStart(6, '0'),
			{ from, to: from, checked: from, mark: '=MAL' },
		]),
	);
	const memory = new ScanMemory(packScans(scans), settings);
	const list = { gaps: new Gaps([few, many], 24 * HOUR), settledTo: START + HOUR };
	expect(memory.gapsInTheWay(list, () => true)).toEqual([many]);
});
