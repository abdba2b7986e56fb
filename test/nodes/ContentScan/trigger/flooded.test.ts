import { FeedReading } from '../../../../nodes/ContentScan/trigger/reading/feedReading';
import type { FeedState } from '../../../../nodes/ContentScan/trigger/reading/feedState';
import { freshState } from '../../../../nodes/ContentScan/trigger/reading/feedState';
import type { WindowContent } from '../../../../nodes/ContentScan/trigger/reading/listWindow';
import { unpackScans } from '../../../../nodes/ContentScan/trigger/reading/packedScans';
import { PollTime } from '../../../../nodes/ContentScan/trigger/reading/pollTime';
import { MOST_REMEMBERED } from '../../../../nodes/ContentScan/trigger/reading/scanMemory';
import { START } from './support/lifeOfFeed';
import { watchedForAnHour } from './support/feedSettings';

/** Lists that never end, and show other scans at each look. */

const MINUTE = 60;
const settings = { ...watchedForAnHour, isChosen: (code: string) => code === 'MAL' };
const PAGES = 5000;

let shown = 0;

function scan(code: string) {
	const second = new Date(START * 1000).toISOString();
	return { id: `scan ${shown++}`, created_at: second, finished_at: second, verbose_verdict: code };
}

const flood = (): WindowContent => ({
	records: Array.from({ length: PAGES }, () => scan('CLN')),
	end: 'tooMany',
});

function polled(state: FeedState, minute: number, answer: () => WindowContent) {
	const reading = new FeedReading(state, settings, new PollTime(START + minute * MINUTE));
	for (let windows = 0; windows < 2; windows++) {
		const window = reading.nextWindow;
		if (window) reading.take(window, answer());
	}
	return reading.result();
}

function afterFlood(state: FeedState): FeedState {
	return Array.from({ length: 5 }, (_, poll) => 15 + poll).reduce(
		(before, minute) => polled(before, minute, flood).state,
		state,
	);
}

const refused = { start: START, end: START + 1, showsNew: true, since: START, checked: START };

it.each([
	['of new scans', freshState('here', START)],
	[
		'that was refused before',
		{ ...freshState('here', START + 5 * MINUTE), gaps: [refused] } as FeedState,
	],
])(
	'in a part %s, fill the memory only so far, and cost no scan of those shown once it ends',
	(_, before) => {
		const flooded = afterFlood(before);
		const { size } = unpackScans(flooded.scans);
		expect(size).toBeLessThan(4 * MOST_REMEMBERED.usually + PAGES + 1);
		const records = [scan('MAL')];
		const { events } = polled(flooded, 60, () => ({ records, end: 'said' }));
		expect(events).toMatchObject([{ record: records[0] }]);
	},
);

it('a poll that has read more than fits into the memory delivers what is at the present, too', () => {
	const now = START + 3 * 60 * MINUTE;
	const before = { ...freshState('here', START), span: MINUTE };
	const reading = new FeedReading(before, settings, new PollTime(now));
	const last = scan('MAL');
	let count = 0;
	for (let window = reading.nextWindow; window; window = reading.nextWindow) {
		const many = Array.from({ length: 180 }, () => scan('CLN'));
		count += many.length;
		const records = window.end >= now ? [last] : many;
		reading.take(window, { records, end: 'said' });
	}
	expect(count).toBeGreaterThan(4 * MOST_REMEMBERED.usually);
	const { events, state } = reading.result();
	expect(events).toMatchObject([{ record: last }]);
	expect(state.settledTo).toBeGreaterThan(now - 11 * MINUTE);
});
