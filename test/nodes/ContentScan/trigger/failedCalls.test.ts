import { FeedReading } from '../../../../nodes/ContentScan/trigger/reading/feedReading';
import { freshState } from '../../../../nodes/ContentScan/trigger/reading/feedState';
import { PollTime } from '../../../../nodes/ContentScan/trigger/reading/pollTime';
import { watchedForAnHour } from './support/feedSettings';

const START = Date.UTC(2026, 5, 15, 12) / 1000;
const HOUR = 3600;
const settings = { ...watchedForAnHour, watchSeconds: 24 * HOUR };

it('a call that fails for what is pending leaves the next poll to new scans', () => {
	const state = { ...freshState('model', START), last: 'new' as const };
	const pending = {
		...state,
		settledTo: START + 2 * HOUR,
		scans: { rows: [[START, START + 60, 1, 'AACiCSl8zEUA']], marks: ['?', '!'] },
	};
	const time = () => new PollTime(START + 3 * HOUR);
	const first = new FeedReading(pending as never, settings, time());
	expect(first.nextWindow?.kind).toBe('watched');
	first.failed(first.nextWindow!);
	const next = new FeedReading(first.result().state, settings, time());
	expect(next.nextWindow?.kind).toBe('new');
});
