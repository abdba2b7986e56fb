import type { NodeExecutionHint } from 'n8n-workflow';
import { getManyEntries } from '../../../../nodes/ConsoleAuditLog/actions/getManyEntries';
import { enteredRange } from '../../../../nodes/ConsoleAuditLog/actions/timeRange';
import type { Answer, Call, Service } from '../../../../transport/call';
import { FakeClock } from '../../../support/fakeClock.cts';
import { fakeContext } from '../../ContentScan/support/fakeContext';
import type { ModelEntry, ServiceHabits } from '../support/modelLog';
import { ModelLog, PLAIN_HABITS } from '../support/modelLog';
import { ModelService } from '../support/modelService';

const NOW = Date.UTC(2026, 2, 1);
const DAY = 24 * 3_600_000;

/** 250 entries, a minute apart, the last one now. */
const EVERY_MINUTE = Array.from({ length: 250 }, (_, number) => {
	const time = NOW - (249 - number) * 60_000;
	const createdAt = new Date(time).toISOString();
	return { time, appearsAt: 0, entry: { auditlogId: `e${number}`, createdAt } };
});

function getMany(
	parameters: Record<string, unknown>,
	habits: Partial<ServiceHabits> = {},
	entries: ModelEntry[] = EVERY_MINUTE,
	share = 1,
) {
	const service = new ModelService(new ModelLog(entries, { ...PLAIN_HABITS, ...habits }), NOW);
	const hints: NodeExecutionHint[] = [];
	const context = fakeContext({
		parameters: { returnAll: true, order: 'oldestFirst', ...parameters },
		hints,
	});
	const clock = new FakeClock({ start: NOW });
	const calls = { itemIndex: 0, callContext: () => ({}), clock, share };
	const ids = async () =>
		(await getManyEntries(context, service, calls)).map(({ auditlogId }) => auditlogId);
	return { service, hints, ids };
}

const range = (from: number, to: number) =>
	Array.from({ length: to - from + 1 }, (_, number) => `e${from + number}`);

describe.each(['null', 'token'] as const)('Get Many, end of log %s', (end) => {
	test('returns all, oldest first, in pages of 100', async () => {
		const { service, ids } = getMany({}, { end });
		expect(await ids()).toEqual(range(0, 249));
		expect(service.queries).toHaveLength(end === 'null' ? 3 : 4);
		expect(new Set(service.queries.map(({ limit }) => limit))).toEqual(new Set([100]));
	});

	test('returns up to a limit, and reads no further', async () => {
		const few = getMany({ returnAll: false, limit: 7 }, { end });
		expect(await few.ids()).toEqual(range(0, 6));
		expect(few.service.queries).toEqual([{ since: undefined, limit: 7, pageToken: undefined }]);
		const more = getMany({ returnAll: false, limit: 150 }, { end });
		expect(await more.ids()).toEqual(range(0, 149));
		expect(more.service.queries).toHaveLength(2);
	});

	test('reads from a time on, that time included, and stops at the first entry after another', async () => {
		const at = (number: number) => new Date(NOW - (249 - number) * 60_000).toISOString();
		const { service, ids } = getMany({ since: at(20), options: { until: at(160) } }, { end });
		expect(await ids()).toEqual(range(20, 160));
		expect(service.queries).toHaveLength(2);
	});

	test('asks for pages of the size that the user set', async () => {
		const { service, ids } = getMany({ options: { pageSize: 60 } }, { end });
		expect(await ids()).toEqual(range(0, 249));
		expect(service.queries[0].limit).toBe(60);
	});
});

