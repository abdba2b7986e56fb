import { PollTime } from '../../../../nodes/ContentScan/trigger/reading/pollTime';
import { PENDING } from '../../../../nodes/ContentScan/trigger/reading/rememberedScans';
import { markAfter } from '../../../../nodes/ContentScan/trigger/reading/scanEvents';
import type { ScanRecord } from '../../../../services/scanning/scanRecord';
import { watchedForAnHour } from './support/feedSettings';
import { START } from './support/lifeOfFeed';

/** What is known of a scan that finished at START, so many seconds later, where only harmful verdicts are wanted. */
function markAt(seconds: number, fields: object, hasRoom = true) {
	const record = { id: 1, finished_at: START, ...fields };
	return markOf(record, new PollTime(START + seconds), hasRoom);
}

function markOf(record: ScanRecord, time: PollTime, hasRoom = false) {
	const settings = { ...watchedForAnHour, isChosen: (code: string) => code === 'MAL' };
	const scan = { from: START, to: START, checked: START, mark: PENDING };
	return markAfter(scan, record, settings, { time, isOver: false, comesAgain: false, hasRoom });
}

describe('a finished scan, where none without a verdict is wanted, is waited for', () => {
	const beside = { verbose_verdict: 'CLN', error: 'engine timeout' };

	it.each([
		['as long as it is watched without a verdict', { verbose_verdict: null }, false, true],
		['as long as it is watched beside an error', beside, true, true],
		['ten minutes beside an error, if too many are watched', beside, false, false],
	])('%s', (_, record, hasRoom, isLong) => {
		expect(markAt(590, record, hasRoom)).toBe(PENDING);
		expect(markAt(610, record, hasRoom) === PENDING).toBe(isLong);
	});
});

it('a scan that is dated ahead, as the `Date` header is, shortens no wait', () => {
	const time = new PollTime(START + 60);
	time.hear(START + 1860, START);
	time.shows(START + 1860);
	expect(time.byEarlierClock).toBe(START + 1860);
	expect(markOf({ id: 1, finished_at: START, error: 'engine timeout' }, time)).toBe(PENDING);
});
