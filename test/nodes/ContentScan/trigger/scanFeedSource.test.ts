import type { IPollFunctions } from 'n8n-workflow';
import { scanFeedSettings } from '../../../../nodes/ContentScan/trigger/feedSettings';
import { freshState } from '../../../../nodes/ContentScan/trigger/reading/feedState';
import type { FeedState } from '../../../../nodes/ContentScan/trigger/reading/feedState';
import { ScanFeedSource } from '../../../../nodes/ContentScan/trigger/scanFeedSource';
import { listBudget } from '../../../../services/scanning/listBudget';
import { START } from './support/lifeOfFeed';
import type { Traits } from './support/modelScanList';
import { ModelScanList, PLAIN } from './support/modelScanList';

const MINUTE = 60;

/** The trigger's source on a model list, and what it says in n8n's log. */
function feed(traits: Partial<Traits> = {}) {
	const created = START + 30;
	const scan = { id: 'scan 1', created, listed: created, verdicts: [{ at: created, code: 'MAL' }] };
	const list = new ModelScanList([scan], { ...PLAIN, ...traits });
	list.now = START * 1000;
	const warnings: string[] = [];
	const context = {
		getNode: () => ({ id: `node ${list.service.tokenKey}`, name: 'Scans' }),
		getWorkflow: () => ({ id: 'workflow' }),
		getNodeParameter: (_name: string, fallback: unknown) => fallback,
		getTimezone: () => 'UTC',
		logger: { warn: (text: string) => warnings.push(text) },
	} as unknown as IPollFunctions;
	const budget = listBudget(list.service, list.clock, new Map());
	let state: FeedState | undefined;
	const poll = async (minute: number, end?: string, tokenKey = list.service.tokenKey) => {
		list.now = (START + minute * MINUTE) * 1000;
		list.beginPoll();
		const scans = { ...list.service, tokenKey };
		const deadline = list.now + 30_000;
		const source = { scans, budget, filters: {}, clock: list.clock, deadline };
		const of = new ScanFeedSource(context, source, scanFeedSettings(context));
		const batch = await of.read(state ?? freshState(of.scope, START), end);
		state = batch.after;
		return batch;
	};
	return { poll, warnings, budget };
}

it('a poll that finds all calls spent says so, and does not count a batch that comes again as gone', async () => {
	const { poll, warnings, budget } = feed();
	for (let calls = 0; calls < 100; calls++) budget.spend();

	const batch = await poll(1, String(START + MINUTE));
	expect(batch).toMatchObject({ items: [], isUnfinished: true, failure: undefined });
	expect(warnings).toEqual([expect.stringContaining('was not read in this poll')]);

	expect(await poll(10, String(START + MINUTE))).toMatchObject({
		items: [{ json: { scanId: 'scan 1' } }],
		isUnfinished: false,
	});
	expect(warnings).toHaveLength(1);
});

it('another token is said once, and nothing comes twice', async () => {
	const { poll, warnings } = feed();
	expect((await poll(1)).items).toHaveLength(1);
	await poll(2);
	expect(warnings).toEqual([]);

	for (let minute = 3; minute < 6; minute++) {
		expect((await poll(minute, undefined, 'another token')).items).toEqual([]);
	}
	expect(warnings).toEqual([expect.stringContaining('the API token has changed')]);
});

it('a list without a proper end is said once, and what it holds comes', async () => {
	const { poll, warnings } = feed({ lastPage: 'emptyPages' });
	const ids: unknown[] = [];
	for (let minute = 1; minute < 60; minute++) {
		ids.push(...(await poll(minute)).items.map(({ json }) => json.scanId));
	}
	expect(ids).toEqual(['scan 1']);
	expect(warnings).toEqual([expect.stringContaining('does not end properly')]);
});
