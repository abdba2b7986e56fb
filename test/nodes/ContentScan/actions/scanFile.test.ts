import { LARGEST_FILE } from '../../../../nodes/ContentScan/actions/common/uploadFile';
import { expectCost } from '../../../support/expectCost.cts';
import { macrotask } from '../../../support/macrotask.cts';
import { runNode } from '../support/runNode';

import { accepted, contentOf, submission, submitted } from '../support/submissions';

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
		['File Password', { filePassword: 'x'.repeat(16_385) }],
		['Callback Headers', { callbackHeaders: JSON.stringify({ 'X-Key': 'x'.repeat(16_384) }) }],
	])(
		'sends nothing where the %s would take long to keep out of an error',
		async (name, options) => {
			const parameters = submission('scanFile', { options });
			const run = await runNode({ parameters, binary: memory('x') }, accepted);
			expect(run.error?.message).toContain(`'${name}' is longer than 16,384 characters`);
			expect(run.sent).toHaveLength(0);
		},
	);

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
		[{ fileExtension: 'pdf' }, 'file.pdf'],
		[{ fileExtension: '.pdf', fileName: '' }, 'file.pdf'],
		[{ fileExtension: 'pdf', fileName: 'a' }, 'a'],
		[{}, 'file'],
	])('a file of which only %j is known is named %s', async (known, name) => {
		const binary = { data: { data: Buffer.from('x').toString('base64'), ...known } };
		const run = await runNode({ parameters: submission('scanFile'), binary }, accepted);
		expect(run.sent[0].call?.body).toMatchObject({ fields: { name }, file: { fileName: name } });
	});

	it('of a long name the last 4,000 characters are sent', async () => {
		const fileName = `${'a\n'.repeat(9000)}.pdf`;
		const binary = { data: { data: Buffer.from('x').toString('base64'), fileName } };
		const run = await runNode({ parameters: submission('scanFile'), binary }, accepted);
		const name = `${'a\n'.repeat(1998)}.pdf`;
		expect(run.sent[0].call?.body).toMatchObject({ fields: { name }, file: { fileName: name } });
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
			'from its binary storage [item 0]',
		],
		[
			'a file of which the storage tells no length',
			{ data: { id: 'x', data: '' } },
			{ x: NaN },
			'from its binary storage [item 0]',
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

	it('waits a minute for a storage that never answers', async () => {
		const binary = { data: { id: 'x', data: '' } };
		const input = { parameters: submission('scanFile'), binary, storageIsSilent: true };
		const run = await runNode(input, accepted);
		expect(run.error?.message).toContain('from its binary storage [item 0]');
		expect(run.clock.monotonic()).toBe(60_000);
		expect(run.sent).toHaveLength(0);
	});

	it('says that it was canceled, where it was while the storage was asked', async () => {
		const binary = { data: { id: 'x', data: '' } };
		const cancel = new AbortController();
		void macrotask().then(() => cancel.abort());
		const { signal } = cancel;
		const run = await runNode(
			{ parameters: submission('scanFile'), binary, storageIsSilent: true, signal },
			accepted,
		);
		expect(run.error).toMatchObject({
			message: expect.stringContaining('canceled'),
			description: 'Nothing was uploaded.',
		});
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
		[`https://user:${'t'.repeat(1500)}@files.example/a.pdf`, 'a.pdf'],
		['https:///files.example/a.pdf', 'a.pdf'],
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

	it('refuses a link whose host is longer than any, before it is parsed', async () => {
		const downloadLink = `https://${'例'.repeat(2000)}.example/a.pdf`;
		const run = await runNode(
			{ parameters: submission('scanFile', { fileSource: 'link', downloadLink }) },
			accepted,
		);
		expect(run.error?.message).toContain("'Download Link' is not a web address");
		expect(run.sent).toHaveLength(0);
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

	it.each([
		[Buffer.from('abc')],
		[null],
		[undefined],
		[7],
		['héllo'],
		['abc=d'],
		['QUJD='],
		['QUJD=='],
		['QU='],
		['QU JD\nQ'],
		['Q U J D Q U = '],
		['Q U J D = = '],
		['Q U J D = '],
		['QUJDQ'],
		['='],
	])('refuses a file that a Code node has made as %p', async (data) => {
		const binary = { data: { data: data as string, mimeType: 'text/plain' } };
		const run = await runNode(
			{ parameters: submission('scanFile', { inputDataFieldName: 'data' }), binary },
			accepted,
		);
		expect(run.error?.message).toContain("in the binary field 'data' is not in base64");
		expect(run.sent).toHaveLength(0);
	});

	it.each(['default', 'filesystem', 'filesystem-v2', 's3', 'azure', 'database'])(
		'refuses a file of which a Code node has kept the name of the storage only (%s)',
		async (data) => {
			const binary = { data: { data, mimeType: 'text/plain' } };
			const parameters = submission('scanFile', { inputDataFieldName: 'data' });
			const run = await runNode({ parameters, binary }, accepted);
			expect(run.error?.message).toContain("in the binary field 'data' has lost its content");
			expect(run.sent).toHaveLength(0);
		},
	);

	it('refuses a binary field in which a Code node has left nothing', async () => {
		const parameters = submission('scanFile', { inputDataFieldName: 'data' });
		const binary = { data: null as never };
		const run = await runNode({ parameters, binary }, accepted);
		expect(run.error?.message).toContain("in the binary field 'data' is not in base64 [item 0]");
	});

	it.each([
		['QUI'],
		['QUI='],
		['QQ'],
		['QQ=='],
		['QUJD'],
		['QU JD\r\nQUI='],
		['Q U J D Q U I '],
		['Q U J D Q Q'],
		['Q Q = =\n'],
		['Q U\tJ D '],
	])('takes %p as base64', async (data) => {
		const binary = { data: { data, mimeType: 'text/plain' } };
		const parameters = submission('scanFile', { inputDataFieldName: 'data' });
		const run = await runNode({ parameters, binary }, accepted);
		expect(run.error).toBeUndefined();
	});

	it.each([
		['lines', (base64: string) => base64.replace(/.{76}/g, '$&\r\n')],
		['a space after each character', (base64: string) => base64.replace(/./g, '$& ')],
	])('takes base64 with %s, in no time', async (_, spread) => {
		const content = 'content '.repeat(700_000);
		const data = spread(Buffer.from(content).toString('base64'));
		const binary = { data: { data, mimeType: 'text/plain' } };
		await expectCost(0.4, async () => {
			const run = await runNode({ parameters: submission('scanFile'), binary }, accepted);
			expect(run.sent[0].call?.body).toMatchObject({ file: { size: content.length } });
			expect(await contentOf(run.sent[0])).toBe(content);
		});
	});
});
