import { FeedReading } from '../../../../nodes/ContentScan/trigger/reading/feedReading';
import type { FeedState } from '../../../../nodes/ContentScan/trigger/reading/feedState';
import { freshState } from '../../../../nodes/ContentScan/trigger/reading/feedState';
import { PollTime } from '../../../../nodes/ContentScan/trigger/reading/pollTime';
import { shownScans } from '../../../../nodes/ContentScan/trigger/reading/scanIdentity';
import { representative } from '../../../../services/scanning/scanRecord';
import { expectCost } from '../../../support/expectCost.cts';
import { watchedForAnHour } from './support/feedSettings';

const START = 1_780_000_000;

const settings = { ...watchedForAnHour, verdictChanges: true };

const finished = (verbose_verdict: string | null, ids: object = { id: 1 }) => ({
	...ids,
	created_at: new Date(START * 1000).toISOString(),
	finished_at: new Date(START * 1000).toISOString(),
	verbose_verdict,
});

/** When a record finishes, and with which verdict. */
type End = [minute: number, code: string];

/** The verdicts that polls of each minute deliver while the list shows the records of that minute. */
function delivered(recordsAt: (minute: number) => object[], minutes = 10) {
	let state: FeedState = freshState('here', START);
	const codes: unknown[] = [];
	for (let minute = 1; minute < minutes; minute++) {
		const now = START + 60 * minute;
		const reading = new FeedReading(state, settings, new PollTime(now));
		for (let calls = 0; calls < 10; calls++) {
			const window = reading.nextWindow;
			if (!window) break;
			const shown = window.start <= START && window.end >= START ? recordsAt(minute) : [];
			reading.take(window, { records: shown as never, end: 'said' });
		}
		codes.push(...reading.result().events.map(({ record }) => record?.verbose_verdict));
		state = JSON.parse(JSON.stringify(reading.result().state)) as FeedState;
	}
	return codes;
}

describe('of records of one scan that contradict each other, the worst counts, and once', () => {
	it.each([
		['MAL', [finished('CLN'), finished('MAL')]],
		['MAL', [finished('MAL'), finished('CLN')]],
		['MAL', [finished('CLN'), finished('MAL', { id: 1, full_scan_id: 'A_1' })]],
		['MAL', [{ id: 1, finished_at: null }, finished('MAL')]],
		['NEW', [finished('CLN'), finished('NEW'), finished('CLN')]],
	])('%s of %j', (code, records) => {
		expect(delivered(() => records)).toEqual([code]);
	});

	it.each([
		['the first is pending', 3, ['MAL', 5], ['CLN', 2]],
		['the second is pending', 3, ['CLN', 2], ['MAL', 5]],
		['both are', 1, ['MAL', 2], ['MAL', 5]],
	] as const)('also where they have only the long ID in common: %s', (_, from, first, second) => {
		const record = (id: number, [code, at]: readonly [string, number], minute: number) => ({
			...finished(minute < at ? null : code, { id, full_scan_id: 'A_1' }),
			...(minute < at && { finished_at: null }),
		});
		const both = (minute: number) => [record(1, first, minute), record(2, second, minute)];
		const inTurn = (minute: number) => (minute % 2 === 0 ? both(minute) : both(minute).reverse());
		expect(delivered((minute) => (minute < from ? [] : inTurn(minute)))).toEqual(['MAL']);
	});

	it.each<[string[], End, End]>([
		[['MAL'], [3, 'MAL'], [5, 'MAL']],
		[['MAL'], [5, 'MAL'], [3, 'MAL']],
		[['MAL'], [4, 'MAL'], [4, 'MAL']],
		[['MAL'], [4, 'CLN'], [4, 'MAL']],
		[
			['CLN', 'MAL'],
			[3, 'CLN'],
			[5, 'MAL'],
		],
		[['MAL'], [3, 'MAL'], [5, 'CLN']],
	])('%j also where it shows only at their ends that they are of one: %j %j', (codes, ...ends) => {
		const records = (minute: number) =>
			ends.map(([end, code], at) =>
				minute < end
					? { id: at + 1, created_at: finished('MAL').created_at, finished_at: null }
					: finished(code, { id: at + 1, full_scan_id: 'A_1' }),
			);
		expect(delivered(records, 70)).toEqual(codes);
	});

	it('also where only a third record tells that two are of one scan', () => {
		const records = [
			finished('CLN', { full_scan_id: 'A_1' }),
			finished('MAL'),
			finished('CLN', { id: 1, full_scan_id: 'A_1' }),
		];
		for (const order of ['012', '021', '102', '120', '201', '210']) {
			const inOrder = [...order].map((at) => records[Number(at)]);
			expect(delivered(() => inOrder)).toEqual(['MAL']);
		}
	});

	it('none, as long as one of a clean scan has not finished', () => {
		const records = [finished('CLN'), { id: 1, finished_at: null }];
		expect(delivered(() => records)).toEqual([]);
	});
});