describe.each(['null', 'token'] as const)('Get Many, newest first, end of log %s', (end) => {
	const at = (number: number) => new Date(NOW - (249 - number) * 60_000).toISOString();
	const newest = (parameters: Record<string, unknown>) =>
		getMany({ order: 'newestFirst', returnAll: false, limit: 50, ...parameters }, { end });

	test('is the default, and gives what just happened without reading the log', async () => {
		const { service, ids } = newest({ order: undefined });
		expect(await ids()).toEqual(range(200, 249).reverse());
		expect(service.queries.length).toBeLessThan(12);
	});

	test('begins at Until and stops at Since', async () => {
		const options = { until: at(160) };
		expect(await newest({ limit: 7, options }).ids()).toEqual(range(154, 160).reverse());
		expect(await newest({ since: at(155), options }).ids()).toEqual(range(155, 160).reverse());
		expect(await newest({ since: at(249) }).ids()).toEqual(['e249']);
	});

	test('returns all, turned round', async () => {
		expect(await newest({ returnAll: true }).ids()).toEqual(range(0, 249).reverse());
		expect(await newest({ limit: 1000 }).ids()).toEqual(range(0, 249).reverse());
	});

	test('says how else to read where too many share a moment', async () => {
		const crowd = Array.from({ length: 700 }, (_, n) => ({
			time: NOW - 5,
			appearsAt: 0,
			entry: { auditlogId: `c${n}`, createdAt: new Date(NOW - 5).toISOString() },
		}));
		const { service, ids } = getMany(
			{ order: 'newestFirst', returnAll: false, limit: 50, options: { pageSize: 1 } },
			{ end },
			crowd,
		);
		await expect(ids()).rejects.toMatchObject({
			message: 'The newest entries were not found within 360 requests',
			description: expect.stringContaining("Set 'Order' to Oldest First and 'Since'"),
		});
		expect(service.queries).toHaveLength(360);
	});

	test('may take more requests where the console cuts its pages at 100', async () => {
		const crowd = Array.from({ length: 20_000 }, (_, n) => ({
			time: NOW - 5,
			appearsAt: 0,
			entry: { auditlogId: `c${n}`, createdAt: new Date(NOW - 5).toISOString() },
		}));
		const habits = { end, maxLimit: 100, overMax: 'cap' } as const;
		const parameters = { returnAll: false, limit: 1000, options: { pageSize: 1000 } };
		const { ids } = getMany({ order: 'newestFirst', ...parameters }, habits, crowd);
		await expect(ids()).rejects.toThrow('not found within 120 requests');
	});
});

describe('Get Many', () => {
	test('ends with an error when the tokens lead in a circle', async () => {
		await expect(getMany({}, { loopAfter: 2 }).ids()).rejects.toThrow('circle');
	});

	test.each([17, 'x'.repeat(17_000)])(
		'ends with an error at a page token that cannot be sent',
		async (nextPageToken) => {
			for (const parameters of [{}, { order: 'oldestFirst' }]) {
				const { service, ids } = getMany(parameters);
				service.tokenAs = () => nextPageToken;
				await expect(ids()).rejects.toThrow("'nextPageToken'");
			}
		},
	);

	test('ends with an error when the same page comes behind ever new tokens', async () => {
		const { service, ids } = getMany({});
		let tokens = 0;
		service.send = async () => {
			if (++tokens > 100) throw new Error('endless');
			const body = { items: [{ auditlogId: 'a' }], nextPageToken: `t${tokens}` };
			return { status: 200, headers: {}, body, bytes: 0, tookMs: 0 };
		};
		await expect(ids()).rejects.toThrow('circle');
		expect(tokens).toBe(2);
	});

	test.each([
		[{ since: 'yesterday' }, "'Since' is not a date"],
		[{ since: '2026-02-30T00:00:00Z' }, "'Since' is not a date"],
		[
			{ since: '2026-03-02T00:00:00Z' },
			"'Since' is in the future: 2026-03-02T01:00:00 (Europe/Berlin)",
		],
		[{ options: { until: '' } }, "'Until' is empty"],
		[{ options: { until: undefined } }, "'Until' is empty"],
		[{ options: { until: 'never' } }, "'Until' is not a date"],
		[{ options: { until: new Date('never') } }, "'Until' is not a date"],
		[
			{ since: '2026-02-02T00:00:00Z', options: { until: '2026-02-01T00:00:00Z' } },
			"'Until' is before 'Since'",
		],
		[{ order: 'Newest First' }, "'Order' is not one of its options"],
		[{ returnAll: 'yes' }, "'Return All' must be true or false"],
		[{ returnAll: null }, "'Return All' must be true or false"],
		[{ returnAll: false, limit: 0 }, "'Limit' must be a whole number"],
		[{ returnAll: false, limit: -1 }, "'Limit' must be a whole number"],
		[{ returnAll: false, limit: 1.5 }, "'Limit' must be a whole number"],
		[{ returnAll: false, limit: 1e300 }, "'Limit' must be a whole number"],
		[{ returnAll: false, limit: 'many' }, "'Limit' must be a whole number"],
		[{ returnAll: false, limit: true }, "'Limit' must be a whole number"],
		[{ options: { pageSize: 0 } }, "'Page Size' must be a whole number"],
	])('refuses %p before it asks anything', async (parameters, message) => {
		const { service, ids } = getMany(parameters);
		await expect(ids()).rejects.toThrow(message);
		expect(service.queries).toHaveLength(0);
	});

	test('has no limit where an AI agent leaves Until empty', async () => {
		const context = fakeContext({ parameters: { options: { until: '' } }, isTool: true });
		expect(enteredRange(context, 0, { until: '' }, NOW)).toEqual({});
	});

	test.each(['true', true])('returns all where an expression gives %p', async (returnAll) => {
		expect(await getMany({ returnAll, limit: 5 }).ids()).toHaveLength(250);
	});

	test('takes a time without an offset as the workflow’s, with one as it says', async () => {
		const inZone = getMany({ since: '2026-02-28T23:00:00' });
		await inZone.ids();
		expect(inZone.service.queries[0].since).toBe('2026-02-28T22:00:00.000Z');
		const withOffset = getMany({ since: '2026-02-28T23:00:00-01:00' });
		await withOffset.ids();
		expect(withOffset.service.queries[0].since).toBe('2026-03-01T00:00:00.000Z');
	});

	test('says when the time lies before what the console keeps', async () => {
		const { hints, ids } = getMany({ since: new Date(NOW - 366 * DAY).toISOString() });
		expect(await ids()).toHaveLength(250);
		expect(hints).toEqual([expect.objectContaining({ message: expect.stringContaining('365') })]);
	});
});

