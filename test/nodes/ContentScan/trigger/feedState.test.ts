import type { FeedState } from '../../../../nodes/ContentScan/trigger/reading/feedState';
import { readableState } from '../../../../nodes/ContentScan/trigger/reading/feedState';
import { LifeOfFeed, START } from './support/lifeOfFeed';
import type { ModelScan } from './support/scanListTraits';
import { ModelScanList } from './support/modelScanList';
import { watchedForAnHour as settings } from './support/feedSettings';

const MINUTE = 60;
const LAST_POLL = 60;

/** A scan each minute; every tenth finishes half an hour later, and one second is refused for a time. */
const scans: ModelScan[] = Array.from({ length: 90 }, (_, minute) => {
	const created = START + minute * MINUTE;
	const verdicts = [{ at: created + (minute % 10 === 0 ? 30 * MINUTE : 5), code: 'MAL' }];
	const failsUntil = minute === 45 ? START + 70 * MINUTE : undefined;
	return { id: `scan ${minute}`, created, listed: created, verdicts, failsUntil };
});

/** A trigger after an hour. */
let hour: LifeOfFeed;

beforeAll(async () => {
	hour = new LifeOfFeed(new ModelScanList(scans), settings);
	for (let minute = 1; minute <= LAST_POLL; minute++) await hour.poll(START + minute * MINUTE);
});

/** The scans that were delivered by then, or are with that state in the next hour and a half. */
async function deliveredWith(state: FeedState): Promise<Array<string | undefined>> {
	const life = new LifeOfFeed(new ModelScanList(scans), settings);
	life.state = state;
	for (let minute = LAST_POLL + 1; minute <= 150; minute += 3) {
		await life.poll(START + minute * MINUTE);
	}
	return [...hour.delivered, ...life.delivered]
		.filter(({ code }) => code === 'MAL')
		.map(({ id }) => id);
}

const now = START + (LAST_POLL + 1) * MINUTE;
const readBack = (changed: object) =>
	readableState({ ...hour.state, ...changed }, now, settings.watchSeconds);

const FIELDS = [
	...['settledTo', 'scans', 'span', 'tooLong', 'watched', 'cutShort', 'ignoreCount', 'ignoreEnd'],
	...['gaps', 'last', 'credential'],
];
const BROKEN: unknown[] = [
	'text',
	null,
	1.5,
	1e300,
	-1,
	[1, 'x'],
	[[1, 2, 3, 4]],
	{},
	{ rows: [] },
];

const GAP = { start: START, end: START + 9, showsNew: true, since: START, checked: START };

it.each([
	...FIELDS.flatMap((field) => BROKEN.map((value) => ({ field, value }))),
	{ field: 'settledTo', value: undefined },
	{ field: 'scans', value: undefined },
	{ field: 'scans', value: { rows: [[START, START, 0, 'AAAA']], marks: [] } },
	{ field: 'scans', value: { rows: [[START, -1, 0, '']], marks: [] } },
	{ field: 'scans', value: { rows: [], marks: ['x'] } },
	{ field: 'gaps', value: [{ ...GAP, start: START + 9 }] },
	{ field: 'gaps', value: [{ ...GAP, showsNew: 'other' }] },
])('a stored $field that is $value is said, and no scan is lost', async ({ field, value }) => {
	const read = readBack({ [field]: value });
	expect(read.unreadable).toEqual([field]);
	expect(new Set(await deliveredWith(read.state)).size).toBe(scans.length);
});

it('a state that was written as it should be is read as it is', () => {
	const { state } = hour;
	expect(state.gaps).toBeDefined();
	expect(readBack({})).toEqual({ state, unreadable: [] });
});

it('a time that is later than now puts off nothing', async () => {
	const later = 9_999_999_999;
	const { scans: remembered, gaps } = hour.state;
	const read = readBack({
		scans: {
			...remembered,
			rows: remembered.rows.map(([from, , ...row]) => [from, later, ...row]),
		},
		gaps: gaps!.map((gap) => ({ ...gap, since: later, checked: later })),
		tooLong: { span: 100, at: later },
	});
	expect(read.unreadable).toEqual([]);
	expect(await deliveredWith(read.state)).toHaveLength(scans.length);
});
