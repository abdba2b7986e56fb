import { FeedReading } from '../../../../nodes/ContentScan/trigger/reading/feedReading';
import type { FeedState } from '../../../../nodes/ContentScan/trigger/reading/feedState';
import { freshState } from '../../../../nodes/ContentScan/trigger/reading/feedState';
import { PollTime } from '../../../../nodes/ContentScan/trigger/reading/pollTime';

const START = 1_780_000_000;

const settings = {
	isChosen: () => true,
	tellsUnfinished: true,
	verdictChanges: true,
	watchSeconds: 3600,
	maxScans: 1000,
};

const finished = (verbose_verdict: string | null, ids: object = { id: 1 }) => ({
	...ids,
	created_at: new Date(START * 1000).toISOString(),
	finished_at: new Date(START * 1000).toISOString(),
	verbose_verdict,
});

/** The verdicts that polls of each minute deliver while the list shows these records. */
function delivered(records: object[]) {
	let state: FeedState = freshState('here', START);
	const codes: unknown[] = [];
	for (let minute = 1; minute < 10; minute++) {
		const now = START + 60 * minute;
		const reading = new FeedReading(state, settings, new PollTime(now));
		for (let calls = 0; calls < 10; calls++) {
			const window = reading.nextWindow;
			if (!window) break;
			const shown = window.start <= START && window.end >= START ? records : [];
			reading.take(window, { records: shown as never, end: 'said' });
		}
		codes.push(...reading.events.map(({ record }) => record?.verbose_verdict));
		state = JSON.parse(JSON.stringify(reading.state)) as FeedState;
	}
	return codes;
}

describe('of records of one scan that contradict each other, the worst counts, and once', () => {
	it.each([
		['MAL', [finished('CLN'), finished('MAL')]],
		['MAL', [finished('MAL'), finished('CLN')]],
		['MAL', [finished('CLN'), finished('MAL', { id: 1, full_scan_id: 'A_1' })]],
		['MAL', [{ id: 1, finished_at: null }, finished('MAL')]],
		['NEW', [finished('CLN'), finished('NEW'), finished('CLN')]],
	])('%s of %j', (code, records) => {
		expect(delivered(records)).toEqual([code]);
	});

	it('none, as long as one of a clean scan has not finished', () => {
		expect(delivered([finished('CLN'), { id: 1, finished_at: null }])).toEqual([]);
	});
});
