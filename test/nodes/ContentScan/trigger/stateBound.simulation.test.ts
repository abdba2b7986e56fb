import { createHash } from 'node:crypto';
import { MOST_REMEMBERED } from '../../../../nodes/ContentScan/trigger/reading/scanMemory';
import { packScans, unpackScans } from '../../../../nodes/ContentScan/trigger/reading/packedScans';
import type { RememberedScans } from '../../../../nodes/ContentScan/trigger/reading/rememberedScans';
import { LifeOfFeed, START } from './support/lifeOfFeed';
import type { ModelScan } from './support/scanListTraits';
import { ModelScanList } from './support/modelScanList';
import { PLAIN } from './support/scanListTraits';

const DAY = 86_400;

/** 10,000 scans a day at even distances, each finishing after some seconds; `undefined`: never. */
function evenly(days: number, takes: (index: number) => number | undefined): ModelScan[] {
	return Array.from({ length: 10_000 * days }, (_, index) => {
		const created = START + Math.floor((index * DAY) / 10_000);
		const seconds = takes(index);
		const verdicts = seconds === undefined ? [] : [{ at: created + seconds, code: 'CLN' }];
		return { id: `scan ${index}`, created, listed: created, verdicts };
	});
}

/** So many days with a poll every so many minutes, each with its calls. */
async function simulate(scans: ModelScan[], { days, minutes }: Record<'days' | 'minutes', number>) {
	const list = new ModelScanList(scans, PLAIN, 100 * minutes);
	const settings = {
		isChosen: (code: string) => code !== 'CLN',
		tellsUnfinished: true,
		verdictChanges: false,
		watchSeconds: DAY,
		maxScans: 1000,
	};
	const life = new LifeOfFeed(list, settings);
	for (let time = START; time < START + days * DAY; time += 60 * minutes) await life.poll(time);
	return { life, callsPerMinute: list.calls / (days * 1440) };
}

describe('at 10,000 scans a day', () => {
	it('one that never finishes costs next to nothing', async () => {
		const scans = evenly(0.2, (index) => (index === 500 ? undefined : 120));
		const { life, callsPerMinute } = await simulate(scans, { days: 0.2, minutes: 1 });

		expect(callsPerMinute).toBeLessThan(1.2);
		expect(life.mostCalls).toBeLessThanOrEqual(2);
		expect(life.largestState).toBeLessThan(4000);
	});

	it('the state stays under 64 KB when none finishes: the oldest are told to be unfinished', async () => {
		const scans = evenly(0.6, () => undefined);
		const { life } = await simulate(scans, { days: 0.6, minutes: 30 });

		expect(life.largestState).toBeGreaterThan(50 * 1024);
		expect(life.largestState).toBeLessThan(64 * 1024);
		const told = life.delivered.map(({ id }) => id);
		expect(told.length).toBeGreaterThan(1000);
		expect(told).toEqual(scans.slice(0, told.length).map(({ id }) => id));
	});

	it('the state stays under 256 KB while as many verdicts are watched as it remembers', () => {
		const scans: RememberedScans = new Map();
		for (let index = 0; index < MOST_REMEMBERED.withChanges; index++) {
			const from = START + Math.floor((index * DAY) / 10_000);
			const digest = createHash('sha256').update(String(index)).digest('binary').slice(0, 6);
			const mark = index % 20 === 0 ? '=MAL' : '=CLN';
			// A window holds about a page, and each poll of the last hours looked at one.
			scans.set(digest, { from, to: from, checked: START + 60 * Math.floor(index / 90), mark });
		}
		const packed = packScans(scans);

		expect(JSON.stringify(packed).length).toBeLessThan(256 * 1024);
		expect(unpackScans(packed)).toEqual(scans);
	});
});
