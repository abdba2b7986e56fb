import { sandboxSecrets } from '../../sandbox/fixtures/accounts.cts';
import type { OpenSandbox } from './calls.cts';
import {
	askForBearer,
	call,
	getConsole,
	getScans,
	openSandbox,
	sandboxLog,
	startMs,
	submit,
} from './calls.cts';

const list = '/api/v1/scans/list/';

describe('the control listener', () => {
	let open: OpenSandbox;
	beforeEach(async () => {
		open = await openSandbox({ console: { historyEntries: 10 } });
	});

	const control = async (method: string, path: string, data?: unknown) =>
		await call({ method, url: open.sandbox.addresses.control + path, data });

	it('switches faults on and off', async () => {
		const rule = { service: 'scan', status: 503, times: null };
		const { data } = await control('POST', '/faults', rule);
		expect((await getScans(open, list)).status).toBe(503);
		expect((await control('GET', '/faults')).data.faults).toEqual([
			{ id: data.id, matched: 1, applied: 1, rule },
		]);
		expect((await control('DELETE', `/faults/${data.id}`)).status).toBe(204);
		expect((await getScans(open, list)).status).toBe(200);
	});

	it('changes settings, tokens and licenses', async () => {
		await control('PATCH', '/settings', { scanning: { callsPerMinute: 2 } });
		await control('PATCH', '/tokens/childOne', { revoked: true });
		await control('PATCH', '/organizations/1003/license', { readScans: false });
		expect((await getScans(open, list, 'childOne')).status).toBe(401);
		expect((await getScans(open, list, 'childTwo')).status).toBe(403);
		const answers = [];
		for (let i = 0; i < 3; i += 1) answers.push((await getScans(open, list)).status);
		expect(answers).toEqual([200, 200, 429]);
	});

	it('appends entries, lists ids and moves the clock', async () => {
		const { data } = await control('POST', '/audit-log/entries', [
			{ at: '2026-06-15T12:00:10.000Z', appearAt: startMs + 20_000, times: 3 },
		]);
		const ids = async () => (await control('GET', `/audit-log/ids?from=${startMs}`)).data.ids;
		expect(await ids()).toEqual([]);
		expect((await control('POST', '/clock/advance', { ms: 20_000 })).data.now).toBe(
			startMs + 20_000,
		);
		expect(await ids()).toEqual(data.ids);
		expect(data.ids).toHaveLength(3);
	});

	it('starts anew, with other settings where some are given', async () => {
		await submit(open, '/api/v1/urls/', { path: 'https://a.example/' });
		await control('PATCH', '/tokens/parent', { revoked: true });
		await control('PATCH', '/settings', { dateSkewMs: 5_000, console: { defaultPageSize: 3 } });
		await control('POST', '/audit-log/entries', [{}]);
		await control('POST', '/faults', { times: null, status: 500 });
		const { data } = await control('POST', '/reset', { console: { historyEntries: 10 } });
		expect(data).toMatchObject({ calls: 0, faults: 0, entries: { generated: 10, appended: 0 } });
		expect(data.settings).toMatchObject({ dateSkewMs: 0, console: { defaultPageSize: 100 } });
		expect((await getScans(open, `${list}?origin=api`)).data.count).toBe(0);
		expect((await getConsole(open)).data.items).toHaveLength(10);
	});

	it('shows what the calls did', async () => {
		await submit(open, '/api/v1/urls/', { path: 'https://a.example/' });
		const held = (await getScans(open, `${list}?verbose_verdict=MAL`)).data.results[0];
		await getScans(open, `/api/v1/quarantine/release/${held.id}`);
		const scans = (await control('GET', '/us/scans')).data.scans;
		expect(scans.at(-1).record).toMatchObject({ path: 'https://a.example/', status: 'RUN' });
		expect((await control('GET', '/us/released')).data.released).toEqual([held.full_scan_id]);
		expect((await control('GET', '/us/investigations')).data.investigations).toEqual([]);
		expect((await control('GET', '/us/callbacks')).data.callbacks).toEqual([]);
		expect((await control('GET', '/mars/scans')).status).toBe(400);
	});

	it('keeps a journal of the calls, with labels in the place of secrets', async () => {
		await getScans(open, `${list}?limit=3`);
		await getScans(open, list, 'eu');
		await getConsole(open, { limit: 2 });
		const { data: bearer } = await askForBearer(open);
		await getConsole(open, {}, '/api/admin-audit-log-entries', {
			Authorization: `Bearer ${bearer.access_token}`,
		});
		const { calls, total } = (await control('GET', '/journal')).data;
		expect(total).toBe(5);
		expect(
			calls.map(({ service, method, query, status, credential }: Record<string, unknown>) =>
				[service, method, query, status, credential].join(' '),
			),
		).toEqual([
			'scan GET limit=3 200 parent',
			'scan GET  401 unknown',
			'console GET limit=2 200 headers',
			'token POST  200 serviceAccount',
			'console GET  200 bearer',
		]);
		expect((await control('GET', '/journal?after=4')).data.calls).toHaveLength(1);
	});

	it('never shows a secret: not in the log, the journal, the state or the scans', async () => {
		const secrets = sandboxSecrets();
		for (const secret of secrets) {
			await getScans(open, `${list}?limit=${encodeURIComponent(secret)}`);
			await getConsole(open, {}, `/api/admin-audit-log-entries/${encodeURIComponent(secret)}`);
		}
		const { data: bearer } = await askForBearer(open);
		await getConsole(open, { pageToken: bearer.access_token });
		const lines = sandboxLog();
		const shown = [lines.join('\n')];
		for (const path of ['/log', '/journal', '/state', '/faults', '/us/scans']) {
			shown.push(JSON.stringify((await control('GET', path)).data));
		}
		const leaked = [...secrets, bearer.access_token].filter((secret) =>
			shown.some((text) => text.includes(secret)),
		);
		expect(leaked).toEqual([]);
		expect(lines[0]).toBe('GET /api/v1/scans/list/ 400');
		expect(shown[1]).toContain(lines[0]);
	});
});

describe('a control call that breaks a rule', () => {
	let open: OpenSandbox;
	beforeAll(async () => {
		open = await openSandbox();
	});

	it.each([
		['POST', '/faults', { stauts: 503 }],
		['POST', '/faults', { path: '(' }],
		['POST', '/faults', { body: 'unknown' }],
		['PATCH', '/settings', { scanning: { callsPerMinute: 'many' } }],
		['PATCH', '/settings', { scanning: { unknown: 1 } }],
		['PATCH', '/settings', { console: { historyEntries: 1 } }],
		['POST', '/audit-log/entries', [{ at: 'yesterday' }]],
		['POST', '/audit-log/entries', { at: 5 }],
		['PATCH', '/tokens/nobody', { revoked: true }],
		['PATCH', '/organizations/9999/license', { scanUrl: false }],
	])('refuses %s %s %j and says why', async (method, path, body) => {
		const url = open.sandbox.addresses.control + path;
		const { status, data } = await call({ method, url, data: body });
		expect([status, data]).toEqual([400, expect.objectContaining({ message: expect.any(String) })]);
	});
});
