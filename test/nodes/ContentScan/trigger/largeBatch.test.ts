import { FeedReading } from '../../../../nodes/ContentScan/trigger/reading/feedReading';
import { freshState } from '../../../../nodes/ContentScan/trigger/reading/feedState';
import { PollTime } from '../../../../nodes/ContentScan/trigger/reading/pollTime';
import { watchedForAnHour } from './support/feedSettings';

const START = 1_780_000_000;
const NOW = START + 3000;
const MB = 1024 * 1024;

/** The lengths of the windows that a poll reads, each with a new scan in every ten minutes. */
function readOnce(state: ReturnType<typeof freshState>, bytes: number) {
	const reading = new FeedReading(state, watchedForAnHour, new PollTime(NOW));
	let windows = 0;
	for (let window = reading.nextWindow; window; window = reading.nextWindow) {
		windows++;
		const { start, end } = window;
		const times = Array.from({ length: 5 }, (_, at) => START + 600 * at);
		const records = times
			.filter((time) => time >= start && time <= end)
			.map((time) => {
				const created_at = new Date(time * 1000).toISOString();
				return { id: time, created_at, finished_at: created_at, verbose_verdict: 'MAL' };
			});
		const isTooMuch = records.length > 1;
		reading.take(window, {
			records: records.slice(0, 1),
			bytes,
			end: isTooMuch ? 'tooMany' : 'said',
		});
	}
	return { windows, ...reading.result() };
}

it.each([
	[100, 1],
	[20 * MB, 3],
	[40 * MB, 5],
])('a poll of windows of %d bytes each delivers a part: all come in %d polls', (bytes, polls) => {
	let state = freshState('here', START);
	const came: unknown[] = [];
	let count = 0;
	while (came.length < 5) {
		const { events, state: next } = readOnce(state, bytes);
		came.push(...events.map(({ record }) => record?.id));
		state = next;
		if (++count > 20) throw new Error('it does not come to an end');
	}
	expect(new Set(came).size).toBe(5);
	expect(count).toBe(polls);
});
