import { Gaps } from '../../../../nodes/ContentScan/trigger/reading/gaps';
import { LifeOfFeed, START } from './support/lifeOfFeed';
import type { ModelScan } from './support/scanListTraits';
import { ModelScanList } from './support/modelScanList';
import { PLAIN } from './support/scanListTraits';
import { watchedForAnHour as settings } from './support/feedSettings';

const MINUTE = 60;
const DAY = 86_400;

/** A scan each minute, finished at once; some of them the service cannot show for a time. */
function scansWith(failing: Record<number, number>, count = 180): ModelScan[] {
	return Array.from({ length: count }, (_, minute) => {
		const created = START + minute * MINUTE;
		const verdicts = [{ at: created + 5, code: 'MAL' }];
		return {
			id: `scan ${minute}`,
			created,
			listed: created,
			verdicts,
			failsUntil: failing[minute],
		};
	});
}

async function lived(scans: ModelScan[], minutes: number, refusal: 400 | 500 | 504 = 500) {
	const list = new ModelScanList(scans, { ...PLAIN, refusal });
	const life = new LifeOfFeed(list, settings);
	for (let minute = 1; minute <= minutes; minute++) await life.poll(START + minute * MINUTE);
	return { life, list };
}

describe.each([400, 500, 504] as const)('a second that the service refuses with %i', (refusal) => {
	it('does not keep later scans back', async () => {
		const { life } = await lived(scansWith({ 20: Infinity }), 60, refusal);
		const ids = life.delivered.map(({ id }) => id);
		for (let minute = 0; minute < 45; minute++) {
			if (minute !== 20) expect(ids).toContain(`scan ${minute}`);
		}
		expect(new Set(ids).size).toBe(ids.length);
	});

	it('is read once the service gives it, and comes once', async () => {
		const { life } = await lived(scansWith({ 20: START + 50 * MINUTE }), 120, refusal);
		const ids = life.delivered.map(({ id }) => id);
		expect(ids.filter((id) => id === 'scan 20')).toEqual(['scan 20']);
		expect(new Set(ids).size).toBe(ids.length);
	});

	it('is told as unread when it was refused for as long as scans are watched', async () => {
		const { life } = await lived(scansWith({ 20: Infinity }), 120, refusal);
		const told = life.delivered.filter(({ refused }) => refused);
		expect(told.length).toBeGreaterThan(0);
		expect(told.length).toBeLessThanOrEqual(2);
		const second = START + 20 * MINUTE;
		expect(told.some(({ refused }) => refused!.from <= second && second < refused!.to)).toBe(true);
		expect(life.state.gaps).toBeUndefined();
	});
});

it('a stretch of days that the service refuses is passed within minutes', async () => {
	const scans = scansWith({});
	const list = new ModelScanList(scans);
	const send = list.send.bind(list);
	list.send = async (call, context) => {
		const start = Number(call.query?.start ?? START);
		list.nextFault = () => (start < START ? 400 : 'none');
		return await send(call, context);
	};
	const life = new LifeOfFeed(list, settings, true, START - 30 * DAY);
	for (let minute = 1; minute <= 30; minute++) await life.poll(START + minute * MINUTE);
	expect(life.delivered.map(({ id }) => id)).toContain('scan 25');
});

it('nothing is set aside while the service refuses everything', async () => {
	const list = new ModelScanList(scansWith({}));
	const life = new LifeOfFeed(list, settings);
	list.nextFault = () => 500;
	for (let minute = 1; minute <= 20; minute++) await life.poll(START + minute * MINUTE);
	expect(life.state.gaps).toBeUndefined();
	list.nextFault = () => 'none';
	for (let minute = 21; minute <= 25; minute++) await life.poll(START + minute * MINUTE);
	expect(life.delivered).toHaveLength(25);
});

it('a scan in a second that was refused is looked for once more at the end, also where lists have no end', async () => {
	const verdicts = [{ at: START + 3500, code: 'MAL' }];
	const scans: ModelScan[] = [
		{ id: 'scan 1', created: START, listed: START, verdicts },
		{ id: 'scan 2', created: START, listed: START, verdicts, failsUntil: START + 600 },
	];
	const list = new ModelScanList(scans, { ...PLAIN, pageSize: 1, lastPage: 'emptyPages' });
	const life = new LifeOfFeed(list, settings);
	for (let minute = 4; minute <= 90; minute += 4) await life.poll(START + minute * MINUTE);
	const told = life.delivered.filter(({ id }) => id !== undefined);
	expect(told.map(({ id, event }) => `${id} ${event}`).sort()).toEqual([
		'scan 1 finished',
		'scan 2 finished',
	]);
});

it('a scan that has come to lie in a refused second does not keep the other scans waiting', async () => {
	const created = START + 10 * MINUTE;
	const verdicts = [{ at: START + 40 * MINUTE, code: 'MAL' }];
	const scans: ModelScan[] = [
		{ id: 'early', created: START, listed: START, verdicts },
		{
			...{ id: 'refused', created, listed: created, verdicts },
			...{ failsFrom: START + 20 * MINUTE, failsUntil: START + 60 * MINUTE },
		},
	];
	const life = new LifeOfFeed(new ModelScanList(scans), settings);
	const told = () => life.delivered.map(({ id, event }) => `${id} ${event}`);

	for (let minute = 1; minute <= 50; minute++) await life.poll(START + minute * MINUTE);
	expect(told()).toEqual(['early finished']);
	// Neither are calls spent on it in vain.
	life.mostCalls = 0;
	for (let minute = 51; minute <= 59; minute++) await life.poll(START + minute * MINUTE);
	expect(life.mostCalls).toBeLessThanOrEqual(3);

	for (let minute = 60; minute <= 90; minute++) await life.poll(START + minute * MINUTE);
	expect(told()).toEqual(['early finished', 'refused finished']);
});

it('a gap at the end of its time is tried once more, and not again in the same poll', () => {
	const gap = { start: 10, end: 11, showsNew: true, since: 100, checked: 100 };
	const gaps = new Gaps([gap], 3600);
	const window = gaps.window(3700, 60);
	expect(window).toBeDefined();
	gaps.wasRefused(window!, 3700);
	expect(gaps.window(3700, 60)).toBeUndefined();
	expect(gaps.takeExpired(3700)).toHaveLength(1);
});

it('a second for which the service is silent for good does not hold up later ones, though nothing else is to be read', async () => {
	const scan = (id: string, created: number, more = {}): ModelScan => ({
		...{ id, created, listed: created, verdicts: [{ at: created + 60, code: 'MAL' }] },
		...more,
	});
	const scans = [
		scan('silent', START + 1976, { failsFrom: START + 1987, failsUntil: Infinity }),
		scan('later', START + 2307),
	];
	const traits = { ...PLAIN, longestWindow: 300, refusal: 'noAnswer' as const };
	const life = new LifeOfFeed(new ModelScanList(scans, traits), settings);
	for (let poll = 9; poll <= 60; poll++) await life.poll(START + poll * 4 * MINUTE);
	expect(life.delivered.map(({ id }) => id)).toContain('later');
});
