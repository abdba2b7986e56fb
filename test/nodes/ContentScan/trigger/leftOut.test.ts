import { START } from './support/lifeOfFeed';
import { HistoryOfFeed } from './support/historyOfFeed';

it('a scan that the list leaves out once is told to be unfinished, though the window before went further', async () => {
	const step = { after: 60, fate: 'carriesOn', n8nAhead: 0, rivals: 0, faults: [] } as const;
	const history = new HistoryOfFeed({
		traits: {
			pageSize: 1,
			longestWindow: 1e9,
			mostScans: 1000,
			refusal: 400,
			exactSeconds: false,
			order: 'created',
			next: 'absolute',
			lastPage: 'null',
			count: 'right',
			ids: 'text',
			createdAt: 'right',
			unknown: 'null',
			date: 'right',
		},
		scans: [{ id: 'never done', created: START, listed: START, verdicts: [] }],
		chosen: [],
		settings: { verdictChanges: true, watchSeconds: 1200, maxScans: 1000 },
		callsPerMinute: 20,
		savesSilentPolls: false,
		steps: [
			{ ...step, n8nAhead: 60, faults: [] },
			{ ...step, faults: ['leavesOut'] },
		],
	});
	await expect(history.run()).resolves.toBeUndefined();
});
