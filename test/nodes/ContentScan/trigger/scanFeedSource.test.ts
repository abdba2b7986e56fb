import type { IPollFunctions } from 'n8n-workflow';
import { scanFeedSettings } from '../../../../nodes/ContentScan/trigger/feedSettings';
import { freshState } from '../../../../nodes/ContentScan/trigger/reading/feedState';
import type { FeedState } from '../../../../nodes/ContentScan/trigger/reading/feedState';
import { ScanFeedSource } from '../../../../nodes/ContentScan/trigger/scanFeedSource';
import { listBudget } from '../../../../services/scanning/listBudget';
import { START } from './support/lifeOfFeed';
import type { ModelScan, Traits } from './support/scanListTraits';
import { ModelScanList } from './support/modelScanList';
import { PLAIN } from './support/scanListTraits';

const MINUTE = 60;

interface Tenant {
	/** Until when the only finished scan cannot be shown. */
	failsUntil: number;
	verdicts: string[];
	/** Its verdicts after the first one. */
	later: ModelScan['verdicts'];
	verdictChanges: boolean;
	/** How many scans never finish. */
	pending: number;
}

function neverDone(index: number) {
	const created = START + 30 + Math.floor(index / 4);
	return { id: `pending ${index}`, created, listed: created, verdicts: [] };
}

