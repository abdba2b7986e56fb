import { FeedReading } from '../../../../nodes/ContentScan/trigger/reading/feedReading';
import { freshState } from '../../../../nodes/ContentScan/trigger/reading/feedState';
import { PollTime } from '../../../../nodes/ContentScan/trigger/reading/pollTime';
import type { ScanEvent } from '../../../../nodes/ContentScan/trigger/reading/scanEvents';
import { watchedForAnHour as settings } from './support/feedSettings';

const CREATED = 1_700_000_000;
const pending = { id: 'a', created_at: new Date(1000 * CREATED).toISOString(), status: 'RUN' };

/** The events of a poll after the watch, whose windows show a scan as it was `age` seconds ago. */
function eventsOf(age: number) {
	let result = { state: freshState('here', CREATED), events: [] as ScanEvent[] };
	// The first two show it among the new ones.
	for (const after of [60, 700, 1400, settings.watchSeconds + 1400]) {
		const reading = new FeedReading(result.state, settings, new PollTime(CREATED + after));
		for (let window = reading.nextWindow; window; window = reading.nextWindow) {
			const shows = window.start <= CREATED && CREATED <= window.end;
			reading.take(window, { records: shows ? [pending] : [], end: 'said', age });
		}
		result = reading.result();
	}
	return result.events.map(({ event }) => event);
}

it('a scan is given up by what the list says after the watch', () => {
	expect(eventsOf(0)).toEqual(['unfinished']);
});

it('it is not by a page that was read before its end', () => {
	expect(eventsOf(800)).toEqual([]);
});
