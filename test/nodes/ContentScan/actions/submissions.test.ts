import { LARGEST_FILE } from '../../../../nodes/ContentScan/actions/common/uploadFile';
import { Refusal } from '../support/fakeService';
import type { Sent } from '../support/fakeService';
import { runNode, scan } from '../support/runNode';

/** A submission that does not wait. */
const submission = (operation: string, parameters: object = {}) =>
	scan(operation, { waitForVerdict: false, ...parameters });

/** What is known of a scan that was submitted. */
const submitted = (id: string) => ({
	scanId: id,
	status: 'submitted',
	verdict: null,
	verdictCode: null,
	clean: null,
	createdAt: null,
	finishedAt: null,
	names: null,
	sha256: null,
	from: null,
	submittedId: id,
});

const accepted = () => ({ scan_id: 123456 });

const waits = { waitForVerdict: true };

async function contentOf({ call }: Sent): Promise<string> {
	if (call?.body?.type !== 'multipart') throw new Error('no upload');
	const chunks: Uint8Array[] = [];
	for await (const chunk of await call.body.file.open()) chunks.push(chunk);
	return Buffer.concat(chunks).toString();
}

describe('Scan URL', () => {
	it('sends the URL and its options form-encoded, and returns the ID', async () => {
		const options = {
			userAgentString: 'Agent',
			userLocation: 'DE',
			callbackUrl: 'https://me.example/hook',
			callbackParams: '{ "ticket": 12345678901234567890 }',
			callbackHeaders: { 'X-Secret': 's' },
		};
		const answer = { scan_id: 9, callback_params: { ticket: 42 }, extra: [1] };
		const run = await runNode(
			{ parameters: submission('scanUrl', { url: ' https://bad.example/?a=b ', options }) },
			() => answer,
		);
		expect(run.items).toStrictEqual([{ json: submitted('9'), pairedItem: { item: 0 } }]);
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
		const run = await runNode({ parameters: submission('scanUrl', { url: 'x' }) }, accepted);
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
		[{ url: 'x', waitForVerdict: 'yes' }, "'Wait for Verdict' must be true or false"],
		[{ url: 'x', waitForVerdict: null }, "'Wait for Verdict' must be true or false"],
		[{ url: 'x', waitForVerdict: '' }, "'Wait for Verdict' must be true or false"],
		[{ url: 'x', waitForVerdict: [true] }, "'Wait for Verdict' must be true or false"],
		[{ url: 'x', simplify: 'no' }, "'Simplify' must be true or false"],
		[{ url: 'x', options: { includeInput: 1 } }, "'Include Input Fields' must be true or false"],
		[{ url: 'x', options: { concurrency: 'all' } }, "'Parallel Items' must be a whole number"],
		[{ url: 'x', options: { concurrency: 0 } }, "'Parallel Items' must be a whole number"],
		[{ url: 'x', ...waits, options: { waitTimeout: 0 } }, "'Wait Timeout (Seconds)' must be"],
		[{ url: 'x', ...waits, options: { waitTimeout: 'long' } }, "'Wait Timeout (Seconds)' must be"],
		[{ url: 'x', ...waits, options: { waitTimeout: [5] } }, "'Wait Timeout (Seconds)' must be"],
		[{ url: 'x', ...waits, options: { waitTimeout: null } }, "'Wait Timeout (Seconds)' must be"],
		[{ url: 'x', ...waits, options: { onTimeout: null } }, "'On Timeout' is not one of its"],
		[{ url: 'x', options: { includeInput: null } }, "'Include Input Fields' must be true or"],
		[{ url: 'x', ...waits, options: { onTimeout: 'skip' } }, "'On Timeout' is not one of its"],
	])('refuses %j before anything is sent', async (parameters, message) => {
		const run = await runNode({ parameters: submission('scanUrl', parameters) }, accepted);
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
		const run = await runNode({ parameters: submission('scanUrl', { url: 'x' }) }, () => answer);
		expect(run.error?.message).toContain('there is no scan_id');
		// It may be another's answer: the transport says that the outcome is not certain.
		expect(run.error?.description ?? '').not.toContain('was carried out');
	});

	it('takes a scan_id that is text', async () => {
		const run = await runNode({ parameters: submission('scanUrl', { url: 'x' }) }, () => ({
			scan_id: '0012',
		}));
		expect(run.json).toStrictEqual([submitted('0012')]);
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
				{ parameters: submission('scanFile'), binary: memory(content) },
				accepted,
			);
			expect(run.json).toStrictEqual([submitted('123456')]);
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
				parameters: submission('scanFile', {
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
		const parameters = submission('scanFile', { options: { filePassword } });
		const run = await runNode({ parameters, binary: memory('x') }, accepted);
		expect(run.sent[0].call?.body).toMatchObject({ fields: { file_password: sent } });
	});

	it('names no storage for a file of its own, and no file by blanks', async () => {
		const parameters = submission('scanFile', { options: { storage: 's', fileName: '  ' } });
		const run = await runNode({ parameters, binary: memory('x') }, accepted);
		expect(run.sent[0].call?.body).toMatchObject({ fields: { name: 'a.txt' } });
		expect(run.sent[0].call?.body).not.toHaveProperty('fields.storage');
	});

	it.each([
		[{ filePassword: ['a'] }, "'File Password' is a list"],
		[{ fileName: { a: 1 } }, "'File Name' is an object"],
	])('refuses the options %j', async (options, message) => {
		const parameters = submission('scanFile', { options });
		const run = await runNode({ parameters, binary: memory('x') }, accepted);
		expect(run.error?.message).toContain(message);
		expect(run.sent).toHaveLength(0);
	});

	it.each([
		['an empty file in memory', memory(''), {}, "'data' is empty"],
		['an empty stored file', { data: { id: 'x', data: '' } }, { x: 0 }, "'data' is empty"],
		['no file', {}, {}, "no binary field 'data' [item 0]"],
		[
			'a file that is gone',
			{ data: { id: 'x', data: '' } },
			{},
			'no longer holds the file [item 0]',
		],
		[
			'a file of which the storage tells no length',
			{ data: { id: 'x', data: '' } },
			{ x: NaN },
			'no longer holds the file [item 0]',
		],
		[
			'a file over 500 MB',
			{ data: { id: 'x', data: '' } },
			{ x: LARGEST_FILE + 1 },
			"'data' is larger than 500 MB (524288001 bytes)",
		],
	])('refuses %s before the upload', async (_, binary, stored, message) => {
		const run = await runNode({ parameters: submission('scanFile'), binary, stored }, accepted);
		expect(run.error?.message).toContain(message);
		expect(run.error?.context).toMatchObject({ itemIndex: 0 });
		expect(run.sent).toHaveLength(0);
	});

	it('takes a file of exactly 500 MB', async () => {
		const binary = { data: { id: 'x', data: '' } };
		const run = await runNode(
			{ parameters: submission('scanFile'), binary, stored: { x: LARGEST_FILE } },
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
			{ parameters: submission('scanFile', { fileSource: 'link', downloadLink }) },
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
		const run = await runNode({ parameters: submission('scanFile', parameters) }, accepted);
		expect(run.sent[0].call?.body).toStrictEqual({
			type: 'form',
			fields: { path: 'in/a.pdf', name: 'a.pdf', storage: 's' },
		});
		const empty = { fileSource: 'storage', storagePath: ' ' };
		const refused = await runNode({ parameters: submission('scanFile', empty) }, accepted);
		expect(refused.error?.message).toContain("'Path in Storage' is empty");
	});

	it.each([
		['', 'is empty'],
		['files.example/a', 'is not a web address'],
		['file:///etc/passwd', 'is not a web address'],
		['https://', 'is not a web address'],
	])('refuses the link %p', async (downloadLink, message) => {
		const run = await runNode(
			{ parameters: submission('scanFile', { fileSource: 'link', downloadLink }) },
			accepted,
		);
		expect(run.error?.message).toContain(`'Download Link' ${message}`);
		expect(run.sent).toHaveLength(0);
	});
});

describe('the files of an item', () => {
	const binary = {
		a: { data: Buffer.from('aa').toString('base64'), fileName: 'a.txt' },
		b: { data: Buffer.from('bbb').toString('base64'), fileName: 'b.txt' },
		c: { data: '', fileName: 'c.txt' },
	};
	const full = { a: binary.a, b: binary.b };
	const nameOf = ({ call }: Sent) =>
		call?.body?.type === 'multipart' ? call.body.fields.name : undefined;
	const files = (inputDataFieldName: unknown) => submission('scanFile', { inputDataFieldName });

	it('go on with the result', async () => {
		const file = await runNode({ parameters: files('b'), binary }, accepted);
		expect(file.items).toMatchObject([{ binary, json: { scanId: '123456' } }]);
		expect(file.json[0]).not.toHaveProperty('binaryField');
		const url = await runNode(
			{ parameters: submission('scanUrl', { url: 'x' }), binary },
			accepted,
		);
		expect(url.items?.[0].binary).toStrictEqual(binary);
	});

	it.each(['a, b', '*', ' b ,a,b', 'a,,b'])('named %j each become an item', async (names) => {
		const run = await runNode({ parameters: files(names), binary: full, items: 2 }, accepted);
		const order = names.trim().startsWith('b') ? ['b', 'a'] : ['a', 'b'];
		expect(run.items).toMatchObject(
			[0, 1].flatMap((item) =>
				order.map((field) => ({ json: { binaryField: field }, pairedItem: { item } })),
			),
		);
		expect(run.items?.map(({ binary }) => Object.keys(binary ?? {}))).toStrictEqual(
			[...order, ...order].map((field) => [field]),
		);
		expect(run.sent.map(nameOf)).toStrictEqual([...order, ...order].map((name) => `${name}.txt`));
	});

	it('that fail are an error each, with their file', async () => {
		const run = await runNode(
			{ parameters: files('*'), binary, onError: 'continueRegularOutput' },
			(sent) => (nameOf(sent) === 'a.txt' ? new Refusal(400) : { scan_id: 5 }),
		);
		expect(run.items).toMatchObject([
			{ json: { error: expect.any(String), clean: null, binaryField: 'a' }, binary: { a: {} } },
			{ json: { scanId: '5', binaryField: 'b' }, binary: { b: {} } },
			{ json: { error: expect.stringContaining("'c' is empty") }, pairedItem: { item: 0 } },
		]);
	});

	it.each([
		[true, { clean: null, names: null }],
		[false, { clean: null, scan: null }],
	])('are none: that is said, and never clean, simplified: %p', async (simplify, shape) => {
		const run = await runNode({ parameters: { ...files('*'), simplify } }, accepted);
		const note = expect.stringContaining('no file');
		expect(run.json).toMatchObject([{ scanId: null, status: null, ...shape, note }]);
		expect(run.sent).toHaveLength(0);
	});

	it.each([
		['x', "no binary field 'x'", "It has 'a', 'b'."],
		['a, x', "no binary field 'x'", "It has 'a', 'b'."],
		['toString', "no binary field 'toString'", "It has 'a', 'b'."],
		['', "'Input Data Field Name' is empty", ''],
		[' , ', "'Input Data Field Name' is empty", ''],
		[null, "'Input Data Field Name' is empty", ''],
		[['a', 'b'], "'Input Data Field Name' is a list", ''],
	])('named %j are an error', async (names, message, description) => {
		const run = await runNode({ parameters: files(names), binary: full }, accepted);
		expect(run.error?.message).toContain(message);
		expect(run.error?.message).toContain('[item 0]');
		expect(run.error?.description).toContain(description);
	});

	it.each(['file', '', null, ['binary']])('are of no source %j', async (fileSource) => {
		const run = await runNode({ parameters: submission('scanFile', { fileSource }) }, accepted);
		expect(run.error?.message).toContain("'File Source' is not one of its options [item 0]");
		expect(run.sent).toHaveLength(0);
	});

	it('may have a number for a name, as a Code node may give it', async () => {
		const a = { data: Buffer.from('x').toString('base64'), fileName: 2026 as never };
		const run = await runNode({ parameters: files('a'), binary: { a } }, accepted);
		expect(run.sent[0].call?.body).toMatchObject({
			fields: { name: '2026' },
			file: { fileName: '2026' },
		});
	});

	it('may be base64 in lines', async () => {
		const data = Buffer.from('x'.repeat(200)).toString('base64').replace(/.{76}/g, '$&\r\n');
		const run = await runNode({ parameters: files('a'), binary: { a: { data } } }, accepted);
		expect(run.sent[0].call?.body).toMatchObject({ file: { size: 200 } });
		expect(await contentOf(run.sent[0])).toBe('x'.repeat(200));
	});
});
