import {
	ScanMemory,
	MOST_REMEMBERED,
} from '../../../../nodes/ContentScan/trigger/reading/scanMemory';
import { packScans } from '../../../../nodes/ContentScan/trigger/reading/packedScans';
import { Gaps } from '../../../../nodes/ContentScan/trigger/reading/gaps';
import type { RememberedScans } from '../../../../nodes/ContentScan/trigger/reading/rememberedScans';
import { PENDING } from '../../../../nodes/ContentScan/trigger/reading/rememberedScans';
import { START } from './support/lifeOfFeed';
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
function forgotten(scans: RememberedScans): number[] {
	const settings = { ...watchedForAnHour, tellsUnfinished: false, verdictChanges: true };
	const memory = new ScanMemory(packScans(scans), settings);
	const gaps = new Gaps([], settings.watchSeconds);
	const now = START + 2 * withChanges + 600;
	const { scans: kept } = memory.kept({ scans, gaps, settledTo: now - 600 }, now);
	return [...scans.keys()].filter((digest) => !kept.has(digest)).map(Number);
}

describe('with changes of verdicts, while nobody is told of unfinished scans', () => {
	it('the oldest finished scans are forgotten before one whose verdict is to come', () => {
		expect(forgotten(scansWith(withChanges + 2, (index) => index === 0))).toEqual([1, 2]);
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
