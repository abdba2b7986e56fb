import { ModelLog, PLAIN_HABITS } from '../support/modelLog';
import { BEGIN, entries, inOrder, MINUTE, trigger } from '../support/handPolledTrigger';

const HOUR = 60 * MINUTE;
const [ahead] = entries(1, MINUTE, 9 * HOUR, 'ahead');

/** What comes of an entry a minute, and of one that is listed in the first hour and dated eight hours later. */
function came(listedAfter: number, isEmpty: (minute: number) => boolean = () => false): string[] {
	const log = entries(300, MINUTE).map((one) => ({ ...one, appearsAt: one.time + listedAfter }));
	const ticking = trigger([...log, { ...ahead, appearsAt: BEGIN + HOUR }], {}, BEGIN);
	const whole = ticking.log;
	for (let minute = 0; minute < 320; minute++) {
		const listed = isEmpty(minute) ? new ModelLog([], PLAIN_HABITS) : whole;
		Object.assign(ticking, { log: listed }).poll();
		ticking.now += MINUTE;
	}
	return ticking.came.filter((id) => id !== 'ahead0');
}

describe('an entry that is dated hours ahead hides none', () => {
	test('of a list that shows all entries later than the lookback', () => {
		expect(came(7 * MINUTE)).toEqual(inOrder(300));
	});

	test('of a list that is empty for a while', () => {
		expect(came(0, (minute) => minute >= 100 && minute < 140)).toEqual(inOrder(300));
	});
});
