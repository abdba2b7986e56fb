import type { OpenSandbox } from './calls.cts';
import { call, getConsole, openSandbox, readPages, startMs } from './calls.cts';

const small = { historyEntries: 250, historyDays: 30 };
const iso = (ms: number) => new Date(ms).toISOString();
const times = (answer: { data: { items: Array<{ createdAt: string }> } }) =>
	answer.data.items.map((item) => item.createdAt);

describe('the audit log', () => {
	it('gives every entry once, oldest first, page by page', async () => {
		const open = await openSandbox({ console: small });
		const pages = await readPages(open, { limit: 100 });
		expect(pages.map((page) => page.length)).toEqual([100, 100, 50]);
		expect(pages.flat()).toEqual(open.sandbox.entryIds());
		expect(new Set(pages.flat()).size).toBe(250);
	});

	it('gives pages of its own size without a limit', async () => {
		const open = await openSandbox({ console: { ...small, defaultPageSize: 40 } });
		const { data } = await getConsole(open);
		expect(data.items).toHaveLength(40);
		const created = data.items.map((item: { createdAt: string }) => item.createdAt);
		expect(created).toEqual([...created].sort());
	});

	it('takes since as inclusive', async () => {
		const open = await openSandbox({ console: small });
		const created = times(await getConsole(open, { limit: 250 }));
		const since = created[100];
		const rest = times(await getConsole(open, { limit: 250, since }));
		expect(rest).toEqual(created.slice(created.indexOf(since)));
		const later = await getConsole(open, { since: iso(startMs + 86_400_000) });
		expect(later.data).toEqual({ items: [], nextPageToken: null });
	});

	it.each([
		['null', { nextPageToken: null }],
		['absent', {}],
	] as const)('ends with %s where it is told to', async (endOfLog, end) => {
		const open = await openSandbox({ console: { ...small, endOfLog } });
		const { data } = await getConsole(open, { limit: 1_000 });
		expect({ ...data, items: data.items.length }).toEqual({ items: 250, ...end });
	});

	it('ends with a token that leads to an empty page, and later to what is new', async () => {
		const open = await openSandbox({ console: { ...small, endOfLog: 'token' } });
		const { data: last } = await getConsole(open, { limit: 1_000 });
		const query = { limit: 1_000, pageToken: last.nextPageToken };
		const { data: empty } = await getConsole(open, query);
		expect(empty).toEqual({ items: [], nextPageToken: expect.any(String) });
		open.clock.advance(1_000);
		const [id] = open.sandbox.append([{}]);
		const { data: grown } = await getConsole(open, query);
		expect(grown.items).toEqual([expect.objectContaining({ auditlogId: id })]);
	});

	it('lowers a limit that is too large where it is told to', async () => {
		const open = await openSandbox({
			console: { ...small, maxPageSize: 60, overMaxPageSize: 'cap' },
		});
		expect((await getConsole(open, { limit: 500 })).data.items).toHaveLength(60);
	});

	it('refuses a token with another call than the one that gave it', async () => {
		const open = await openSandbox({ console: small });
		const since = iso(startMs - 30 * 86_400_000);
		const { nextPageToken: pageToken } = (await getConsole(open, { since, limit: 10 })).data;
		const status = async (query: Record<string, string | number>) =>
			(await getConsole(open, { pageToken, ...query })).status;
		expect(await status({ since, limit: 10 })).toBe(200);
		expect(await status({ since, limit: 20 })).toBe(400);
		expect(await status({ limit: 10 })).toBe(400);
		expect(await status({ since: iso(startMs), limit: 10 })).toBe(400);
		expect(await status({})).toBe(400);
	});

	it('refuses a token that was made void', async () => {
		const open = await openSandbox({ console: small });
		const tokenOf = async () => (await getConsole(open, { limit: 10 })).data.nextPageToken;
		const status = async (pageToken: string) =>
			(await getConsole(open, { limit: 10, pageToken })).status;
		const first = await tokenOf();
		open.sandbox.refusePageTokens();
		expect(await status(first)).toBe(400);
		expect(await status(await tokenOf())).toBe(200);
	});

	it('puts a late entry into its chronological place once it appears', async () => {
		const open = await openSandbox({ console: { historyEntries: 0 } });
		const [early] = open.sandbox.append([{ at: startMs - 3_000 }]);
		const [recent] = open.sandbox.append([{ at: startMs - 1_000 }]);
		const [late] = open.sandbox.append([{ at: startMs - 2_000, appearAt: startMs + 5_000 }]);
		expect(open.sandbox.entryIds()).toEqual([early, recent]);
		expect((await one(open, late ?? '')).status).toBe(404);
		open.clock.advance(5_000);
		expect(open.sandbox.entryIds()).toEqual([early, late, recent]);
		expect((await one(open, late ?? '')).status).toBe(200);
	});

	it('pages through many entries of one moment without losing any', async () => {
		const open = await openSandbox({ console: { historyEntries: 30, historyDays: 2 } });
		open.sandbox.append([{ at: startMs - 60_000, times: 1_500 }]);
		const pages = await readPages(open, { limit: 400, since: iso(startMs - 60_000) });
		expect(pages.map((page) => page.length)).toEqual([400, 400, 400, 300]);
		expect(new Set(pages.flat()).size).toBe(1_500);
	});

	it('merges appended entries with generated ones in order of time', async () => {
		const open = await openSandbox({ console: small });
		const created = times(await getConsole(open, { limit: 250 }));
		open.sandbox.append([
			{ at: created[20] },
			{ at: created[200] },
			{ at: startMs - 31 * 86_400_000 },
		]);
		const pages = await readPages(open, { limit: 7 });
		expect(pages.flat()).toHaveLength(253);
		expect(pages.flat()).toEqual(open.sandbox.entryIds());
		const all = times(await getConsole(open, { limit: 1_000 }));
		expect(all).toEqual([...all].sort());
	});

	it('serves an entry exactly as it was given, without id or time too', async () => {
		const open = await openSandbox({ console: { historyEntries: 0 } });
		const entry = { uuid: 'ü"☃', when: 5, nested: { list: [1, null] } };
		expect(open.sandbox.append([{ entry }])).toEqual([null]);
		expect((await getConsole(open)).data.items).toEqual([entry]);
	});

	it('forgets entries after 365 days', async () => {
		const open = await openSandbox({ console: { historyEntries: 100, historyDays: 364 } });
		const oldest = open.sandbox.entryIds()[0] ?? '';
		expect((await one(open, oldest)).status).toBe(200);
		open.clock.advance(180 * 86_400_000);
		expect(open.sandbox.entryIds().length).toBeLessThan(100);
		expect((await one(open, oldest)).status).toBe(404);
		open.clock.advance(186 * 86_400_000);
		expect((await getConsole(open)).data.items).toEqual([]);
	});

	it('gives one entry by its id, whatever that contains, as one encoded segment', async () => {
		const open = await openSandbox({ console: small });
		const ids = open.sandbox.entryIds();
		for (const id of ids) {
			const answer = await one(open, id ?? '');
			expect([id, answer.status, answer.data.auditlogId]).toEqual([id, 200, id]);
		}
		const withSlash = ids.find((id) => id?.includes('/')) ?? '';
		expect((await one(open, withSlash, encodeURI)).status).toBe(404);
		expect((await one(open, 'unknown')).data).toEqual({ message: expect.any(String) });
		expect((await one(open, encodeURIComponent(withSlash))).status).toBe(404);
	});

	it('tells the time of its clock, and is off as far as it is told to be', async () => {
		const open = await openSandbox({ dateSkewMs: -300_000 });
		expect((await getConsole(open)).headers.date).toBe('Mon, 15 Jun 2026 11:55:00 GMT');
		open.clock.advance(60_000);
		expect((await getConsole(open)).headers.date).toBe('Mon, 15 Jun 2026 11:56:00 GMT');
	});
});

async function one(
	{ sandbox }: OpenSandbox,
	id: string,
	encode: (text: string) => string = encodeURIComponent,
) {
	const url = `${sandbox.addresses.console}/api/admin-audit-log-entries/${encode(id)}`;
	return await call({ url, headers: { ...sandbox.settings.console.headers } });
}

describe('a list call that breaks a rule', () => {
	let open: OpenSandbox;
	beforeAll(async () => {
		open = await openSandbox({ console: small });
	});

	it.each<Record<string, string>>([
		{ limit: '0' },
		{ limit: '-1' },
		{ limit: '1.5' },
		{ limit: '' },
		{ limit: '1001' },
		{ since: '2026-06-01' },
		{ since: '2026-06-01T00:00:00Z' },
		{ since: '2026-06-01T00:00:00.000+00:00' },
		{ since: '2026-02-30T00:00:00.000Z' },
		{ until: '2026-06-01T00:00:00.000Z' },
		{ pageToken: 'made-up' },
		{ pageToken: '' },
		{ pageToken: 'null' },
	])('refuses %j', async (query) => {
		const { status, data } = await getConsole(open, query);
		expect([status, data]).toEqual([400, { message: expect.any(String) }]);
	});
});