describe('a log that records each reading, and names a next page as long as there is an entry', () => {
	/** @param rate How many entries come with each reading. */
	function growing(parameters: Record<string, unknown>, rate = 1) {
		const all = EVERY_MINUTE.map(({ entry }) => entry as { auditlogId: string; createdAt: string });
		const clock = new FakeClock({ start: NOW });
		let calls = 0;
		const send = async ({ query = {} }: Call): Promise<Answer> => {
			calls += 1;
			await clock.advance(1000);
			// It is recorded when it is over.
			const at = clock.now() + 1;
			for (let one = 0; one < rate; one++) {
				const createdAt = new Date(at + one).toISOString();
				all.push({ auditlogId: `reading ${calls}.${one}`, createdAt });
			}
			const since = String(query.since ?? '');
			const from = Number(query.pageToken ?? all.findIndex(({ createdAt }) => createdAt >= since));
			const items = from < 0 ? [] : all.slice(from, from + Number(query.limit));
			const body = { items, ...(items.length > 0 && { nextPageToken: `${from + items.length}` }) };
			const headers = { date: new Date(at - 1).toUTCString() };
			return { status: 200, headers, body, bytes: 0, tookMs: 0 };
		};
		const context = fakeContext({ parameters });
		const itemCalls = { itemIndex: 0, callContext: () => ({}), clock, share: 1 };
		const service = { send } as unknown as Service;
		return getManyEntries(context, service, itemCalls);
	}

	test('is returned to its end, which is at the time of the call', async () => {
		const entries = await growing({ returnAll: true, order: 'oldestFirst' });
		const ids = entries.map(({ auditlogId }) => auditlogId);
		expect(ids.slice(0, 250)).toEqual(range(0, 249));
		expect(ids.length).toBeLessThan(300);
	});

	test.each([12, 60])('ends though %i come with each reading', async (rate) => {
		const parameters = { returnAll: true, order: 'oldestFirst', options: { pageSize: 50 } };
		const ids = (await growing(parameters, rate)).map(({ auditlogId }) => auditlogId);
		expect(ids.slice(0, 250)).toEqual(range(0, 249));
		expect(ids.length).toBeLessThan(2000);
	});

	test('has newest entries, those that were there before', async () => {
		const entries = await growing({ returnAll: false, limit: 50, order: 'newestFirst' });
		expect(entries.map(({ auditlogId }) => auditlogId)).toEqual(range(200, 249).reverse());
	});
});