/** The trigger's source on a model list, and what it says in n8n's log. */
function feed(
	traits: Partial<Traits> = {},
	{
		failsUntil,
		verdicts = [],
		later = [],
		verdictChanges = false,
		pending = 0,
	}: Partial<Tenant> = {},
) {
	const created = START + 30;
	const found = [{ at: created, code: 'MAL' }, ...later];
	const scan = { id: 'scan 1', created, listed: created, verdicts: found, failsUntil };
	const scans = [scan, ...Array.from({ length: pending }, (_, index) => neverDone(index))];
	const list = new ModelScanList(scans, { ...PLAIN, ...traits });
	list.now = START * 1000;
	const warnings: string[] = [];
	const context = {
		getNode: () => ({ id: `node ${list.service.tokenKey}`, name: 'Scans' }),
		getChildNodes: () => [],
		getWorkflow: () => ({ id: 'workflow' }),
		getNodeParameter: (name: string, fallback: unknown) =>
			name === 'verdicts'
				? verdicts
				: name === 'options'
					? { watchHours: 1, verdictChanges }
					: fallback,
		getTimezone: () => 'UTC',
		logger: { warn: (text: string) => warnings.push(text) },
	} as unknown as IPollFunctions;
	const budget = listBudget(list.service, 'trigger', list.clock, new Map());
	const source = (tokenKey: string, ms = 30_000) => {
		const scans = { ...list.service, tokenKey };
		const deadline = list.clock.now() + ms;
		const polled = { scans, budget, filters: {}, clock: list.clock, deadline };
		return new ScanFeedSource(context, polled, scanFeedSettings(context));
	};
	let state: FeedState | undefined;
	const poll = async (
		minute: number,
		end?: string,
		tokenKey = list.service.tokenKey,
		ms = 30_000,
	) => {
		list.now = (START + minute * MINUTE) * 1000;
		list.beginPoll();
		const of = source(tokenKey, ms);
		const batch = await of.read(state ?? freshState(of.scope, START), end);
		state = batch.after;
		return batch;
	};
	/** A poll whose workflow fails, so that the position stays before what it delivers. */
	const failedPoll = async (minute: number, end?: string, tokenKey?: string) => {
		const before = state;
		const batch = await poll(minute, end, tokenKey);
		state = before;
		return batch;
	};
	const of = source(list.service.tokenKey);
	const position = (changed: object) => of.position({ ...freshState(of.scope, START), ...changed });
	return { poll, failedPoll, position, warnings, budget, source: of, list };
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

it.each([500, 403])(
	'polls in which every call fails (%p) leave the position as it was, however many',
	async (status) => {
		const { poll, list } = feed();
		const { after } = await poll(1);
		list.nextFault = () => status;
		for (let minute = 2; minute < 80; minute++) {
			expect((await poll(minute)).after).toBe(after);
		}
	},
);

it('a batch that comes again and is not found gets ever more calls', async () => {
	const { failedPoll, list } = feed({ longestWindow: 60 });
	const calls: number[] = [];
	for (let minute = 300; minute <= 330; minute++) {
		const before = list.calls;
		await failedPoll(minute, String(START + 299 * MINUTE));
		calls.push(list.calls - before);
	}
	expect(Math.max(...calls.slice(0, 2))).toBeLessThan(30);
	expect(Math.max(...calls)).toBeGreaterThan(60);
});

it.each([
	[8, 'waits for them where enough of its time is left', 24_000],
	[9, 'makes a few calls at once where too little of its time would be left', 0],
])('of a poll that finds %i calls too many spent: %s', async (spent, _, waitMs) => {
	const { poll, budget, list } = feed();
	list.now = (START + MINUTE) * 1000;
	for (let calls = 0; calls < spent; calls++) budget.spend();
	const send = jest.spyOn(list, 'send');
	let askedAt: number | undefined;
	send.mockImplementationOnce(async (...call) => {
		askedAt = list.clock.now();
		return await list.send(...call);
	});
	await poll(1);
	expect(askedAt! - (START + MINUTE) * 1000).toBe(waitMs);
});

it('reads the list every five minutes at least, whatever others spend', async () => {
	const { poll, budget, list, warnings } = feed();
	const readIn: number[] = [];
	for (let minute = 1; minute <= 12; minute++) {
		for (let calls = 0; calls < 100; calls++) budget.spend();
		const before = list.calls;
		await poll(minute);
		if (list.calls > before) readIn.push(minute);
	}
	expect(readIn).toEqual([6, 11]);
	expect(warnings).toHaveLength(10);
});

it('asks for the time of a service with a window that no service refuses: past, and not empty', async () => {
	const { source, list } = feed();
	const send = jest.spyOn(list, 'send');
	await source.start();
	const [{ query }] = send.mock.calls[0];
	expect(Number(query?.start)).toBeLessThan(Number(query?.end));
	expect(Number(query?.end)).toBeLessThan(START - 60 * MINUTE);
});

it('a poll whose time is over before it reads does not blame others for it', async () => {
	const { poll, warnings } = feed();
	const batch = await poll(1, String(START + MINUTE), undefined, 0);
	expect(batch).toMatchObject({ items: [], isUnfinished: true, failure: undefined });
	expect(warnings).toEqual([]);
});

it('pending scans that are forgotten without an item are counted in the log', async () => {
	const { poll, warnings } = feed({}, { verdicts: ['malicious'], pending: 4500 });
	for (let minute = 1; minute <= 40; minute++) await poll(minute);
	const counts = warnings.map(
		(text) => /more pending scans .* The oldest \((\d+)\)/.exec(text)?.[1],
	);
	expect(counts.reduce((sum, count) => sum + Number(count), 0)).toBe(100);
});

it.each([
	{ date: 'yearAhead', hours: 0, service: '2027-06-15T12:01:00' },
	{ date: 'year10000', hours: 0, service: '+010000-01-01T00:00:00' },
	{ date: 'right', hours: 30, service: '2026-06-15T12:01:00' },
	{ date: 'right', hours: -30, service: '2026-06-15T12:01:00' },
	{ date: 'right', hours: 0.2, service: '2026-06-15T12:01:00' },
	{ date: 'ahead', hours: 0, service: '2026-06-15T12:31:00' },
] as const)(
	"that n8n's clock and the service's differ by over ten minutes is said once ($date, $hours h)",
	async ({ date, hours, service }) => {
		const { poll, warnings, list } = feed({ date });
		list.n8nAhead = hours * 3_600_000;
		for (let minute = 1; minute < 5; minute++) await poll(minute);
		expect(warnings).toEqual([expect.stringContaining('differ by over ten minutes')]);
		expect(warnings[0]).toContain(`the service ${service}`);
	},
);

it("if n8n's clock is behind and the service refuses a time to come, the time since the last scan counts", async () => {
	const { poll, list } = feed();
	list.n8nAhead = -3 * 3_600_000;
	const send = list.send.bind(list);
	list.send = async (call, context) => {
		list.nextFault = () => (Number(call.query?.end) > list.now / 1000 ? 400 : 'none');
		return await send(call, context);
	};
	expect((await poll(12)).items).toHaveLength(1);
	const created = START + 29 * MINUTE;
	const verdicts = [{ at: created, code: 'MAL' }];
	list.scans.push({ id: 'later', created, listed: created, verdicts });
	expect((await poll(43)).items).toHaveLength(1);
});

it("the position follows the service's time although n8n's clock is hours behind, also while no new scan comes", async () => {
	const { poll, list } = feed();
	list.n8nAhead = -3 * 3_600_000;
	await poll(1);
	const { after } = await poll(30);
	const sinceScan = 29 * MINUTE;
	expect(after.settledTo).toBe(START + 30 + sinceScan - 600);
});

it("nothing is said of clocks that differ by less, or where the service's is not known", async () => {
	const { poll, warnings, list } = feed();
	list.n8nAhead = 9 * 60_000;
	await poll(1);
	list.n8nAhead = 30 * 3_600_000;
	list.traits.date = 'missing';
	await poll(2);
	expect(warnings).toEqual([]);
});

it('another token is said once, also where polls fail, and nothing comes twice', async () => {
	const { poll, failedPoll, warnings } = feed();
	expect((await poll(1)).items).toHaveLength(1);
	await poll(2);
	expect(warnings).toEqual([]);

	for (let minute = 3; minute < 6; minute++) await failedPoll(minute, undefined, 'another token');
	for (let minute = 6; minute < 9; minute++) {
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

it.each([
	{ verdicts: ['malicious'], told: [], given: 2 },
	{ verdicts: ['malicious', 'other'], told: ['unfinished', 'unfinished'], given: 0 },
])(
	'scans that are refused for good are named in the log or in an item, with $verdicts',
	async ({ verdicts, told, given }) => {
		const { poll, warnings } = feed({}, { failsUntil: Infinity, verdicts });
		const events: unknown[] = [];
		for (let minute = 1; minute <= 120; minute++) {
			events.push(...(await poll(minute)).items.map(({ json }) => json.event));
		}
		expect(events).toEqual(told);
		const givenUp = warnings.filter((text) => text.includes('gives up on them'));
		expect(givenUp).toHaveLength(given);
		for (const text of givenUp) expect(text).toContain('from 2026-06-15T12:00:');
	},
);

it('a stored position that is partly unreadable is said', () => {
	const { position, warnings } = feed();
	position({ span: 'x' });
	expect(warnings).toEqual([expect.stringMatching(/cannot be used \(span\).*2026-06-15T12:00/)]);
});

describe('a batch that comes again', () => {
	const verdictsOf = ({ items }: { items: Array<{ json: object }> }) =>
		items.map(({ json }) => (json as { verdict: string }).verdict);
	const laterClean = { verdicts: ['malicious'], later: [{ at: START + 2 * MINUTE, code: 'CLN' }] };

	it('holds a scan whose verdict has left the selection meanwhile', async () => {
		const { poll, failedPoll } = feed({}, laterClean);
		const first = await failedPoll(1);
		expect(verdictsOf(first)).toEqual(['malicious']);
		const second = await failedPoll(3, first.end);
		expect(verdictsOf(second)).toEqual(['clean']);
		expect(verdictsOf(await poll(4, second.end))).toEqual(['clean']);
		expect(verdictsOf(await poll(5))).toEqual([]);
	});

	it('holds a change that was taken back', async () => {
		const { poll, failedPoll } = feed(
			{},
			{
				verdicts: ['suspicious'],
				later: [
					{ at: START + 2 * MINUTE, code: 'SUS' },
					{ at: START + 4 * MINUTE, code: 'MAL' },
				],
				verdictChanges: true,
			},
		);
		expect(verdictsOf(await poll(1))).toEqual([]);
		const first = await failedPoll(3);
		expect(verdictsOf(first)).toEqual(['suspicious']);
		expect(verdictsOf(await poll(5, first.end))).toEqual(['malicious']);
		expect(verdictsOf(await poll(6))).toEqual([]);
	});

	it('does not hold others that were not chosen', async () => {
		const { poll, failedPoll } = feed({}, laterClean);
		const { end } = await failedPoll(0);
		expect(verdictsOf(await poll(3, end))).toEqual([]);
	});
});

it.each([
	{ date: 'minutesAhead', n8nAhead: 0 },
	{ date: 'right', n8nAhead: -5 },
	{ date: 'right', n8nAhead: 5 },
] as const)(
	'a new trigger starts by the earlier clock, where the two are minutes apart: $date, $n8nAhead',
	async ({ date, n8nAhead }) => {
		const { source, list } = feed({ date });
		list.n8nAhead = n8nAhead * MINUTE * 1000;
		const { position } = await source.start();
		expect(position.settledTo).toBeLessThanOrEqual(START);
	},
);

it("a new trigger starts by the service's clock, where n8n's is hours off", async () => {
	const { source, list } = feed();
	list.n8nAhead = 3 * 3_600_000;
	expect((await source.start()).position.settledTo).toBe(START);
});
