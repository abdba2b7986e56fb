import { PollTime } from '../../../../nodes/ContentScan/trigger/reading/pollTime';

it('a moment is past by both clocks, also where a batch from before it comes again', () => {
	const time = new PollTime(1000, 500);
	expect(time.byEarlierClock).toBe(500);
	expect([time.isPast(900), time.isPast(1001)]).toEqual([true, false]);
	time.hear(800, 0);
	expect([time.isPast(800), time.isPast(900)]).toEqual([true, false]);
});
