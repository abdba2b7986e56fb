import { sandboxSecrets } from '../../sandbox/fixtures/accounts.cts';
import type { SettingsPatch } from '../../sandbox/settings.cts';
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

describe('the controls', () => {
	let open: OpenSandbox;
	beforeEach(async () => {
		open = await openSandbox({ console: { historyEntries: 10 } });
	});

	it('change settings, tokens and licenses', async () => {
		open.sandbox.configure({ scanning: { callsPerMinute: 2 } });
		open.sandbox.changeToken('childOne', { revoked: true });
		open.sandbox.setLicensed('1003', 'readScans', false);
		expect((await getScans(open, list, 'childOne')).status).toBe(401);
		expect((await getScans(open, list, 'childTwo')).status).toBe(403);
		const answers = [];
		for (let i = 0; i < 3; i += 1) answers.push((await getScans(open, list)).status);
		expect(answers).toEqual([200, 200, 429]);
	});

	it('append entries that are seen later', async () => {
		const ids = open.sandbox.append([
			{ at: '2026-06-15T12:00:10.000Z', appearAt: startMs + 20_000, times: 3 },
		]);
		expect(ids).toHaveLength(3);
		expect(open.sandbox.entryIds(startMs)).toEqual([]);
		open.clock.advance(20_000);
		expect(open.sandbox.entryIds(startMs)).toEqual(ids);
	});

	it('start from scratch, with other settings where some are given', async () => {
		await submit(open, '/api/v1/urls/', { path: 'https://a.example/' });
		open.sandbox.changeToken('parent', { revoked: true });
		open.sandbox.configure({ dateSkewMs: 5_000, console: { defaultPageSize: 3 } });
		open.sandbox.append([{}]);
		open.sandbox.faults.add({ times: null, status: 500 });
		open.sandbox.reset({ console: { historyEntries: 10 } });
		expect(open.sandbox.entryCount()).toEqual({ generated: 10, appended: 0 });
		expect(open.sandbox.journal.total).toBe(0);
		expect(open.sandbox.settings.dateSkewMs).toBe(0);
		expect((await getScans(open, `${list}?origin=api`)).data.count).toBe(0);
		expect((await getConsole(open)).data.items).toHaveLength(10);
	});

	it.each<[string, object]>([
		['callsPerMinute', { scanning: { callsPerMinute: 'many' } }],
		['unknown', { scanning: { unknown: 1 } }],
		['historyEntries', { console: { historyEntries: 1 } }],
		['scaning', { scaning: {} }],
	])('refuse a change of %s that cannot be', (name, patch) => {
		expect(() => open.sandbox.configure(patch as SettingsPatch)).toThrow(name);
	});

	it('keep a journal of the calls, with labels in the place of secrets', async () => {
		await getScans(open, `${list}?limit=3`);
		await getScans(open, list, 'eu');
		await getConsole(open, { limit: 2 });
		const { data: bearer } = await askForBearer(open);
		await getConsole(open, {}, '/api/admin-audit-log-entries', {
			Authorization: `Bearer ${bearer.access_token}`,
		});
		const { data } = await call({ url: `${open.sandbox.addresses.control}/journal` });
		expect(data.total).toBe(5);
		expect(
			data.calls.map(({ service, method, query, status, credential }: Record<string, unknown>) =>
				[service, method, query, status, credential].join(' '),
			),
		).toEqual([
			'scan GET limit=3 200 parent',
			'scan GET  401 unknown',
			'console GET limit=2 200 headers',
			'token POST  200 serviceAccount',
			'console GET  200 bearer',
		]);
	});

	it('never show a secret: not in the log, the journal or the scans', async () => {
		const secrets = sandboxSecrets();
		for (const secret of secrets) {
			await getScans(open, `${list}?limit=${encodeURIComponent(secret)}`);
			await getConsole(open, {}, `/api/admin-audit-log-entries/${encodeURIComponent(secret)}`);
		}
		const { data: bearer } = await askForBearer(open);
		await getConsole(open, { pageToken: bearer.access_token });
		const lines = sandboxLog();
		const shown = [
			lines.join('\n'),
			JSON.stringify([open.sandbox.journal.entries(), open.sandbox.scans('us')]),
		];
		const leaked = [...secrets, bearer.access_token].filter((secret) =>
			shown.some((text) => text.includes(secret)),
		);
		expect(leaked).toEqual([]);
		expect(lines[0]).toBe('GET /api/v1/scans/list/ 400');
	});
});
