import { PollTime } from '../../../../nodes/ContentScan/trigger/reading/pollTime';

it('a moment is past by both clocks, also where a batch from before it comes again', () => {
	const time = new PollTime(1000, 500);
	expect(time.byEarlierClock).toBe(500);
	expect([time.isPast(900), time.isPast(1001)]).toEqual([true, false]);
	time.hear(800, 0);
	expect([time.isPast(800), time.isPast(900)]).toEqual([true, false]);
});

it('a clock of the service that is hours behind what its list shows is wrong, if n8n has that time too', () => {
	const time = new PollTime(100_000);
	time.hear(70_000, 60_000);
	expect(time.byEarlierClock).toBe(70_000);
	time.reached(99_000);
	expect(time.byEarlierClock).toBe(99_000);
	time.reached(120_000);
	expect(time.byEarlierClock).toBe(100_000);
});

it("a clock of n8n that is behind the scans of earlier polls is wrong, and the time of a scan is no later than the service's clock", () => {
	const before = new PollTime(10_000);
	before.hear(20_000, 0);
	before.shows(19_950);
	expect([before.byEarlierClock, before.shownTo]).toEqual([19_950, 19_950]);
	before.shows(50_000);
	expect([before.byEarlierClock, before.shownTo]).toEqual([20_000, 20_000]);

	const time = new PollTime(10_060, Infinity, before.shownTo + 60);
	expect(time.byEarlierClock).toBe(10_060);
	time.hear(20_055, 0);
	expect(time.byEarlierClock).toBe(20_055);

	const untold = new PollTime(10_000);
	untold.shows(50_000);
	expect(untold.shownTo).toBe(-Infinity);
});

it.each([
	["is by no scan later than by n8n's clock", 3599, 10_000],
	["where the service's clock is an hour ahead of n8n's, is what its scans show", 3600, 13_500],
])('what cannot be taken back %s', (_, ahead, surely) => {
	const time = new PollTime(10_000);
	time.hear(10_000 + ahead, 0);
	time.shows(13_500);
	expect([time.byEarlierClock, time.surely]).toEqual([13_500, surely]);
});

it('nor is it earlier than the stored position shows', () => {
	const time = new PollTime(10_000);
	time.hear(12_000, 0);
	time.reachedBefore(11_000);
	time.shows(12_000);
	expect(time.surely).toBe(11_000);
});
