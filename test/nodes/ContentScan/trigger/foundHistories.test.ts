import { watchedForAnHour } from './support/feedSettings';
import type { FeedHistory, FeedStep } from './support/historyOfFeed';
import { HistoryOfFeed } from './support/historyOfFeed';
import { START } from './support/lifeOfFeed';
import type { ModelScan, Traits } from './support/scanListTraits';
import { PLAIN } from './support/scanListTraits';

// What random histories found, reduced to what it takes. Times are seconds from the start.

const poll: FeedStep = { after: 60, fate: 'carriesOn', n8nAhead: 0, rivals: 0, faults: [] };

function scan(number: number, created: number, more: Partial<ModelScan> = {}): ModelScan {
	const verdicts = (more.verdicts ?? []).map(({ at, code }) => ({ at: START + at, code }));
	const times = { created: START + created, listed: START + created };
	return { id: `scan ${number}`, ...times, ...more, verdicts };
}

function history(scans: ModelScan[], steps: FeedStep[], traits: Partial<Traits> = {}): FeedHistory {
	return {
		traits: { ...PLAIN, ...traits },
		scans,
		steps,
		chosen: [],
		settings: { ...watchedForAnHour, watchSeconds: 2400 },
		callsPerMinute: 100,
		savesSilentPolls: true,
	};
}

it('a scan that a clock half an hour behind places too early is not told to be gone', async () => {
	const first = { ...poll, after: 1800 };
	const traits: Partial<Traits> = { lastPage: 'repeats', date: 'behind' };
	const found = { ...history([scan(0, 1683)], [first], traits), callsPerMinute: 20 };
	await expect(new HistoryOfFeed(found).run()).resolves.toBeUndefined();
});

it('the look for one scan is no look for another, of whose time a second is refused', async () => {
	const verdicts = [
		{ at: 31, code: 'CLN' },
		{ at: 2051, code: 'MAL' },
	];
	const refused = { failsFrom: START + 1245, failsUntil: Infinity };
	const scans = [scan(0, 0, { verdicts }), scan(1, 448), scan(2, 614, refused)];
	const found = history(scans, [poll, poll]);
	found.chosen = ['CLN'];
	found.settings.verdictChanges = true;
	await expect(new HistoryOfFeed(found).run()).resolves.toBeUndefined();
});

it('a scan that a clock half an hour behind places too early does not come twice', async () => {
	const verdicts = [{ at: 1377, code: 'XYZ' }];
	const fails = { failsFrom: START + 3013, failsUntil: START + 4513 };
	const traits: Partial<Traits> = { createdAt: 'local', date: 'behind' };
	const found = history([scan(0, 1200, { verdicts, ...fails })], [], traits);
	Object.assign(found.settings, { verdictChanges: true, watchSeconds: 1200 });
	await expect(new HistoryOfFeed(found).run()).resolves.toBeUndefined();
});

it('a scan that a clock an hour behind places too early is not told to be unfinished while it is among the new ones', async () => {
	const first = { ...poll, after: 1920, n8nAhead: -3600 };
	const slow = scan(0, 1901, { verdicts: [{ at: 2040, code: 'MAL' }] });
	const found = history([slow], [first, poll], { createdAt: 'null' });
	found.settings.watchSeconds = 1200;
	await expect(new HistoryOfFeed(found).run()).resolves.toBeUndefined();
});

it('a failed batch is looked for up to its end where the service refuses times to come', async () => {
	const verdicts = [
		{ at: 2370, code: 'XYZ' },
		{ at: 2499, code: 'SUS' },
	];
	const waits = [60, 60, 60, 60, 1800, 300];
	const steps: FeedStep[] = waits.map((after) => ({ ...poll, after }));
	steps.push({ ...poll, fate: 'fails' });
	const traits: Partial<Traits> = { longestWindow: 300, goesBy: 'finish' };
	const found = { ...history([scan(0, 1201, { verdicts })], steps, traits), chosen: ['XYZ'] };
	Object.assign(found.settings, { watchSeconds: 3600, maxScans: 4 });
	await expect(new HistoryOfFeed(found).run()).resolves.toBeUndefined();
});

it('a refused second is not given up early by a clock of n8n that is an hour ahead', async () => {
	const refused = { failsFrom: START + 805, failsUntil: START + 2305 };
	const malicious = scan(0, 799, { verdicts: [{ at: 806, code: 'MAL' }], ...refused });
	const found = history([malicious], [{ ...poll, n8nAhead: 3600 }], { exactSeconds: true });
	found.chosen = ['MAL'];
	found.settings.watchSeconds = 3600;
	await expect(new HistoryOfFeed(found).run()).resolves.toBeUndefined();
});

it('the rest of a failed batch comes again whatever its verdict has become, although a part came before', async () => {
	const refused = { failsFrom: START + 2221, failsUntil: START + 3721 };
	const changed = [
		{ at: 1441, code: 'MAL' },
		{ at: 2609, code: 'SUS' },
	];
	const scans = [
		scan(0, 1201, refused),
		scan(1, 1201, { verdicts: [{ at: 1325, code: 'MAL' }] }),
		scan(2, 1433, { verdicts: changed }),
	];
	const steps: FeedStep[] = [
		{ ...poll, after: 1800, fate: 'fails' },
		{ ...poll, rivals: 40 },
	];
	const found = { ...history(scans, steps), chosen: ['MAL'], callsPerMinute: 20 };
	found.settings.maxScans = 2;
	await expect(new HistoryOfFeed(found).run()).resolves.toBeUndefined();
});