it.each([
	['verbose_verdict', 'Q'.repeat(2_000_000)],
	['verbose_verdict', `${' '.repeat(2_000_000)}Q`],
	['status', { part: 'Q'.repeat(2_000_000) }],
])(
	'a long %s is looked at once, and not for each of 20,000 records of its scan',
	async (field, long) => {
		const first = { ...finished('CLN'), [field]: long };
		const records = [first, ...Array.from({ length: 20_000 }, () => finished('CLN'))];
		await expectCost(5, () => {
			expect(shownScans(records as never)).toMatchObject([{ record: first }]);
			expect(representative(records as never, '1')).toBe(first);
		});
	},
);

it('thousands of one time, first without IDs and then with others, are looked at in no time', async () => {
	const { created_at } = finished('CLN');
	const nameless = (path: number) => ({
		created_at,
		finished_at: created_at,
		verbose_verdict: 'CLN',
		path,
	});
	const without = Array.from({ length: 8000 }, (_, path) => nameless(path));
	const others = Array.from({ length: 8000 }, (_, id) => finished('SPM', { id: id + 1 }));
	await expectCost(5, () => {
		const poll = new PollTime(START + 60);
		const reading = new FeedReading(freshState('here', START), settings, poll);
		const window = reading.nextWindow!;
		reading.take(window, { records: without as never, end: 'tooMany' });
		reading.take(window, { records: others as never, end: 'said' });
	});
});

it.each(['N/A', 'None', '-', 'pending', null, 0, '0'])(
	'scans of which each has %p for its long ID come all',
	(full_scan_id) => {
		const records = ['MAL', 'CLN', 'SPM'].map((code, id) =>
			finished(code, { id: id + 1, full_scan_id }),
		);
		expect(delivered(() => records)).toEqual(['MAL', 'CLN', 'SPM']);
	},
);

it.each([
	{ id: null, full_scan_id: null, root_scan_id: null },
	...[0, -1, '00000000-0000-0000-0000-000000000000'].map((id) => ({ id })),
	...['pending', 0, ''].map((root_scan_id) => ({ id: null, root_scan_id })),
	...[null, [], ['']].map((names) => ({ id: null, names })),
])('a scan that gets its IDs only once it has finished comes then, and once: %j', (before) => {
	const { created_at } = finished('MAL');
	const after = { id: 7, full_scan_id: '7_1', root_scan_id: '7_1', names: ['invoice'] };
	const pending = { names: ['invoice'], ...before, created_at, finished_at: null };
	const found = delivered((minute) => [minute < 30 ? pending : finished('MAL', after)], 40);
	expect(found).toEqual(['MAL']);
});

describe('a scan that is listed before it has an ID comes once, also where', () => {
	const { created_at } = finished('MAL');
	const all = { id: 7, full_scan_id: '7_1', root_scan_id: '7_1', names: ['invoice'], path: 'a/b' };
	const none = { id: null, full_scan_id: null, root_scan_id: null, names: null, path: null };
	const otherTime = (time: number) =>
		new Date(time * 1000).toISOString().replace('.000Z', '+00:00');

	it.each<[string, object[]]>([
		['its names come while it is pending', [none, { ...none, names: ['invoice'] }]],
		['its root does', [none, { ...none, root_scan_id: '7_1' }]],
		[
			'all comes one after the other',
			[none, { path: 'a' }, { path: 'a', root_scan_id: '7_1' }, { names: ['invoice'] }],
		],
		['its root is known throughout', [{ ...none, root_scan_id: '7_1' }]],
		['its time is written otherwise', [{ ...none, created_at: otherTime(START) }]],
	])('%s', (_, stages) => {
		const pendingAt = (minute: number) => ({
			...{ ...none, created_at, finished_at: null },
			...stages[Math.min(Math.floor(minute / 5), stages.length - 1)],
		});
		const found = delivered(
			(minute) => [minute < 30 ? pendingAt(minute) : finished('MAL', all)],
			40,
		);
		expect(found).toEqual(['MAL']);
	});

	it.each([
		{ root_scan_id: null },
		{ names: ['invoice'] },
		{ names: ['invoice'], root_scan_id: '7_1' },
	])('it was delivered before it got one, with %j', (early) => {
		const first = finished('MAL', { ...none, ...early });
		expect(delivered((minute) => [minute < 5 ? first : finished('MAL', all)])).toEqual(['MAL']);
	});

	it('ten of the same time are pending, and their roots come late', () => {
		const scans = Array.from({ length: 10 }, (_, id) => id + 1);
		const pending = (id: number) => ({ ...none, names: [`${id}`], created_at, finished_at: null });
		const found = delivered(
			(minute) =>
				scans.map((id) =>
					minute < 10 + id
						? pending(id)
						: finished(`N${id}`, { id, names: [`${id}`], root_scan_id: id }),
				),
			40,
		);
		expect(found).toEqual(scans.map((id) => `N${id}`));
	});
});

