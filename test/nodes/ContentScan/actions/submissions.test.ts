import { LARGEST_FILE } from '../../../../nodes/ContentScan/actions/common/uploadFile';
import { Refusal } from '../support/fakeService';
import type { Sent } from '../support/fakeService';
import { runNode, scan } from '../support/runNode';

const accepted = () => ({ scan_id: 123456 });

const finished = { finished_at: '2026-11-01T08:00:09Z', verbose_verdict: 'MAL' };
const list = (...results: object[]) => ({ results, next: null, has_more: false });

/** Accepts submissions as 1, 2, 3 …, and lists what the test says. */
function serviceWith(records: (sent: Sent) => unknown) {
	let last = 0;
	return (sent: Sent) => (sent.call?.method === 'POST' ? { scan_id: ++last } : records(sent));
}

async function contentOf({ call }: Sent): Promise<string> {
	if (call?.body?.type !== 'multipart') throw new Error('no upload');
	const chunks: Uint8Array[] = [];
	for await (const chunk of await call.body.file.open()) chunks.push(chunk);
	return Buffer.concat(chunks).toString();
}

describe('Scan URL', () => {
	it('sends the URL and its options form-encoded, and returns the answer unchanged', async () => {
		const options = {
			userAgentString: 'Agent',
			userLocation: 'DE',
			callbackUrl: 'https://me.example/hook',
			callbackParams: '{ "ticket": 12345678901234567890 }',
			callbackHeaders: { 'X-Secret': 's' },
		};
		const answer = { scan_id: 9, callback_params: { ticket: 42 }, extra: [1] };
		const run = await runNode(
			{ parameters: scan('scanUrl', { url: ' https://bad.example/?a=b ', options }) },
			() => answer,
		);
		expect(run.items).toStrictEqual([{ json: answer, pairedItem: { item: 0 } }]);
		expect(run.sent[0].call).toMatchObject({
			method: 'POST',
			path: '/api/v1/urls/',
			idempotent: false,
			body: {
				type: 'form',
				fields: {
					path: 'https://bad.example/?a=b',
					user_agent_string: 'Agent',
					user_location: 'DE',
					callback_url: 'https://me.example/hook',
					callback_params: '{ "ticket": 12345678901234567890 }',
					callback_headers: '{"X-Secret":"s"}',
				},
			},
		});
	});

	it('sends nothing but the URL without options', async () => {
		const run = await runNode({ parameters: scan('scanUrl', { url: 'x' }) }, accepted);
		expect(run.sent[0].call?.body).toStrictEqual({ type: 'form', fields: { path: 'x' } });
	});

	it.each([
		[{ url: '' }, "'URL' is empty"],
		[{ url: '  ' }, "'URL' is empty"],
		[{ url: null }, "'URL' is empty"],
		[{ url: 'x', options: { callbackUrl: 'me.example' } }, "'Callback URL' is not a web address"],
		[{ url: 'x', options: { callbackParams: '{' } }, "'Callback Parameters' is not valid JSON"],
		[{ url: 'x', options: { callbackHeaders: '[1]' } }, "'Callback Headers' is not a JSON object"],
		[{ url: 'x', options: { callbackHeaders: '{"a":1}' } }, "'Callback Headers' is not a JSON"],
		[{ url: { url: 'x' } }, "'URL' is an object, not text"],
		[{ url: ['x', 'y'] }, "'URL' is a list, not text"],
		[{ url: 'x', options: { queueTimeout: -1 } }, "'Max Queue Time (Seconds)' must be a number"],
		[
			{ url: 'x', options: { waitForVerdict: true, waitTimeout: 0 } },
			"'Wait Timeout' must be a number",
		],
	])('refuses %j before anything is sent', async (parameters, message) => {
		const run = await runNode({ parameters: scan('scanUrl', parameters) }, accepted);
		expect(run.error?.message).toContain(message);
		expect(run.error).toMatchObject({ name: 'NodeOperationError', context: { itemIndex: 0 } });
		expect(run.error?.description).toBeTruthy();
		expect(run.sent).toHaveLength(0);
	});

	it.each([
		[{}],
		[{ scan_id: null }],
		[{ scan_id: '' }],
		[{ scan_id: { id: 1 } }],
		[[]],
		['123'],
		[undefined],
	])('refuses the answer %j, which has no scan_id', async (answer) => {
		const run = await runNode({ parameters: scan('scanUrl', { url: 'x' }) }, () => answer);
		expect(run.error?.message).toContain('there is no scan_id');
	});

	it('takes a scan_id that is text', async () => {
		const run = await runNode({ parameters: scan('scanUrl', { url: 'x' }) }, () => ({
			scan_id: '0012',
		}));
		expect(run.json).toStrictEqual([{ scan_id: '0012' }]);
	});
});

