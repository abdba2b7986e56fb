import { FeedReading } from '../../../../nodes/ContentScan/trigger/reading/feedReading';
import type { FeedState } from '../../../../nodes/ContentScan/trigger/reading/feedState';
import { freshState } from '../../../../nodes/ContentScan/trigger/reading/feedState';
import { Gaps } from '../../../../nodes/ContentScan/trigger/reading/gaps';
import { lengthOf } from '../../../../nodes/ContentScan/trigger/reading/listWindow';
import type { WindowContent } from '../../../../nodes/ContentScan/trigger/reading/listWindow';
import { packScans, unpackScans } from '../../../../nodes/ContentScan/trigger/reading/packedScans';
import { PollTime } from '../../../../nodes/ContentScan/trigger/reading/pollTime';
import { PENDING } from '../../../../nodes/ContentScan/trigger/reading/rememberedScans';
import {
	MOST_ADDED,
	MOST_OF_ALL,
	ScanMemory,
} from '../../../../nodes/ContentScan/trigger/reading/scanMemory';
import { START } from './support/lifeOfFeed';
import { watchedForAnHour } from './support/feedSettings';

/** Lists of which the trigger must not remember all: they show other scans at each look, or very many. */

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const settings = { ...watchedForAnHour, isChosen: (code: string) => code === 'MAL' };
const RECORDS = 20_000;

let shown = 0;

function scan(code: string) {
	const second = new Date(START * 1000).toISOString();
	return { id: `scan ${shown++}`, created_at: second, finished_at: second, verbose_verdict: code };
}

const flood = (): WindowContent => ({
	records: Array.from({ length: RECORDS }, () => scan('CLN')),
	end: 'tooMany',
});

function polled(state: FeedState, minute: number, answer: () => WindowContent) {
	const reading = new FeedReading(state, settings, new PollTime(START + minute * MINUTE));
	const window = reading.nextWindow;
	if (window) reading.take(window, answer());
	return reading.result();
}

function afterFlood(state: FeedState): FeedState {
	return Array.from({ length: 4 }, (_, poll) => 15 + poll).reduce(
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
		expect(size).toBeLessThanOrEqual(MOST_OF_ALL);
		const records = [scan('MAL')];
		const { events } = polled(flooded, 60, () => ({ records, end: 'said' }));
		expect(events).toMatchObject([{ record: records[0] }]);
	},
);

it('beside a part that is refused, go before those that were told or have not finished, the oldest first', () => {
	const most = MOST_OF_ALL + 2;
	const remembered = new Map(
		Array.from({ length: most }, (_, index) => {
			const from = START + index;
			const mark = [PENDING, '=MAL'][index] ?? '=CLN';
			return [String(index).padStart(6, '0'), { from, to: from, checked: from, mark }];
		}),
	);
	const memory = new ScanMemory(packScans(remembered), settings);
	const gap = { ...refused, end: START + most };
	const list = { scans: remembered, gaps: new Gaps([gap], HOUR), settledTo: gap.end };
	const { scans, forgotten } = memory.kept(list, gap.end);
	const gone = [...remembered.keys()].filter((digest) => !scans.has(digest)).map(Number);
	expect({ gone, forgotten }).toEqual({ gone: [2, 3], forgotten: 0 });
});

it('after hours without a poll in which more came, polls come to the present and leave none out', () => {
	const now = START + 5 * HOUR;
	const last = scan('MAL');
	const found: unknown[] = [];
	let state: FeedState = { ...freshState('here', START), span: MINUTE };
	for (let polls = 0; polls < 3; polls++) {
		const reading = new FeedReading(state, settings, new PollTime(now));
		let added = 0;
		for (let window = reading.nextWindow; window; window = reading.nextWindow) {
			const many = Array.from({ length: 6 * lengthOf(window) }, () => scan('CLN'));
			added += many.length;
			reading.take(window, { records: window.end >= now ? [last] : many, end: 'said' });
		}
		// All at once would take n8n long.
		expect(added).toBeLessThan(1.01 * MOST_ADDED);
		const { events, state: after } = reading.result();
		found.push(...events.map(({ record }) => record));
		state = after;
	}
	expect(found).toEqual([last]);
	expect(state.settledTo).toBeGreaterThan(now - 11 * MINUTE);
});
