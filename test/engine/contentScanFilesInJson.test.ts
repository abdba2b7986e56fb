import { createHash } from 'node:crypto';
import { ScanBench } from '../support/contentScanRun.cts';

/** Workflows in which n8n keeps files in the items' `json`: their Execution Logic is v2. */

jest.setTimeout(60_000);

let bench: ScanBench;

beforeEach(async () => (bench = await ScanBench.open()));

afterEach(async () => await bench.close());

const settings = { executionOrder: 'v1', binaryMode: 'combined' } as const;

const binary = {
	first: { content: 'one', fileName: 'one.txt', mimeType: 'text/plain' },
	second: { content: 'two', fileName: 'two.txt', mimeType: 'text/plain' },
};

const scan = async (parameters: Record<string, unknown>, json: Record<string, unknown> = {}) =>
	await bench.run('scanFile', parameters, { items: [{ json, binary }], settings });

const sha256 = (content: string) => createHash('sha256').update(content).digest('hex');

/** The contents of what the service got. */
const uploaded = () => {
	const scans = JSON.stringify(bench.sandbox.scans('us').map(({ record }) => record.sample));
	return ['one', 'two'].filter((content) => scans.includes(sha256(content)));
};

it('all files are scanned, and each goes on with its result', async () => {
	const run = await scan(
		{ inputDataFieldName: '*', options: { includeInput: true } },
		{ kept: 1, clean: true },
	);
	expect(uploaded()).toStrictEqual(['one', 'two']);
	expect(run.outputs[0]).toMatchObject([
		{ json: { kept: 1, binaryField: 'first', _files: { first: { fileName: 'one.txt' } } } },
		{ json: { kept: 1, binaryField: 'second', _files: { second: { fileName: 'two.txt' } } } },
	]);
	expect(run.outputs[0].map(({ json }) => Object.keys(json._files as object))).toStrictEqual([
		['first'],
		['second'],
	]);
	expect(run.outputs[0].map(({ json }) => json.clean)).toStrictEqual([null, null]);
});

it.each([
	['its name', 'second'],
	['its path', '_files.second'],
	['an expression', '={{ $json._files.second }}'],
])('a file is found by %s', async (_way, inputDataFieldName) => {
	const run = await scan({ inputDataFieldName });
	expect(run.error).toBeUndefined();
	expect(uploaded()).toStrictEqual(['two']);
	expect(run.outputs[0]).toMatchObject([{ json: { _files: { first: {}, second: {} } } }]);
});

it('a wrong name is told beside the right ones', async () => {
	const run = await scan({ inputDataFieldName: 'third' });
	expect(run.error?.message).toContain("no binary field 'third'");
	expect(run.error?.description).toContain("It has 'first', 'second'.");
	expect(bench.calls()).toStrictEqual([]);
});

it('what is no file is told as such, and does not end the execution afterwards', async () => {
	const items = [{ json: { _files: { odd: 'x', empty: { id: '' } } }, binary }];
	const run = await bench.run(
		'scanFile',
		{ inputDataFieldName: '*' },
		{ items, settings, onError: 'continueRegularOutput' },
	);
	expect(run.executionStatus).toBe('success');
	expect(uploaded()).toStrictEqual(['one', 'two']);
	expect(run.outputs[0].map(({ json }) => [json.binaryField, json.error ?? null])).toMatchObject([
		['odd', expect.stringContaining("'odd' is not in base64")],
		['empty', expect.stringContaining("'empty' is not in base64")],
		['first', null],
		['second', null],
	]);
});

it.each(['filesystem', 'memory'] as const)(
	'a failed item leaves by the error output, with its files (%s)',
	async (binaryData) => {
		bench.sandbox.faults.add({ method: 'POST', status: 400, times: null });
		const run = await bench.run(
			'scanFile',
			{ inputDataFieldName: 'first' },
			{ items: [{ json: { a: 1 }, binary }], settings, onError: 'continueErrorOutput', binaryData },
		);
		expect(run.outputs[0]).toStrictEqual([]);
		const [{ json, binary: inMemory }] = run.outputs[1];
		expect(json).toMatchObject({ a: 1, error: expect.stringContaining('(400)') });
		expect(Object.keys(inMemory ?? (json._files as object))).toStrictEqual(['first', 'second']);
	},
);

it('the files go on with the result of any operation', async () => {
	const items = [{ json: {}, binary }];
	const run = await bench.run('scanUrl', { url: 'https://x.example' }, { items, settings });
	expect(run.outputs[0]).toMatchObject([{ json: { _files: { first: {}, second: {} } } }]);
});

it('files that n8n keeps in memory are scanned too', async () => {
	await bench.run(
		'scanFile',
		{ inputDataFieldName: '*' },
		{ items: [{ json: {}, binary }], settings, binaryData: 'memory' },
	);
	expect(uploaded()).toStrictEqual(['one', 'two']);
});

describe('a workflow that is not one of them', () => {
	const inJson = { _files: { data: { data: 'eA==', mimeType: 'text/plain' } } };

	it.each(['*', 'data', '_files.data'])(
		'says where the files are that one of them has handed on (%s)',
		async (inputDataFieldName) => {
			const run = await bench.run(
				'scanFile',
				{ inputDataFieldName },
				{ items: [{ json: inJson }] },
			);
			expect(run.error?.message).toContain("has files only in '_files'");
			expect(run.error?.description).toContain('choose the same');
			expect(bench.calls()).toStrictEqual([]);
		},
	);

	it('scans the files of an item, whatever else its fields are', async () => {
		const items = [{ json: inJson, binary }];
		const run = await bench.run('scanFile', { inputDataFieldName: '*' }, { items });
		expect(run.outputs[0]).toHaveLength(2);
		expect(uploaded()).toStrictEqual(['one', 'two']);
	});

	it.each([{ _files: {} }, { _files: { a: 1 } }, { _files: 'a' }])(
		'takes %j for no file',
		async (json) => {
			const run = await bench.run('scanFile', { inputDataFieldName: '*' }, { items: [{ json }] });
			expect(run.outputs[0][0].json.note).toBe('The item has no file, so nothing was scanned.');
		},
	);
});

it('a file of an earlier node is scanned in every workflow', async () => {
	const run = await bench.run(
		'scanFile',
		{ inputDataFieldName: "={{ $('Input of the test').item.binary.second }}" },
		{ items: [{ json: {}, binary }] },
	);
	expect(run.error).toBeUndefined();
	expect(uploaded()).toStrictEqual(['two']);
});

it('a file that n8n keeps in memory does not come by an expression', async () => {
	const run = await bench.run(
		'scanFile',
		{ inputDataFieldName: '={{ $binary.second }}' },
		{ items: [{ json: {}, binary }], binaryData: 'memory' },
	);
	expect(run.error?.message).toContain("'Input Data Field Name' has come without its content");
	expect(run.error?.description).toContain("Enter the name of the item's binary field");
	expect(bench.calls()).toStrictEqual([]);
});
