import { Refusal } from '../support/fakeService';
import type { Sent } from '../support/fakeService';
import { macrotask } from '../../../support/macrotask.cts';
import { runNode } from '../support/runNode';
import { accepted, contentOf, submission } from '../support/submissions';

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

	it('are uploaded ten at a time: they share the uplink', async () => {
		let now = 0;
		let highest = 0;
		await runNode({ parameters: files('b'), binary, items: 30 }, async () => {
			highest = Math.max(highest, ++now);
			await macrotask();
			now--;
			return { scan_id: 1 };
		});
		expect(highest).toBe(10);
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