describe.each(['oldestFirst', 'newestFirst'])('entries of a megabyte each, %s', (order) => {
	const megabytes = (parameters: object, share?: number) => {
		const many = getMany({ order, ...parameters }, {}, EVERY_MINUTE, share);
		many.service.bytesOf = ({ items }) => items.length * 1024 * 1024;
		return many;
	};

	test.each([64, 65])('are returned up to 64 MB: %i of them', async (limit) => {
		const returned = megabytes({ returnAll: false, limit }).ids();
		if (limit === 64) expect(await returned).toHaveLength(64);
		else
			await expect(returned).rejects.toMatchObject({
				message: '65 entries would take more than 64 MB',
				description: expect.stringContaining("Set 'Limit' lower"),
			});
	});

	test('are fewer where they become very many texts', async () => {
		const limited = (limit: number) => megabytes({ returnAll: false, limit }, 0.5).ids();
		expect(await limited(32)).toHaveLength(32);
		await expect(limited(33)).rejects.toMatchObject({
			message: '33 entries would take more than 32 MB',
			description: expect.stringContaining("raise 'Max Text Size (MB)'"),
		});
	});

	test('are all returned where all are asked for', async () => {
		expect(await megabytes({ returnAll: true }).ids()).toHaveLength(250);
	});
});

it('a high limit allows for more than 64 MB', async () => {
	const many = getMany({ returnAll: false, limit: 10_000 });
	many.service.bytesOf = ({ items }) => items.length * 300 * 1024;
	expect(await many.ids()).toHaveLength(250);
});

it.each([
	['oldestFirst', 100],
	['newestFirst', 100],
	['oldestFirst', 50],
])(
	'a console whose clock is hours behind hides no entry of those hours (%s, pages of %i)',
	async (order, maxLimit) => {
		const entries = Array.from({ length: 2500 }, (_, number) => {
			const time = NOW - (2499 - number) * 2000;
			const createdAt = new Date(time).toISOString();
			return { time, appearsAt: 0, entry: { auditlogId: `e${number}`, createdAt } };
		});
		const { service, ids } = getMany({ order }, { maxLimit, overMax: 'cap' }, entries);
		service.now = NOW - 2 * 3_600_000;
		expect((await ids()).sort()).toEqual(range(0, 2499).sort());
	},
);

describe('entries that are dated ahead, as where local time is written without a zone', () => {
	/** @param apartMs From one entry to the next, the last one now. */
	const ahead = (aheadMs: number, count: number, apartMs: number) =>
		Array.from({ length: count }, (_, number) => {
			const time = NOW - (count - 1 - number) * apartMs;
			const createdAt = new Date(time + aheadMs).toISOString();
			return { time, appearsAt: 0, entry: { auditlogId: `e${number}`, createdAt } };
		});

	test.each([true, false])('are no growth of the log (Date header: %p)', async (tellsTime) => {
		const habits = { maxLimit: 50, overMax: 'cap' } as const;
		const { service, ids } = getMany({}, habits, ahead(2 * 3_600_000, 2500, 1000));
		service.tellsTime = tellsTime;
		expect(await ids()).toEqual(range(0, 2499));
	});

	test.each([
		[2 * 3_600_000, undefined],
		[2 * 3_600_000, new Date(NOW - 1_800_000).toISOString()],
	])('hide no newer ones: too many are an error (by %i ms, Since: %p)', async (aheadMs, since) => {
		const newest = { order: 'newestFirst', returnAll: false, limit: 50, since };
		const many = getMany(newest, {}, ahead(aheadMs, 8000, 5));
		await expect(many.ids()).rejects.toThrow('were not found');
		const fewer = getMany(newest, {}, ahead(aheadMs, 3000, 5));
		expect(await fewer.ids()).toEqual(range(2950, 2999).reverse());
	});

	test('hide no newer ones: by half a minute, many are found', async () => {
		const newest = { order: 'newestFirst', returnAll: false, limit: 50 };
		for (const count of [3000, 8000]) {
			const { ids } = getMany(newest, {}, ahead(30_000, count, 5));
			expect(await ids()).toEqual(range(count - 50, count - 1).reverse());
		}
	});
});