describe('Scan File', () => {
	const memory = (content: string) => ({
		data: {
			data: Buffer.from(content).toString('base64'),
			fileName: 'a.txt',
			mimeType: 'text/plain',
		},
	});

	it.each(['x', 'xy', 'xyz', 'x'.repeat(200_000)])(
		'uploads a file that n8n keeps in memory, of exact size, again and again',
		async (content) => {
			const run = await runNode(
				{ parameters: scan('scanFile'), binary: memory(content) },
				accepted,
			);
			expect(run.json).toStrictEqual([{ scan_id: 123456 }]);
			expect(run.sent[0].call?.body).toMatchObject({
				type: 'multipart',
				fields: { name: 'a.txt' },
				file: { part: 'data', fileName: 'a.txt', mimeType: 'text/plain', size: content.length },
			});
			expect(await contentOf(run.sent[0])).toBe(content);
			expect(await contentOf(run.sent[0])).toBe(content);
		},
	);

	it('uploads a stored file from n8n’s storage, with its options', async () => {
		const run = await runNode(
			{
				parameters: scan('scanFile', {
					inputDataFieldName: 'attachment_0',
					options: { fileName: 'b.zip', filePassword: ' p ' },
				}),
				binary: { attachment_0: { id: 'fs:1', data: 'filesystem-v2', mimeType: '' } },
				stored: { 'fs:1': Buffer.from('stored') },
			},
			accepted,
		);
		expect(run.sent[0].call?.body).toMatchObject({
			fields: { name: 'b.zip', file_password: ' p ' },
			file: { fileName: 'b.zip', mimeType: 'application/octet-stream', size: 6 },
		});
		expect(await contentOf(run.sent[0])).toBe('stored');
	});

	it.each([
		[' 12 34 ', ' 12 34 '],
		[1234, '1234'],
	])('sends the password %j as it is, also one that is a number', async (filePassword, sent) => {
		const parameters = scan('scanFile', { options: { filePassword } });
		const run = await runNode({ parameters, binary: memory('x') }, accepted);
		expect(run.sent[0].call?.body).toMatchObject({ fields: { file_password: sent } });
	});

	it('names no storage for a file of its own, and no file by blanks', async () => {
		const parameters = scan('scanFile', { options: { storage: 's', fileName: '  ' } });
		const run = await runNode({ parameters, binary: memory('x') }, accepted);
		expect(run.sent[0].call?.body).toMatchObject({ fields: { name: 'a.txt' } });
		expect(run.sent[0].call?.body).not.toHaveProperty('fields.storage');
	});

	it.each([
		[{ filePassword: ['a'] }, "'File Password' is a list"],
		[{ fileName: { a: 1 } }, "'File Name' is an object"],
	])('refuses the options %j', async (options, message) => {
		const parameters = scan('scanFile', { options });
		const run = await runNode({ parameters, binary: memory('x') }, accepted);
		expect(run.error?.message).toContain(message);
		expect(run.sent).toHaveLength(0);
	});

	it.each([
		['an empty file in memory', memory(''), {}, "'data' is empty"],
		['an empty stored file', { data: { id: 'x', data: '' } }, { x: 0 }, "'data' is empty"],
		['no file', {}, {}, "no binary field 'data'"],
		[
			'a file that is gone',
			{ data: { id: 'x', data: '' } },
			{},
			'no longer holds the file [item 0]',
		],
		[
			'a file over 500 MB',
			{ data: { id: 'x', data: '' } },
			{ x: LARGEST_FILE + 1 },
			"'data' is larger than 500 MB (524288001 bytes)",
		],
	])('refuses %s before the upload', async (_, binary, stored, message) => {
		const run = await runNode({ parameters: scan('scanFile'), binary, stored }, accepted);
		expect(run.error?.message).toContain(message);
		expect(run.error?.context).toMatchObject({ itemIndex: 0 });
		expect(run.sent).toHaveLength(0);
	});

	it('takes a file of exactly 500 MB', async () => {
		const binary = { data: { id: 'x', data: '' } };
		const run = await runNode(
			{ parameters: scan('scanFile'), binary, stored: { x: LARGEST_FILE } },
			accepted,
		);
		expect(run.error).toBeUndefined();
	});

	it.each([
		['https://files.example/dir/in%20voice.pdf?x=1', 'in voice.pdf'],
		['https://files.example/', 'file'],
		['https://files.example/%E0%A4%A', '%E0%A4%A'],
	])('submits the link %s form-encoded, under a name', async (downloadLink, name) => {
		const run = await runNode(
			{ parameters: scan('scanFile', { fileSource: 'link', downloadLink }) },
			accepted,
		);
		expect(run.sent[0].call).toMatchObject({
			path: '/api/v1/files/',
			body: { type: 'form', fields: { download_link: downloadLink, name } },
		});
	});

	it('names a file in a storage form-encoded', async () => {
		const parameters = {
			fileSource: 'storage',
			storagePath: 'in/a.pdf',
			options: { storage: 's' },
		};
		const run = await runNode({ parameters: scan('scanFile', parameters) }, accepted);
		expect(run.sent[0].call?.body).toStrictEqual({
			type: 'form',
			fields: { path: 'in/a.pdf', name: 'a.pdf', storage: 's' },
		});
		const empty = { fileSource: 'storage', storagePath: ' ' };
		const refused = await runNode({ parameters: scan('scanFile', empty) }, accepted);
		expect(refused.error?.message).toContain("'Path in Storage' is empty");
	});

	it.each([
		['', 'is empty'],
		['files.example/a', 'is not a web address'],
		['file:///etc/passwd', 'is not a web address'],
		['https://', 'is not a web address'],
	])('refuses the link %p', async (downloadLink, message) => {
		const run = await runNode(
			{ parameters: scan('scanFile', { fileSource: 'link', downloadLink }) },
			accepted,
		);
		expect(run.error?.message).toContain(`'Download Link' ${message}`);
		expect(run.sent).toHaveLength(0);
	});
});

