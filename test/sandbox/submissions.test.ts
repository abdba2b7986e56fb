import { createHash } from 'node:crypto';
import {
	eicarTestFile,
	sampleLines,
	sampleUrls,
	spamTestFile,
} from '../../sandbox/fixtures/samples.cts';
import type { OpenSandbox } from './calls.cts';
import { call, lastRecord, openSandbox, submit, tokenHeader, upload } from './calls.cts';

const bytes = (...parts: Uint8Array[]) => Uint8Array.from(Buffer.concat(parts));

describe('submitting files and URLs', () => {
	it('answers with scan_id as an integer, and as digits when told to', async () => {
		const open = await openSandbox();
		const fields = { path: sampleUrls.clean };
		const first = await submit(open, '/api/v1/urls/', fields);
		expect(first.data).toEqual({ scan_id: expect.any(Number) });
		open.sandbox.configure({ scanning: { scanIdType: 'string' } });
		const second = await submit(open, '/api/v1/urls/', fields);
		expect(second.data).toEqual({ scan_id: String(first.data.scan_id + 1) });
	});

	it('takes no telling word for bad outside of the reserved names', async () => {
		const open = await openSandbox({ scanning: { scanDurationMs: 0 } });
		await submit(open, '/api/v1/urls/', { path: 'https://example.com/malware' });
		expect(lastRecord(open).verbose_verdict).toBe('CLN');
	});

	it('takes a file by download link, form-encoded, and shows how it was sent', async () => {
		const open = await openSandbox();
		const link = 'https://malware.example/files/tool.exe';
		await submit(open, '/api/v1/files/', { download_link: link, file_password: 'not kept' });
		const { submission } = open.sandbox.scans('us').at(-1) ?? {};
		expect(submission).toEqual({
			encoding: 'application/x-www-form-urlencoded',
			fields: ['download_link', 'file_password'],
		});
		expect(lastRecord(open)).toMatchObject({ names: ['tool.exe'], verbose_verdict: null });
		expect(JSON.stringify(open.sandbox.scans('us'))).not.toContain('not kept');
	});

	it('runs as long as the clock says, then shows an end and a verdict', async () => {
		const open = await openSandbox({ scanning: { scanDurationMs: 5_000 } });
		await submit(open, '/api/v1/urls/', { path: sampleUrls.malicious });
		open.clock.advance(4_999);
		expect(lastRecord(open)).toMatchObject({ status: 'RUN', finished_at: null });
		open.clock.advance(1);
		expect(lastRecord(open)).toMatchObject({
			status: null,
			finished_at: '2026-06-15T12:00:05.000Z',
			verbose_verdict: 'MAL',
		});
	});

	it('never finishes a scan without a duration', async () => {
		const open = await openSandbox({ scanning: { scanDurationMs: null } });
		await submit(open, '/api/v1/urls/', { path: sampleUrls.malicious });
		open.clock.advance(10 * 86_400_000);
		expect(lastRecord(open)).toMatchObject({ status: 'RUN', finished_at: null });
	});

	it('refuses JSON, an empty file, a file in another part, and one that is too large', async () => {
		const open = await openSandbox({ scanning: { maxFileBytes: 1_000 } });
		const url = `${open.sandbox.addresses.us}/api/v1/urls/`;
		const json = { method: 'POST', url, headers: tokenHeader('parent'), data: { path: 'x' } };
		expect((await call(json)).status).toBe(415);
		expect((await upload(open, new Uint8Array(0))).data).toHaveProperty('data');
		expect((await upload(open, bytes(Buffer.from('x')), {}, 'file')).data).toHaveProperty('file');
		expect((await upload(open, new Uint8Array(1_000))).status).toBe(200);
		expect((await upload(open, new Uint8Array(1_001))).status).toBe(413);
		expect((await upload(open, new Uint8Array(3_000_000))).status).toBe(413);
	});

	it('asks for a name only where the deployment does', async () => {
		const open = await openSandbox({ scanning: { nameRequired: true } });
		expect((await upload(open, bytes(Buffer.from('x')))).data).toHaveProperty('name');
		expect((await upload(open, bytes(Buffer.from('x')), { name: 'x' })).status).toBe(200);
	});
});

describe('the verdict of a URL', () => {
	let open: OpenSandbox;
	beforeAll(async () => {
		open = await openSandbox({ scanning: { scanDurationMs: 0 } });
	});

	it.each([
		['malicious', 'MAL'],
		['phishing', 'MAL'],
		['spam', 'SPM'],
		['restricted', 'BLK'],
		['suspicious', 'SUS'],
		['clean', 'CLN'],
	] as const)('finds the %s sample URL to be %s', async (name, verdict) => {
		await submit(open, '/api/v1/urls/', { path: sampleUrls[name] });
		expect(lastRecord(open).verbose_verdict).toBe(verdict);
	});
});

describe('the verdict of a file', () => {
	let open: OpenSandbox;
	beforeAll(async () => {
		open = await openSandbox({ scanning: { scanDurationMs: 0 } });
	});

	it.each([
		['the EICAR test file', bytes(eicarTestFile()), 'MAL'],
		['EICAR inside a large file', bytes(Buffer.alloc(200_000), eicarTestFile()), 'MAL'],
		['the GTUBE line', bytes(Buffer.from('Subject: x\n\n'), spamTestFile()), 'SPM'],
		['a suspicious line', bytes(Buffer.from(sampleLines.suspicious)), 'SUS'],
		['an undocumented line', bytes(Buffer.from(sampleLines.undocumented)), 'NEW'],
		['anything else', bytes(Buffer.alloc(100_000, 'a')), 'CLN'],
	])('looks at an upload as it passes: %s', async (_name, content, verdict) => {
		const { status } = await upload(open, content, { name: 'report.bin' });
		expect(status).toBe(200);
		const { sample, names, verbose_verdict: found } = lastRecord(open);
		const sha256 = createHash('sha256').update(content).digest('hex');
		expect(sample).toMatchObject({ sha256, file_size: content.length });
		expect([names, found]).toEqual([['report.bin'], verdict]);
	});
});

describe('a submission that breaks a rule', () => {
	let open: OpenSandbox;
	beforeAll(async () => {
		open = await openSandbox();
	});

	it.each<[string, '/api/v1/urls/' | '/api/v1/files/', Record<string, string>, string]>([
		['a URL scan without path', '/api/v1/urls/', {}, 'path'],
		['a blank path', '/api/v1/urls/', { path: ' ' }, 'path'],
		['a path that is no URL', '/api/v1/urls/', { path: 'no url' }, 'path'],
		['an unknown field', '/api/v1/urls/', { path: 'https://a.example/', url: 'x' }, 'url'],
		['a file scan of nothing', '/api/v1/files/', { name: 'x' }, 'data'],
		['two sources', '/api/v1/files/', { download_link: 'https://a.example/', path: 'b' }, 'data'],
		['content that is no file', '/api/v1/files/', { data: 'text' }, 'data'],
		[
			'params that are no JSON',
			'/api/v1/urls/',
			{ path: 'https://a.example/', callback_params: '{' },
			'callback_params',
		],
	])('refuses %s with the field in question', async (_name, path, fields, field) => {
		const before = open.sandbox.scans('us').length;
		const { status, data } = await submit(open, path, fields);
		expect(status).toBe(400);
		expect(data).toEqual({ [field]: [expect.any(String)] });
		expect(open.sandbox.scans('us')).toHaveLength(before);
	});
});
