import type { Sent } from '../support/fakeService';
import { garbageCollector } from '../../../support/transport/memory.cts';
import { macrotask } from '../../../support/macrotask.cts';
import { runNode, scan } from '../support/runNode';

describe('Get Many', () => {
	/** Pages of three scans each, of which there are so many. */
	const pages = (count: number) => (sent: Sent) => {
		const page = Number(/page=(\d+)/.exec(sent.address ?? '')?.[1] ?? 0);
		const results = [0, 1, 2].map((index) => ({ id: page * 3 + index }));
		return { results, next: page + 1 < count ? `https://s/?page=${page + 1}` : null };
	};
	const many = (parameters: object) => scan('getAll', { simplify: false, ...parameters });

	it('stops at the limit', async () => {
		const run = await runNode({ parameters: many({ limit: 4 }) }, pages(9));
		expect(run.json.map((json) => json.scan)).toStrictEqual([0, 1, 2, 3].map((id) => ({ id })));
		expect(run.sent).toHaveLength(2);
		expect(run.sent[0].call?.query).toMatchObject({ limit: 4 });
	});

	it('asks for no further page when the limit ends with one', async () => {
		const run = await runNode({ parameters: many({ limit: 3 }) }, pages(9));
		expect(run.sent).toHaveLength(1);
	});

	it('returns all, each paired with its item', async () => {
		const run = await runNode({ parameters: many({ returnAll: true }), items: 2 }, pages(3));
		expect(run.json).toHaveLength(18);
		expect(run.items?.map(({ pairedItem }) => pairedItem)).toStrictEqual([
			...Array(9).fill({ item: 0 }),
			...Array(9).fill({ item: 1 }),
		]);
		expect(run.sent[0].call?.query).toMatchObject({ limit: 100 });
	});

	it('returns more than one call of a function takes arguments', async () => {
		const results = Array.from({ length: 20_000 }, (_, id) => ({ id }));
		const page = (sent: Sent) => Number(/page=(\d+)/.exec(sent.address ?? '')?.[1] ?? 0) + 1;
		const reply = (sent: Sent) => ({
			results: [{ id: -page(sent) }, ...results.slice(1)],
			next: page(sent) < 10 ? `https://s/?page=${page(sent)}` : null,
		});
		const run = await runNode({ parameters: many({ returnAll: true }) }, reply);
		expect(run.error).toBeUndefined();
		expect(run.json).toHaveLength(200_000);
	});

	it('returns no more than 64 MB where there is a limit', async () => {
		const large = (sent: Sent) => {
			const { results, next } = pages(30)(sent);
			return { results: results.map((one) => ({ ...one, text: 'x'.repeat(1024 * 1024) })), next };
		};
		const run = await runNode({ parameters: many({ limit: 80 }) }, large);
		expect(run.error).toMatchObject({
			message: expect.stringContaining('80 scans would take more than 64 MB'),
			description: expect.stringContaining("Set 'Limit' lower"),
		});
		const all = await runNode({ parameters: many({ returnAll: true }) }, large);
		expect(all.json).toHaveLength(90);
	});

	it('keeps of a page that was read only what it returns', async () => {
		const collectGarbage = garbageCollector();
		const held: Array<WeakRef<object>> = [];
		const reply = async () => {
			const record = { id: held.length };
			held.push(new WeakRef(record));
			await macrotask();
			collectGarbage();
			return { results: [record], next: held.length < 5 ? `https://s/?page=${held.length}` : null };
		};
		const run = await runNode({ parameters: scan('getAll', { returnAll: true }) }, reply);
		expect(run.json).toHaveLength(5);
		const early = held.slice(0, 3);
		expect(early.filter((record) => record.deref() !== undefined)).toEqual([]);
	});

	it('ends where has_more is false, though there is a next', async () => {
		const reply = () => ({ results: [{ id: 1 }], next: 'https://s/?page=2', has_more: false });
		const run = await runNode({ parameters: many({ returnAll: true }) }, reply);
		expect(run.json).toHaveLength(1);
	});

	it('follows an empty page', async () => {
		const reply = (sent: Sent) =>
			sent.address ? { results: [{ id: 1 }] } : { results: [], next: 'https://s/?page=2' };
		const run = await runNode({ parameters: many({ returnAll: true }) }, reply);
		expect(run.json).toMatchObject([{ scanId: '1', clean: null, scan: { id: 1 } }]);
	});

	it.each([
		['a circle', () => ({ results: [{ id: 1 }], next: 'https://s/?page=1' }), "'next' leads in a"],
		[
			'one page behind ever new addresses',
			({ address = '' }: Sent) => ({ results: [{ id: 1 }], next: `${address || 'https://s/?'}x` }),
			"'next' leads in a",
		],
		[
			'an endless row of empty pages',
			({ address = '' }: Sent) => ({ results: [], next: `${address || 'https://s/?'}x` }),
			'50 empty pages',
		],
	])('does not follow %s', async (_, reply, message) => {
		const run = await runNode({ parameters: many({ returnAll: true }) }, reply);
		expect(run.error?.message).toContain(message);
	});

	it('returns no record twice where the limit ends within a page that came before', async () => {
		const reply = ({ address = '' }: Sent) => ({
			results: [{ id: 1 }, { id: 2 }],
			next: `${address || 'https://s/?'}x`,
		});
		const run = await runNode({ parameters: many({ limit: 3 }) }, reply);
		expect(run.error?.message).toContain("'next' leads in a circle");
		expect(run.sent).toHaveLength(2);
	});

	it.each([{}, { results: null }, { results: [1] }, [], 'x', undefined])(
		'refuses the answer %j',
		async (answer) => {
			const run = await runNode({ parameters: many({}) }, () => answer);
			expect(run.error?.message).toContain("there is no list 'results'");
		},
	);

	it('quotes what the service says in place of a list', async () => {
		const run = await runNode({ parameters: many({}) }, () => ({ detail: 'no license' }));
		expect(run.error?.message).toContain("there is no list 'results'");
		expect(run.error?.description).toContain('no license');
	});

	it.each([0, -1, 1.5, NaN, 'many', null])('refuses the limit %p', async (limit) => {
		const run = await runNode({ parameters: many({ limit }) }, pages(1));
		expect(run.error?.message).toContain("'Limit' must be a whole number");
	});

	it('takes a huge limit and a limit that is text', async () => {
		expect((await runNode({ parameters: many({ limit: 1e9 }) }, pages(2))).json).toHaveLength(6);
		expect((await runNode({ parameters: many({ limit: '2' }) }, pages(2))).json).toHaveLength(2);
	});

	it('sends the documented filters', async () => {
		const filters = {
			start: '2023-11-01T09:00:00.500',
			end: '2023-11-01T08:00:00.500Z',
			origin: 'api',
			verdict: 'malicious',
			organizationId: 5,
			handleStatus: 'open',
			subject: 'Invoice',
			originalMessageId: '<1@x>',
		};
		const run = await runNode({ parameters: many({ filters }) }, pages(1));
		// Berlin is one hour ahead of UTC in November; both bounds are rounded outwards.
		expect(run.sent[0].call?.query).toStrictEqual({
			start: Date.UTC(2023, 10, 1, 8) / 1000,
			end: Date.UTC(2023, 10, 1, 8) / 1000 + 1,
			origin: 'api',
			verbose_verdict: 'MAL',
			organization_id: '5',
			handle_status: 'open',
			'search_descendants.subject': 'Invoice',
			'search_descendants.original_message_id': '<1@x>',
			limit: 50,
		});
	});

	it.each([1662000000, '1662000000', 1662000000000, '1662000000000'])(
		'takes the time %p as seconds or milliseconds since 1970',
		async (start) => {
			const run = await runNode({ parameters: many({ filters: { start } }) }, pages(1));
			expect(run.sent[0].call?.query).toMatchObject({ start: 1662000000 });
		},
	);

	it.each([
		[{ subject: { text: 'x' } }, "'Email Subject' is an object, not text"],
		[{ organizationId: '  ' }, "'Organization ID' is empty"],
		[{ start: 'yesterday' }, "'Created After' is not a date"],
		[{ start: 17 }, "'Created After' is not a date"],
		[{ start: '08:00' }, "'Created After' is not a date"],
		[{ start: '11/01/2026' }, "'Created After' is not a date"],
		[{ start: '2026-02-30' }, "'Created After' is not a date"],
		[{ end: '2026-13-01' }, "'Created Before' is not a date"],
		[{ start: '2023-11-02', end: '2023-11-01' }, "'Created After' is later than"],
		[
			{ start: '2023-11-16 01:00:00' },
			"'Created After' is in the future: 2023-11-16T01:00:00 (Europe/Berlin)",
		],
		[{ verdict: 'bad' }, '\'Verdict\' "bad" is not known'],
		[{ verdict: Object.create(null) as object }, "'Verdict' {} is not known"],
	])('refuses the filters %j', async (filters, message) => {
		const run = await runNode({ parameters: many({ filters }) }, pages(1));
		expect(run.error?.message).toContain(message);
		expect(run.sent).toHaveLength(0);
	});
});