describe('a submission that waits for its verdict', () => {
	const waiting = (options: object = {}) =>
		scan('scanUrl', { url: 'x', options: { waitForVerdict: true, ...options } });

	it('adds status, verdict in words and code, and the record as sent', async () => {
		const record = { id: 1, ...finished, evidence: [{ a: 1 }] };
		const run = await runNode(
			{ parameters: waiting() },
			serviceWith(() => list(record)),
		);
		expect(run.json).toStrictEqual([
			{ scan_id: 1, status: 'finished', verdict: 'malicious', verdictCode: 'MAL', scan: record },
		]);
	});

	it('reads the list from shortly before the service’s own time', async () => {
		const run = await runNode(
			{ parameters: waiting() },
			serviceWith(() => list({ id: 1, ...finished })),
		);
		expect(run.sent[1].call?.query?.start).toBe(1_700_000_000 - 30);
	});

	it('reads the list from before its submission began, though that took a minute', async () => {
		const run = await runNode({ parameters: waiting() }, async (sent, clock) => {
			if (sent.call?.method === 'GET') return list({ id: 1, ...finished });
			await clock.sleep(60_000);
			return { scan_id: 1 };
		});
		expect(run.sent[1].call?.query?.start).toBe(1_700_000_000 - 30);
	});

	it('keeps the item with status pending when the time is over', async () => {
		const record = { id: 1, finished_at: null, verbose_verdict: 'CLN' };
		const run = await runNode(
			{ parameters: waiting({ waitTimeout: 10 }) },
			serviceWith(() => list(record)),
		);
		expect(run.json).toStrictEqual([
			{ scan_id: 1, status: 'pending', verdict: null, verdictCode: null, scan: record },
		]);
	});

	it('says that no entry of the list matched', async () => {
		const run = await runNode(
			{ parameters: waiting({ waitTimeout: 10 }) },
			serviceWith(() => list({ id: 'other', ...finished })),
		);
		expect(run.json).toMatchObject([
			{ scan_id: 1, status: 'pending', scan: null, note: expect.stringContaining('ID 1') },
		]);
	});

	it('ends in an error that names the scan_id where the user chose so', async () => {
		const run = await runNode(
			{ parameters: waiting({ waitTimeout: 10, onTimeout: 'error' }) },
			serviceWith(() => list()),
		);
		expect(run.error?.message).toBe('There was no verdict within 10 seconds [item 0]');
		expect(run.error?.description).toContain('its scan_id is 1.');
	});

	it('keeps the scan_id when the token is revoked in the middle', async () => {
		const run = await runNode(
			{ parameters: waiting(), items: 2, onError: 'continueRegularOutput' },
			serviceWith(() => new Refusal(401)),
		);
		expect(run.items).toMatchObject([
			{
				json: {
					error: expect.stringContaining('read the verdict'),
					scan_id: 1,
					details: { scan_id: 1, httpCode: '401' },
				},
				pairedItem: { item: 0 },
			},
			{ json: { scan_id: 2 }, pairedItem: { item: 1 } },
		]);
	});

	it('keeps the scan_id in the details for n8n’s error output', async () => {
		const run = await runNode(
			{ parameters: waiting(), onError: 'continueErrorOutput' },
			serviceWith(() => new Refusal(401)),
		);
		expect(Object.keys(run.json[0])).toStrictEqual(['error', 'details']);
		expect(run.json[0].details).toMatchObject({ scan_id: 1 });
	});

	it('does not keep other items from being submitted', async () => {
		const run = await runNode(
			{ parameters: { ...waiting({ concurrency: 2, waitTimeout: 60 }) }, items: 30 },
			serviceWith(() => list()),
		);
		const firstLook = run.sent.findIndex(({ call }) => call?.method === 'GET');
		expect(firstLook).toBe(30);
		expect(run.json).toHaveLength(30);
	});
});
