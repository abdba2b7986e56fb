import { expectCost } from '../../support/expectCost.cts';
import { MOST_ON_A_PAGE } from '../../../services/pageCircle';
import { scanPages } from '../../../services/scanning/scanList';
import type { Sent } from '../../nodes/ContentScan/support/fakeService';
import { callAddress } from '../../../transport/address';
import { FakeService, Refusal, scanService } from '../../nodes/ContentScan/support/fakeService';

/** Reads a list whose first page ends with this, and whose second page is the last. */
async function read(firstPage: object) {
	const reply = ({ address }: Sent) =>
		address === undefined
			? { results: [{ id: 1 }], ...firstPage }
			: { results: [{ id: 2 }], next: null, has_more: false };
	const service = new FakeService(reply);
	const ids: unknown[] = [];
	for await (const { records } of scanPages(scanService(service), {}, () => ({}))) {
		ids.push(...records.map(({ id }) => id));
	}
	const queries = service.sent.map(({ address }) => address && new URL(address).search);
	const places = service.sent.map(({ call, address }) => {
		const { origin, pathname } = new URL(address ?? callAddress(service.origin, call!));
		return origin + pathname;
	});
	return { ids, queries, places: [...new Set(places)] };
}

describe('of the next page', () => {
	it('the calls say in which field it comes, so that nothing is cut out of it', async () => {
		const service = new FakeService(() => ({ results: [], next: null }));
		for await (const { more } of scanPages(scanService(service), {}, () => ({}))) {
			expect(more).toBe(false);
		}
		expect(service.sent[0].call?.nextPageField).toBe('next');
	});

	it.each([
		'https://scan.example.com/api/v1/scans/list/?_cursor=a%2Fb&limit=2',
		'http://10.0.0.7:8000/api/v1/scans/list/?_cursor=a%2Fb&limit=2',
		'https://evil.example/?_cursor=a%2Fb&limit=2#part',
		'//evil.example/?_cursor=a%2Fb&limit=2',
		'/api/v1/quarantine/release/7/?_cursor=a%2Fb&limit=2',
		'?_cursor=a%2Fb&limit=2',
		'_cursor=a%2Fb&limit=2',
	])('%s only the query counts', async (next) => {
		const { ids, queries, places } = await read({ next });
		expect(ids).toEqual([1, 2]);
		expect(queries).toEqual([undefined, '?_cursor=a%2Fb&limit=2']);
		expect(places).toEqual(['https://scan.example.com/api/v1/scans/list/']);
	});

	it.each([
		[{ next: null }],
		[{}],
		[{ next: '' }],
		[{ next: '?_cursor=x', has_more: false }],
		[{ next: null, has_more: false }],
	])('nothing is asked for after %j', async (end) => {
		expect((await read(end)).ids).toEqual([1]);
	});

	it.each([
		[{ has_more: true }, "there is more ('has_more'), but no 'next'"],
		[{ has_more: true, next: null }, "there is more ('has_more'), but no 'next'"],
		[{ has_more: true, next: '' }, "there is more ('has_more'), but no 'next'"],
		[{ next: 2 }, "'next' is not an address"],
		[{ next: { page: 2 } }, "'next' is not an address"],
		[{ next: '/api/v1/quarantine/release/7/' }, "'next' is an address without a query"],
		[{ next: 'page2' }, "'next' is an address without a query"],
		[{ next: 'bzoxMDB6eg==' }, "'next' is an address without a query"],
		[{ next: 'bzoxMDB6eg=\n' }, "'next' is an address without a query"],
		[{ next: 'https://' }, "'next' is an address without a query"],
		[{ next: `?_cursor=${'x'.repeat(16 * 1024)}` }, "'next' is longer than 16 KB"],
	])('%j is told, so that no list ends too early in silence', async (page, message) => {
		await expect(read(page)).rejects.toThrow(message);
	});
});

