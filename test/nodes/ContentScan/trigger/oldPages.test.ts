import { FeedReading } from '../../../../nodes/ContentScan/trigger/reading/feedReading';
import { freshState } from '../../../../nodes/ContentScan/trigger/reading/feedState';
import { PollTime } from '../../../../nodes/ContentScan/trigger/reading/pollTime';
import { watchedForAnHour as settings } from './support/feedSettings';

const CREATED = 1_700_000_000;
const pending = { id: 'a', created_at: new Date(1000 * CREATED).toISOString(), status: 'RUN' };

/** The events of a poll after the watch, whose window shows a scan as it was `age` seconds ago. */
function eventsOf(age: number) {
	let reading = new FeedReading(freshState('here', CREATED), settings, new PollTime(CREATED + 60));
	reading.take(reading.nextWindow!, { records: [pending], end: 'said' });
	const { state } = reading.result();
	reading = new FeedReading(state, settings, new PollTime(CREATED + settings.watchSeconds + 700));
	for (let window = reading.nextWindow; window; window = reading.nextWindow) {
		const shows = window.start <= CREATED && CREATED <= window.end;
		reading.take(window, { records: shows ? [pending] : [], end: 'said', age });
	}
	return reading.result().events.map(({ event }) => event);
}

it('a scan is given up by what the list says after the watch', () => {
	expect(eventsOf(0)).toEqual(['unfinished']);
});

it('it is not by a page that was read before its end', () => {
	expect(eventsOf(800)).toEqual([]);
});
