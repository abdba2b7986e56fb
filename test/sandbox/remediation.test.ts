import type { OpenSandbox } from './calls.cts';
import { call, getScans, openSandbox, submit, tokenHeader } from './calls.cts';

type Email = { id: number; full_scan_id: string };
const list = '/api/v1/scans/list/';

async function emailWith(open: OpenSandbox, verdict: string): Promise<Email> {
	const { data } = await getScans(open, `${list}?origin=email&verbose_verdict=${verdict}`);
	return data.results[0];
}

const record = async (open: OpenSandbox, { full_scan_id: id }: Email) =>
	(await getScans(open, `${list}${id}/`)).data;

const send = async (
	{ sandbox }: OpenSandbox,
	method: 'PUT' | 'POST',
	path: string,
	data: unknown,
	token: Parameters<typeof tokenHeader>[0] = 'parent',
) =>
	await call({
		method,
		url: `${sandbox.addresses.us}/api/v1/${path}`,
		data,
		headers: tokenHeader(token),
	});

describe('changing a verdict', () => {
	it('changes this one scan, and releases its email when malicious becomes clean', async () => {
		const open = await openSandbox();
		const email = await emailWith(open, 'MAL');
		expect(await record(open, email)).toMatchObject({ quarantine_state: 'quarantined' });
		const body = { verdict: 'CLN', reason: 'known sender' };
		expect((await send(open, 'PUT', `scans/${email.id}/verdict/`, body)).status).toBe(200);
		expect(await record(open, email)).toMatchObject({
			verbose_verdict: 'CLN',
			verdict_reason: 'known sender',
			quarantine_state: 'released',
			handle_status: 'handled',
		});
		expect(open.sandbox.releasedEmails('us')).toEqual([email.full_scan_id]);
	});

	it('quarantines the email when clean becomes malicious', async () => {
		const open = await openSandbox();
		const email = await emailWith(open, 'CLN');
		await send(open, 'PUT', `scans/${email.full_scan_id}/verdict/`, { verdict: 'MAL' });
		expect(await record(open, email)).toMatchObject({ quarantine_state: 'quarantined' });
	});

	it('refuses unknown verdicts, unknown scans, running scans, other bodies and lower roles', async () => {
		const open = await openSandbox();
		const { id } = await emailWith(open, 'MAL');
		const path = `scans/${id}/verdict/`;
		const clean = { verdict: 'CLN' };
		expect((await send(open, 'PUT', path, { verdict: 'clean' })).data).toHaveProperty('verdict');
		expect((await send(open, 'PUT', path, {})).data).toHaveProperty('verdict');
		expect((await send(open, 'PUT', path, { ...clean, extra: 1 })).data).toHaveProperty('extra');
		expect((await send(open, 'PUT', path, new URLSearchParams(clean))).status).toBe(415);
		expect((await send(open, 'PUT', 'scans/nothing/verdict/', clean)).status).toBe(404);
		expect((await send(open, 'PUT', path, clean, 'userViewer')).status).toBe(403);
		expect((await send(open, 'PUT', path, clean, 'stranger')).status).toBe(403);
		const { data } = await submit(open, '/api/v1/urls/', { path: 'https://a.example/' });
		const running = await send(open, 'PUT', `scans/${data.scan_id}/verdict/`, clean);
		expect(running.status).toBe(409);
		expect(open.sandbox.releasedEmails('us')).toEqual([]);
	});
});

describe('requesting an investigation', () => {
	it('keeps what was asked, for any scan', async () => {
		const open = await openSandbox();
		const email = await emailWith(open, 'SUS');
		const body = { expected_verdict: 'MAL', comment: 'sender is "wrong"' };
		const answer = await send(open, 'POST', `scans/${email.id}/investigation/`, body);
		expect([answer.status, answer.data]).toEqual([201, { investigation_id: 1, status: 'open' }]);
		expect(open.sandbox.investigations('us')).toEqual([
			{
				id: 1,
				fullScanId: email.full_scan_id,
				expectedVerdict: 'MAL',
				comment: 'sender is "wrong"',
				requestedBy: 'parent',
				requestedAtMs: open.clock.now(),
			},
		]);
	});

	it('refuses a request without the expected verdict', async () => {
		const open = await openSandbox();
		const { id } = await emailWith(open, 'SUS');
		const { status } = await send(open, 'POST', `scans/${id}/investigation/`, { comment: 'x' });
		expect(status).toBe(400);
		expect(open.sandbox.investigations('us')).toEqual([]);
	});
});

describe('releasing an email', () => {
	it.each(['', '/'])('is a GET with a side effect, trailing slash "%s"', async (slash) => {
		const open = await openSandbox();
		const email = await emailWith(open, 'SPM');
		const path = `/api/v1/quarantine/release/${email.full_scan_id}${slash}`;
		expect((await getScans(open, path)).data).toMatchObject({ status: 'released' });
		expect(await record(open, email)).toMatchObject({ quarantine_state: 'released' });
	});

	it('says the second time that the email had been released before', async () => {
		const open = await openSandbox();
		const { id } = await emailWith(open, 'MAL');
		await getScans(open, `/api/v1/quarantine/release/${id}`);
		const { status, data } = await getScans(open, `/api/v1/quarantine/release/${id}`);
		expect([status, data.detail]).toEqual([200, expect.stringContaining('before')]);
	});

	it('can answer 204 with no body', async () => {
		const open = await openSandbox({ scanning: { releaseAnswer: 'empty' } });
		const { id } = await emailWith(open, 'MAL');
		const { status, data } = await getScans(open, `/api/v1/quarantine/release/${id}`);
		expect([status, data]).toEqual([204, '']);
		expect(open.sandbox.releasedEmails('us')).toHaveLength(1);
	});

	it('refuses an unknown scan, one without an email in quarantine, and a lower role', async () => {
		const open = await openSandbox();
		const { id } = await emailWith(open, 'CLN');
		const held = await emailWith(open, 'MAL');
		const status = async (scan: number, token?: 'userViewer') =>
			(await getScans(open, `/api/v1/quarantine/release/${scan}`, token)).status;
		expect([await status(1), await status(id)]).toEqual([404, 400]);
		expect(await status(held.id, 'userViewer')).toBe(403);
	});
});
