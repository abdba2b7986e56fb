import { sampleUrls } from '../../sandbox/fixtures/samples.cts';
import type { OpenSandbox } from './calls.cts';
import { call, getScans, lastRecord, openSandbox, startMs, submit, tokenHeader } from './calls.cts';

const list = '/api/v1/scans/list/';
const submitMany = async (open: OpenSandbox, count: number) => {
	for (let i = 0; i < count; i += 1) {
		await submit(open, '/api/v1/urls/', { path: `https://a.example/${i}` });
		open.clock.advance(1_000);
	}
};
const noEmails = { emailsPerOrganization: 0, callsPerMinute: 1_000 };

describe('the list of scans', () => {
	it('gives 20 scans, oldest first, and the address of the rest', async () => {
		const open = await openSandbox({ scanning: noEmails });
		await submitMany(open, 45);
		const pages = [];
		let next: string | null = open.sandbox.addresses.us + list;
		while (next) {
			const { data } = await call({ url: next, headers: tokenHeader('parent') });
			pages.push(data);
			next = data.next;
		}
		expect(pages.map((page) => [page.count, page.page_result_count, page.has_more])).toEqual([
			[45, 20, true],
			[45, 20, true],
			[45, 5, false],
		]);
		const paths = pages.flatMap((page) => page.results.map((scan: { path: string }) => scan.path));
		expect(paths).toEqual(Array.from({ length: 45 }, (_, i) => `https://a.example/${i}`));
	});

	it('keeps the filters and the limit in the address of the next page', async () => {
		const open = await openSandbox({ scanning: noEmails });
		await submitMany(open, 3);
		const { data } = await getScans(open, `${list}?limit=1&origin=api`);
		const next = new URL(data.next);
		expect(Object.fromEntries(next.searchParams)).toEqual({
			limit: '1',
			origin: 'api',
			_cursor: expect.any(String),
		});
	});

	it('takes start and end as inclusive epoch seconds', async () => {
		const open = await openSandbox({ scanning: noEmails });
		await submitMany(open, 5);
		const second = startMs / 1000;
		const { data } = await getScans(open, `${list}?start=${second + 1}&end=${second + 3}`);
		expect(data.count).toBe(3);
	});

	it('filters emails by verdict, subject and message id', async () => {
		const open = await openSandbox();
		const all = (await getScans(open, `${list}?limit=100`)).data.results;
		const email = all[0].sample;
		const count = async (query: string) => (await getScans(open, `${list}?${query}`)).data.count;
		expect(await count('verbose_verdict=CLN')).toBe(6);
		expect(await count('search_descendants.subject=INVOICE')).toBe(3);
		const id = encodeURIComponent(email.original_message_id);
		expect(await count(`search_descendants.original_message_id=${id}`)).toBe(1);
		expect(await count('organization_id=1002&origin=email&handle_status=open')).toBe(8);
	});

	it('fails on a large result where it is told to, as one public collector reports', async () => {
		const open = await openSandbox({ scanning: { listCountLimit: 10 } });
		expect((await getScans(open, list)).status).toBe(500);
		expect((await getScans(open, `${list}?organization_id=1002`)).status).toBe(200);
	});

	it('finds one scan by its full id only, unless told otherwise', async () => {
		const open = await openSandbox();
		await submit(open, '/api/v1/urls/', { path: sampleUrls.clean });
		const { id, full_scan_id: fullId } = lastRecord(open);
		expect(fullId).toMatch(/^[0-9A-F]{9}_1_[0-9a-f-]{36}_20260615$/);
		expect((await getScans(open, `${list}${fullId}/`)).data.path).toBe(sampleUrls.clean);
		expect((await getScans(open, `${list}${id}/`)).status).toBe(404);
		open.sandbox.configure({ scanning: { getScanBy: 'anyId' } });
		expect((await getScans(open, `${list}${id}/`)).status).toBe(200);
	});

	it('shows the submitted integer as id, or no id that maps to it', async () => {
		const open = await openSandbox();
		const fields = { path: sampleUrls.clean };
		const known = await submit(open, '/api/v1/urls/', fields);
		expect(lastRecord(open).id).toBe(known.data.scan_id);
		open.sandbox.configure({ scanning: { scanIdShape: 'unmatched' } });
		const unknown = await submit(open, '/api/v1/urls/', fields);
		const { id, full_scan_id: fullId, root_scan_id: rootId } = lastRecord(open);
		expect([id, fullId, rootId].map(String)).not.toContain(String(unknown.data.scan_id));
		expect(id).toMatch(/^[0-9a-f]{24}$/);
	});
});

describe('a scan list call that breaks a rule', () => {
	let open: OpenSandbox;
	beforeAll(async () => {
		open = await openSandbox();
	});

	it.each([
		['limit=0', 'limit'],
		['limit=1.5', 'limit'],
		['start=123', 'start'],
		['end=2026-01-01', 'end'],
		['verbose_verdict=BAD', 'verbose_verdict'],
		['page=2', 'page'],
		['_cursor=made-up', '_cursor'],
		['origin=api&origin=email', 'origin'],
	])('refuses %s', async (query, field) => {
		const { status, data } = await getScans(open, `${list}?${query}`);
		expect([status, Object.keys(data)]).toEqual([400, [field]]);
	});
});
