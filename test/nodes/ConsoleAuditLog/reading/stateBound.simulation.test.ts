import { BEGIN, entries, inOrder, MINUTE, trigger } from '../support/handPolledTrigger';
import { SETTINGS } from '../support/modelPoll';

describe('the state stays within its bound', () => {
	test('under 64 KB at 1,000 entries a minute with the default lookback', () => {
		const ticking = trigger(entries(12_000, 60), {}, BEGIN + 5 * MINUTE);
		let largest = 0;
		while (ticking.now < BEGIN + 13 * MINUTE) {
			ticking.poll();
			ticking.now += MINUTE;
			largest = Math.max(largest, ticking.stateBytes);
		}
		expect(ticking.came).toEqual(inOrder(12_000));
		expect(largest).toBeLessThan(64 * 1024);
	});

	test.each([
		[20_000, 10_000],
		[20_000, 100_000],
		[50_000, 10_000],
	])('under 256 KB with %i entries at one time, %i a poll', (count, maxEntries) => {
		const ticking = trigger(entries(count, 0), {}, BEGIN + 2000);
		ticking.settings = { ...SETTINGS, maxEntries };
		let largest = 0;
		for (let poll = 0; poll < count / maxEntries + 3; poll++) {
			ticking.poll();
			ticking.now += MINUTE;
			largest = Math.max(largest, ticking.stateBytes);
		}
		expect(ticking.came).toEqual(inOrder(count));
		expect(largest).toBeLessThan(256 * 1024);
	});

	test('under 256 KB with 50,000 entries dated in the future, which may come again', () => {
		const ahead = entries(50_000, 7, 60 * MINUTE).map((one) => ({ ...one, appearsAt: BEGIN }));
		const ticking = trigger([...ahead, ...entries(3, 0, 3 * MINUTE, 'now')], {}, BEGIN + 1000);
		let largest = 0;
		for (let poll = 0; poll < 7; poll++) {
			ticking.poll();
			ticking.now += MINUTE;
			largest = Math.max(largest, ticking.stateBytes);
		}
		expect(new Set(ticking.came)).toEqual(new Set([...inOrder(50_000), ...inOrder(3, 'now')]));
		expect(largest).toBeLessThan(256 * 1024);
	});

	test('keeps as much of the lookback as fits', () => {
		const settings = { ...SETTINGS, lookbackMs: 60 * MINUTE, maxEntries: 100_000 };
		const late = { ...entries(1, 0, 59 * MINUTE, 'late')[0], appearsAt: BEGIN + 61 * MINUTE };
		const log = [...entries(30_000, 120), late];
		const ticking = trigger(log, {}, BEGIN + 60 * MINUTE + 1);
		ticking.settings = settings;
		ticking.drain();
		expect(ticking.came).toHaveLength(30_001);
		// 20,000 entries are 40 minutes here.
		expect(Date.parse(ticking.state.from ?? '')).toBeLessThan(BEGIN + 21 * MINUTE);
	});

	test('what appears late in the stretch that was let go is not found, and brings nothing twice', () => {
		const late = { ...entries(1, 0, 5 * MINUTE, 'late')[0], appearsAt: BEGIN + 61 * MINUTE };
		const ticking = trigger([...entries(30_000, 120), late], {}, BEGIN + 60 * MINUTE + 1);
		ticking.settings = { ...SETTINGS, lookbackMs: 60 * MINUTE, maxEntries: 100_000 };
		ticking.drain();
		ticking.now = BEGIN + 62 * MINUTE;
		ticking.drain();
		expect(ticking.came).toEqual(inOrder(30_000));
	});

	test.each([
		['once', {}, 7],
		['perhaps again after a token is refused', { 0: 'tokenRefused' as const }, 10],
	])('also where every entry is undated; each comes, %s', (_, faults, polls) => {
		const undated = entries(45_000, 1).map((one, number) => ({
			...one,
			entry: { auditlogId: `e${number}` },
		}));
		const ticking = trigger(undated, {}, BEGIN + 10 * MINUTE);
		let largest = 0;
		for (let poll = 0; poll < polls; poll++) {
			ticking.poll({ faults: poll === 3 ? faults : {} });
			ticking.now += MINUTE;
			largest = Math.max(largest, ticking.stateBytes);
		}
		expect(new Set(ticking.came).size).toBe(45_000);
		if (!(0 in faults)) expect(ticking.came).toHaveLength(45_000);
		expect(largest).toBeLessThan(256 * 1024);
	});
});
