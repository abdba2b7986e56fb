import { watchedForAnHour } from './support/feedSettings';
import { LifeOfFeed, START } from './support/lifeOfFeed';
import type { ModelScan, Traits } from './support/scanListTraits';
import { ModelScanList } from './support/modelScanList';
import { PLAIN } from './support/scanListTraits';

const MINUTE = 60;

/** What a poll each minute delivers of one scan that finishes without a verdict: its code, and when. */
async function delivered(
	verdicts: ModelScan['verdicts'],
	watchSeconds = 3600,
	traits: Partial<Traits> = {},
) {
	const scan = { id: 'a 1', created: START + 30, listed: START + 30, verdicts };
	const list = new ModelScanList([scan], { ...PLAIN, ...traits });
	const life = new LifeOfFeed(list, { ...watchedForAnHour, watchSeconds });
	for (let minute = 1; minute < 120; minute++) await life.poll(START + minute * MINUTE);
	return life.delivered.map(({ event, code, at }) => ({
		what: `${event} ${code}`,
		minute: Math.floor((at - START) / MINUTE),
	}));
}

/** Finished then, in minutes, without a verdict, which is listed later or never. */
const finished = (minute: number, listed?: number) => [
	{ at: START + minute * MINUTE, code: '' },
	...(listed === undefined ? [] : [{ at: START + listed * MINUTE, code: 'MAL' }]),
];

describe('a scan that is listed as finished before its verdict is', () => {
	it.each([
		[1, 2],
		[1, 10],
		[30, 38],
	])('at minute %i comes with the verdict of minute %i, and once', async (from, until) => {
		const [first, ...more] = await delivered(finished(from, until));
		expect(first.what).toBe('finished MAL');
		expect(first.minute).toBeLessThanOrEqual(until + 5);
		expect(more).toEqual([]);
	});

	it.each([
		[1, undefined],
		[1, 40],
		[30, undefined],
	])('at minute %i, comes without one after ten minutes, and once', async (from, until) => {
		const [first, ...more] = await delivered(finished(from, until));
		expect(first.what).toBe('finished ');
		expect(first.minute).toBeGreaterThanOrEqual(from + 10);
		expect(first.minute).toBeLessThanOrEqual(from + 16);
		expect(more).toEqual([]);
	});

	it.each(['iso', 'epoch', 'words'] as const)(
		'comes with it, however it is told when the scan finished: %s',
		async (finishedAt) => {
			const told = await delivered(finished(30, 38), 3600, { finishedAt });
			expect(told.map(({ what }) => what)).toEqual(['finished MAL']);
		},
	);

	it('is not waited for longer than the watch, and ten minutes for what is listed late', async () => {
		const [first, ...more] = await delivered(finished(15), 20 * MINUTE);
		expect(first.what).toBe('finished ');
		expect(first.minute).toBeGreaterThanOrEqual(20);
		expect(first.minute).toBeLessThanOrEqual(31);
		expect(more).toEqual([]);
	});
});