it('a scan is not taken for a part of it that has no ID', () => {
	const part = finished('CLN', { id: null, root_scan_id: 'R_1' });
	const root = finished('MAL', { id: 9, root_scan_id: 'R_1' });
	expect(delivered(() => [part, root]).sort()).toEqual(['CLN', 'MAL']);
	expect(delivered((minute) => (minute < 3 ? [part] : [part, root])).sort()).toEqual([
		'CLN',
		'MAL',
	]);
});

it('says which fields it misses', () => {
	const flawAfter = (records: object[]) => {
		const time = new PollTime(START + 60);
		const reading = new FeedReading(freshState('here', START), settings, time);
		reading.take(reading.nextWindow!, { records: records as never, end: 'said' });
		return reading.flaw;
	};
	expect(flawAfter([])).toBeUndefined();
	expect(flawAfter([{ id: 1, createdAt: START }])).toContain("none of its scans has 'created_at'");
	const verdictLeftOut = { id: 1, created_at: START, finished_at: START };
	expect(flawAfter([verdictLeftOut])).toContain("'verbose_verdict'");
	expect(flawAfter([verdictLeftOut, finished('MAL')])).toBeUndefined();
	expect(flawAfter([verdictLeftOut, { id: 2, created_at: START }])).toContain("'verbose_verdict'");
});

describe('a scan whose record is another one from poll to poll comes once', () => {
	it.each([
		['the long ID is missing at times', { id: 1, full_scan_id: 'A_1' }, { id: 1 }],
		['the long ID comes later', { id: 1 }, { id: 1, full_scan_id: 'A_1' }],
		['a word stands in its place at first', { id: 1, full_scan_id: 'N/A' }, { id: 1 }],
		['the ID is written otherwise', { id: 1 }, { id: ' 1 ' }],
	])('where %s', (_, ids, otherIds) => {
		const idsAt = (minute: number) => (minute % 2 === 1 ? ids : otherIds);
		expect(delivered((minute) => [finished('MAL', idsAt(minute))])).toEqual(['MAL']);
	});

	it.each([
		['MAL', 'mal'],
		['MAL', 'malicious'],
		['cln', 'Clean'],
		['A code of more than twenty-four letters', 'A code of more than twenty-four letters'],
	])('where its verdict is written as %s and as %s', (code, sameCode) => {
		const codeAt = (minute: number) => (minute % 2 === 1 ? code : sameCode);
		expect(delivered((minute) => [finished(codeAt(minute))])).toEqual([code]);
	});

	it('and again where it is clean no more', () => {
		const codeAt = (minute: number) => (minute < 5 ? 'CLN' : 'cln');
		expect(delivered((minute) => [finished(codeAt(minute))])).toEqual(['CLN', 'cln']);
	});
});

describe('of 300 scans, each with a verdict code of its own,', () => {
	const codes = Array.from({ length: 300 }, (_, id) => `NEW${id}`);
	const records = codes.map((code, id) => finished(code, { id }));

	it('each comes once', () => {
		expect(delivered(() => records).sort()).toEqual([...codes].sort());
	});

	it('a change to a documented verdict is told once', () => {
		const later = records.map((record) => ({ ...record, verbose_verdict: 'MAL' }));
		const came = delivered((minute) => (minute < 3 ? records : later));
		expect(came.filter((code) => code === 'MAL')).toHaveLength(300);
		expect(came).toHaveLength(600);
	});
});
