import { PollTime } from '../../../../nodes/ContentScan/trigger/reading/pollTime';
import { PENDING } from '../../../../nodes/ContentScan/trigger/reading/rememberedScans';
import { markAfter } from '../../../../nodes/ContentScan/trigger/reading/scanEvents';
import { watchedForAnHour } from './support/feedSettings';
import { START } from './support/lifeOfFeed';

/** What is known of a scan that finished at START, so many seconds later, where only harmful verdicts are wanted. */
function markAt(seconds: number, fields: object) {
	const settings = { ...watchedForAnHour, isChosen: (code: string) => code === 'MAL' };
	const time = new PollTime(START + seconds);
	const scan = { from: START, to: START, checked: START, mark: PENDING };
	const record = { id: 1, finished_at: START, ...fields };
	return markAfter(scan, record, settings, { time, isOver: false, comesAgain: false });
}

it.each([
	['without a verdict is waited for as long as it is watched', {}, true],
	['that is clean beside an error is waited for an hour', { error: 'engine timeout' }, false],
])('a finished scan %s, where none without one is wanted', (_, fields, isWaitedFor) => {
	const record = { verbose_verdict: 'error' in fields ? 'CLN' : null, ...fields };
	expect(markAt(3590, record)).toBe(PENDING);
	expect(markAt(3610, record) === PENDING).toBe(isWaitedFor);
});
