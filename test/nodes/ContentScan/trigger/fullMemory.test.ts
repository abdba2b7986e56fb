import {
	ScanMemory,
	MOST_REMEMBERED,
} from '../../../../nodes/ContentScan/trigger/reading/scanMemory';
import { packScans } from '../../../../nodes/ContentScan/trigger/reading/packedScans';
import { Gaps } from '../../../../nodes/ContentScan/trigger/reading/gaps';
import type { RememberedScans } from '../../../../nodes/ContentScan/trigger/reading/rememberedScans';
import { PENDING } from '../../../../nodes/ContentScan/trigger/reading/rememberedScans';
import { LifeOfFeed, START } from './support/lifeOfFeed';
import { ModelScanList } from './support/modelScanList';
import { PLAIN } from './support/scanListTraits';
import { watchedForAnHour } from './support/feedSettings';

const { withChanges } = MOST_REMEMBERED;

/** One scan a second, of which only those at these places have not finished. */
function scansWith(count: number, pending: (index: number) => boolean): RememberedScans {
	return new Map(
		Array.from({ length: count }, (_, index) => {
			const from = START + index;
			const mark = pending(index) ? PENDING : '=CLN';
			return [String(index).padStart(6, '0'), { from, to: from, checked: from, mark }];
		}),
	);
}

/** Where the scans stood that are forgotten when no more can be remembered. */
function forgotten(scans: RememberedScans, owed: string[] = []): number[] {
	const settings = { ...watchedForAnHour, tellsUnfinished: false, verdictChanges: true };
	const memory = new ScanMemory(packScans(scans), settings);
	const gaps = new Gaps([], settings.watchSeconds);
	const now = START + 2 * withChanges + 600;
	const { scans: kept } = memory.kept({ scans, gaps, settledTo: now - 600 }, now, owed);
	return [...scans.keys()].filter((digest) => !kept.has(digest)).map(Number);
}

describe('with changes of verdicts, while nobody is told of unfinished scans', () => {
	it('the oldest finished scans are forgotten before one whose verdict is to come', () => {
		expect(forgotten(scansWith(withChanges + 2, (index) => index === 0))).toEqual([1, 2]);
	});

	it('nor is one forgotten with which a workflow failed, and that is to come again', () => {
		const scans = scansWith(withChanges + 2, () => false);
		expect(forgotten(scans, ['000000'])).toEqual([1, 2]);
	});

	it('of scans that have all not finished, the oldest are forgotten', () => {
		expect(forgotten(scansWith(withChanges + 2, () => true))).toEqual([0, 1]);
	});
});

test.each([
	[274, true],
	[275, false],
])(
	'beside %i scans, one that ends with an error is watched for long: %s (content-scan.md)',
	(count, hasRoom) => {
		const packed = packScans(scansWith(count, () => true));
		const settings = { ...watchedForAnHour, tellsUnfinished: true, verdictChanges: false };
		expect(new ScanMemory(packed, settings).hasRoom).toBe(hasRoom);
	},
);

describe.each([true, false])('where unfinished scans are told: %s', (tellsUnfinished) => {
	const settings = { ...watchedForAnHour, watchSeconds: 7200, tellsUnfinished };

	test('many new scans keep none from coming that has been pending for long', async () => {
		const scanOf = (index: number, created: number, takes: number) => {
			const verdicts = [{ at: created + takes, code: 'MAL' }];
			return { id: `scan ${index}`, created, listed: created, verdicts };
		};
		const slow = Array.from({ length: 120 }, (_, index) => scanOf(index, START + index * 20, 5000));
		const burst = Array.from({ length: 5500 }, (_, index) =>
			scanOf(120 + index, START + 3000 + Math.floor(index / 35), 20),
		);
		const scans = [...slow, ...burst];
		const life = new LifeOfFeed(new ModelScanList(scans, PLAIN, 1000), settings);
		for (let minute = 1; minute <= 150; minute++) await life.poll(START + minute * 60);
		expect(life.delivered.filter(({ event }) => event !== 'finished')).toEqual([]);
		expect(life.delivered.map(({ id }) => id).sort()).toEqual(scans.map(({ id }) => id).sort());
	});

	test('the oldest are given up only while more than half of what is remembered is pending', () => {
		const most = MOST_REMEMBERED.usually;
		const loads = [most / 2, most / 2 + 1].map((pending) => {
			const memory = new ScanMemory(packScans(scansWith(most + 1, (at) => at < pending)), settings);
			const list = { gaps: new Gaps([], 7200), settledTo: START + pending + 1 };
			const { scans, forgotten: given } = memory.kept(
				{ ...list, scans: memory.scans },
				START + most,
			);
			return [memory.load(list).mustMakeRoom, given, scans.size];
		});
		const given = tellsUnfinished ? 0 : 1;
		expect(loads).toEqual([
			[false, 0, most + 1],
			[tellsUnfinished, given, most + 1 - given],
		]);
	});
});

test('where most scans of a busy list never finish, the others still come in time', async () => {
	const scans = Array.from({ length: 18_000 }, (_, index) => {
		const created = START + Math.floor(index / 5);
		const verdicts = index % 5 === 0 ? [{ at: created + 20, code: 'MAL' }] : [];
		return { id: `scan ${index}`, created, listed: created, verdicts };
	});
	const settings = { ...watchedForAnHour, watchSeconds: 86_400, tellsUnfinished: false };
	const life = new LifeOfFeed(new ModelScanList(scans, PLAIN, 600), settings);
	for (let minute = 1; minute <= 80; minute++) await life.poll(START + minute * 60);
	const finished = scans.filter(({ verdicts }) => verdicts.length > 0);
	expect(life.delivered.map(({ id }) => id).sort()).toEqual(finished.map(({ id }) => id).sort());
	const delays = life.delivered.map(
		({ id, at }) => at - scans[Number(id!.split(' ')[1])].verdicts[0].at,
	);
	expect(Math.max(...delays)).toBeLessThan(15 * 60);
});
