import { START } from './support/lifeOfFeed';
import { PLAIN } from './support/scanListTraits';
import type { FeedHistory } from './support/historyOfFeed';
import { HistoryOfFeed } from './support/historyOfFeed';

const STEP = { after: 60, fate: 'carriesOn', n8nAhead: 0, rivals: 0, faults: [] } as const;
const NEVER_DONE = { id: 'never done', created: START, listed: START, verdicts: [] };
const HISTORY: FeedHistory = {
	traits: { ...PLAIN, pageSize: 1, longestWindow: 1e9, mostScans: 1000 },
	scans: [NEVER_DONE],
	chosen: [],
	settings: { verdictChanges: true, watchSeconds: 3600, maxScans: 1000 },
	callsPerMinute: 100,
	savesSilentPolls: false,
	steps: [],
};

it.each<[string, Partial<FeedHistory>]>([
	[
		'once, after a window that went further',
		{
			settings: { ...HISTORY.settings, watchSeconds: 1200 },
			steps: [
				{ ...STEP, n8nAhead: 60, faults: [] },
				{ ...STEP, faults: ['leavesOut'] },
			],
		},
	],
	[
		'since its second is refused for a time',
		{
			scans: [{ ...NEVER_DONE, failsFrom: START + 61, failsUntil: START + 661 }],
			steps: [{ ...STEP, faults: [] }],
		},
	],
])(
	'a scan that the list leaves out %s is told to be unfinished, with its record',
	async (_, history) => {
		await expect(new HistoryOfFeed({ ...HISTORY, ...history }).run()).resolves.toBeUndefined();
	},
);
