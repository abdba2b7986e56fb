import type { FaultRule } from '../../sandbox/wire/faults.cts';
import type { OpenSandbox } from './calls.cts';
import { arrival, getConsole, getScans, openSandbox, submit } from './calls.cts';

const list = '/api/v1/scans/list/?limit=1';
const url = { path: 'https://a.example/' };

describe('faults', () => {
	let open: OpenSandbox;
	beforeEach(async () => {
		open = await openSandbox({ scanning: { emailsPerOrganization: 1 } });
	});

	const add = (rule: FaultRule) => open.sandbox.faults.add(rule);
	const statuses = async (calls: number) => {
		const answers: number[] = [];
		for (let i = 0; i < calls; i += 1) answers.push((await getScans(open, list)).status);
		return answers;
	};

	const fetchPage = async (signal: AbortSignal) =>
		await fetch(`${open.sandbox.addresses.console}/api/admin-audit-log-entries`, {
			headers: { ...open.sandbox.settings.console.headers },
			signal,
		});

	it('hit one call unless told, from the nth on, as often as told', async () => {
		add({ service: 'scan', status: 503 });
		expect(await statuses(3)).toEqual([503, 200, 200]);
		add({ service: 'scan', status: 502, nth: 2, times: 2 });
		expect(await statuses(4)).toEqual([200, 502, 502, 200]);
		add({ service: 'scan', status: 500, times: null });
		expect(await statuses(3)).toEqual([500, 500, 500]);
		open.sandbox.faults.clear();
		expect(await statuses(1)).toEqual([200]);
	});

	it('hit by service, environment, method and path', async () => {
		add({ service: 'console', times: null, status: 500 });
		add({ environment: 'eu', times: null, status: 501 });
		add({ method: 'POST', path: '^/api/v1/urls/$', times: null, status: 502 });
		expect((await getConsole(open)).status).toBe(500);
		expect((await getScans(open, list, 'eu', 'eu')).status).toBe(501);
		expect((await submit(open, '/api/v1/urls/', url)).status).toBe(502);
		expect((await getScans(open, list)).status).toBe(200);
	});

	it('answer 429 with Retry-After in seconds, as a date, or with any text', async () => {
		add({ status: 429, retryAfter: { seconds: 7 } });
		add({ status: 429, retryAfter: { dateInSeconds: 60 } });
		add({ status: 429, headers: { 'Retry-After': 'soon' } });
		const waits = [];
		for (let i = 0; i < 3; i += 1) waits.push((await getScans(open, list)).headers['retry-after']);
		expect(waits).toEqual(['7', 'Mon, 15 Jun 2026 12:01:00 GMT', 'soon']);
	});

	it('put other bodies in the place of the answer', async () => {
		add({ body: 'loginPage' });
		const page = await getScans(open, list);
		expect([page.status, page.headers['content-type']]).toEqual([
			200,
			expect.stringMatching('html'),
		]);
		add({ body: 'notJson' });
		expect((await getScans(open, list)).data).toEqual(expect.any(String));
		add({ body: 'wrongShape' });
		expect((await getScans(open, list)).data).toEqual({ unexpected: [1, 2, 3] });
		add({ body: 'empty' });
		expect((await getScans(open, list)).data).toBe('');
		add({ status: 418, body: { json: { error: 'teapot' } } });
		expect((await getScans(open, list)).data).toEqual({ error: 'teapot' });
		add({ body: { bytes: 1_000_003 } });
		expect(JSON.stringify((await getScans(open, list)).data).length).toBe(1_000_003 - 1);
	});

	it('leave fields out of the real answer, so that the call is carried out', async () => {
		add({ method: 'POST', body: { without: ['scan_id'] } });
		const before = open.sandbox.scans('us').length;
		expect((await submit(open, '/api/v1/urls/', url)).data).toEqual({});
		expect(open.sandbox.scans('us')).toHaveLength(before + 1);
	});

	it.each([
		['beforeAnswer', false],
		['beforeBody', false],
		['duringBody', true],
	] as const)('cut the connection %s; carried out: %s', async (cut, carriedOut) => {
		add({ method: 'POST', cut });
		const before = open.sandbox.scans('us').length;
		await expect(submit(open, '/api/v1/urls/', url)).rejects.toThrow();
		expect(open.sandbox.scans('us')).toHaveLength(before + (carriedOut ? 1 : 0));
	});

	it('can carry a call out and lose its whole answer', async () => {
		add({ method: 'POST', cut: 'beforeAnswer', carryOut: true });
		const before = open.sandbox.scans('us').length;
		await expect(submit(open, '/api/v1/urls/', url)).rejects.toThrow();
		expect(open.sandbox.scans('us')).toHaveLength(before + 1);
	});

	it('can cut after the whole body, which the client then has', async () => {
		add({ cut: 'afterBody' });
		expect((await getScans(open, list)).data.results).toHaveLength(1);
	});

	it.each(['endless', 'drip'] as const)('send an %s body', async (body) => {
		add({ body, service: 'console' });
		const reader = new AbortController();
		const pieces = (await fetchPage(reader.signal)).body?.getReader();
		expect((await pieces?.read())?.done).toBe(false);
		expect((await pieces?.read())?.done).toBe(false);
		reader.abort();
	});

	it('leave a call without any answer', async () => {
		add({ hang: true, service: 'console' });
		const reader = new AbortController();
		const answer = fetchPage(reader.signal);
		expect((await arrival(open)).status).toBeNull();
		reader.abort();
		await expect(answer).rejects.toThrow();
	});

	it('redirect to another host', async () => {
		const redirectTo = 'http://elsewhere.example/login';
		add({ redirectTo });
		add({ redirectTo, status: 307 });
		const first = await getScans(open, list);
		expect([first.status, first.headers.location]).toEqual([302, redirectTo]);
		expect((await getScans(open, list)).status).toBe(307);
	});

	it('delay a call on the clock of the sandbox and then let it pass', async () => {
		add({ delayMs: 30_000 });
		const answer = getScans(open, list);
		const call = await arrival(open);
		open.clock.advance(29_999);
		expect(call.status).toBeNull();
		open.clock.advance(1);
		expect((await answer).status).toBe(200);
	});

	it('stand in the journal with the status that the client saw', async () => {
		const id = add({ status: 503 });
		await statuses(2);
		const calls = open.sandbox.journal.entries();
		expect(calls.map(({ status, fault }) => [status, fault])).toEqual([
			[503, id],
			[200, null],
		]);
	});
});