describe('a page behind the last one, to which the service points, may be refused:', () => {
	const records = async (status: number, firstPage: object, limit = 20) => {
		const service = new FakeService(({ address }) =>
			address === undefined ? { next: '?page=2', ...firstPage } : new Refusal(status),
		);
		const found: unknown[] = [];
		let isWhole = false;
		for await (const page of scanPages(scanService(service), { limit }, () => ({}))) {
			found.push(...page.records);
			isWhole = !page.more;
		}
		return { found, isWhole };
	};
	const results = [{ id: 1 }, { id: 2 }];

	it.each([400, 404, 416])(
		'%i ends the list where all that it counts was shown',
		async (status) => {
			const read = await records(status, { results, count: 2 });
			expect(read).toEqual({ found: results, isWhole: true });
		},
	);

	it.each([400, 404, 416])(
		'%i once says nothing: the count may be that of the page',
		async (status) => {
			let refusals = 1;
			const list = new FakeService(({ address }) => {
				if (address === undefined) return { next: '?page=2', results, count: 2 };
				return refusals-- > 0 ? new Refusal(status) : { results: [{ id: 3 }], count: 1 };
			});
			const found: unknown[] = [];
			for await (const page of scanPages(scanService(list), { limit: 20 }, () => ({}))) {
				found.push(...page.records);
			}
			expect(found).toEqual([...results, { id: 3 }]);
		},
	);

	it.each([
		['more is counted', 404, { results, count: 3 }, 20],
		['nothing is counted', 404, { results }, 20],
		['the page is full, and may be all that is counted', 404, { results, count: 2 }, 2],
		['the call failed in another way', 403, { results, count: 2 }, 20],
	])('it is an error where %s', async (_, status, page, limit) => {
		await expect(records(status, page, limit)).rejects.toThrow();
	});
});

it.each([null, 5, 'x', [], [[]]])(
	'what is no scan (%j) does not hide the scans beside it',
	async (other) => {
		expect((await read({ results: [other, { id: 1 }] })).ids).toEqual([undefined, 1]);
	},
);

it.each([[[null]], [['x', 5]], [[null, 5, { id: 1 }]], [{ 0: { id: 1 } }], ['x']])(
	'%j is no list of scans',
	async (results) => {
		await expect(read({ results })).rejects.toThrow("there is no list 'results'");
	},
);

it.each([
	{ errors: [{ message: 'Shard 1 of 2 timed out' }] },
	{ success: false, detail: 'Shard 1 of 2 timed out' },
])('a page with %j may lack scans', async (error) => {
	const page = read({ results: [{ id: 1, names: 'a.pdf' }], ...error });
	await expect(page).rejects.toMatchObject({
		message: expect.stringContaining('answered that something went wrong') as string,
		description: expect.stringMatching(/^(?!.*a\.pdf).*Shard 1 of 2 timed out/) as string,
	});
});

it('what it says is quoted without the secrets of the items that wait', async () => {
	const service = new FakeService(() => ({ results: [], error: 'bad header: hook pass%20word' }));
	const pages = scanPages(scanService(service), {}, () => ({ secrets: ['hook pass word'] }));
	await expect(pages.next()).rejects.toMatchObject({
		description: expect.stringMatching(/^(?!.*pass).*bad header: /) as string,
	});
});

it('takes no long time for an error of thousands of texts that could mean none', async () => {
	const errors = Array(4500).fill(`success${'.'.repeat(990)} x`);
	await expectCost(0.5, async () => {
		await expect(read({ results: [{ id: 1 }], errors })).rejects.toThrow('went wrong');
		for (const text of [
			`${'.'.repeat(200)}x`,
			'('.repeat(200),
			'no '.repeat(66),
			'a '.repeat(99),
		]) {
			const many = Array.from({ length: 90 }, () => ({ errors: Array(90).fill(text) }));
			await read({ results: [{ id: 1 }], errors: many }).catch(() => undefined);
		}
	});
});

it('a page of more records than any list has is refused', async () => {
	const page = (length: number) => read({ results: Array(length).fill({ id: 1 }) });
	await expect(page(MOST_ON_A_PAGE + 1)).rejects.toThrow('one page holds over 20,000 records');
	expect((await page(MOST_ON_A_PAGE)).ids).toHaveLength(MOST_ON_A_PAGE);
});
