import { sampleUrls } from '../../sandbox/fixtures/samples.cts';
import { ScanBench, zeros } from '../support/contentScanRun.cts';
import type { ScanRunOptions } from '../support/contentScanRun.cts';

/** Input that must be refused before anything is sent, with the item and the field named. */

// A busy machine is no reason to fail.
jest.setTimeout(30_000);

let bench: ScanBench;

beforeAll(async () => (bench = await ScanBench.open()));

beforeEach(() => bench.sandbox.reset());

afterAll(async () => await bench.close());

const file = (content: string | ReturnType<typeof zeros>) => ({
	json: {},
	binary: { data: { content, fileName: 'a.bin' } },
});

type Refused = [string, string, Record<string, unknown>, string, ScanRunOptions?];

const url = { url: sampleUrls.clean };

const change = { scanId: '1', verdict: 'clean', reason: 'x' };

const refused: Refused[] = [
	['an empty URL', 'scanUrl', { url: '={{ "" }}' }, "'URL' is empty"],
	['a missing binary field', 'scanFile', {}, "no binary field 'data'"],
	[
		'a missing binary property',
		'scanFile',
		{ inputDataFieldName: 'other' },
		"no binary field 'other'",
		{ items: [file('x')] },
	],
	['an empty file', 'scanFile', {}, "'data' is empty", { items: [file('')] }],
	[
		'an empty file in memory',
		'scanFile',
		{},
		"'data' is empty",
		{ items: [file('')], binaryData: 'memory' },
	],
	['an empty link', 'scanFile', { fileSource: 'link', downloadLink: '={{ " " }}' }, 'is empty'],
	['an empty id', 'get', { scanId: '={{ "" }}' }, "'Scan' ID is empty"],
	['a blank id', 'get', { scanId: '  ' }, "'Scan' ID is empty"],
	['the id .', 'get', { scanId: '.' }, 'cannot be used in a URL'],
	['the id ..', 'get', { scanId: '..' }, 'cannot be used in a URL'],
	['an id that is a path', 'get', { scanId: '../../quarantine/release/1' }, 'cannot be used'],
	['the id null', 'get', { scanId: '={{ null }}' }, "'Scan' ID is missing"],
	[
		'the id .. of a release',
		'release',
		{ resource: 'email', scanId: '..' },
		'cannot be used in a URL',
	],
	['a resource that does not exist', 'scanUrl', { ...url, resource: 'url' }, "resource 'url' does"],
	['an unknown verdict', 'changeVerdict', { ...change, verdict: '={{ "bad" }}' }, '"bad" is not'],
	[
		'an unknown expected verdict',
		'requestInvestigation',
		{ scanId: '1', expectedVerdict: '={{ "bad" }}' },
		"'Expected Verdict'",
	],
	['the limit 0', 'getAll', { limit: 0 }, "'Limit' must be a whole number"],
	['a negative limit', 'getAll', { limit: -5 }, "'Limit' must be a whole number"],
	['a fractional limit', 'getAll', { limit: 1.5 }, "'Limit' must be a whole number"],
	['a start that is no date', 'getAll', { filters: { start: 'soon' } }, "'Created After' is not"],
	['an empty token', 'scanUrl', url, "'API Token'", { credential: { apiToken: ' ' } }],
	['an empty address', 'scanUrl', url, "'Base URL'", { credential: { baseUrl: '' } }],
	[
		'http to another host',
		'scanUrl',
		url,
		'\'Base URL\' of the credential begins with "http://"',
		{ credential: { baseUrl: 'http://scan.example.com' } },
	],
	[
		'an address with a path',
		'scanUrl',
		url,
		"'Base URL' of the credential contains the path",
		{ credential: { baseUrl: 'https://scan.example.com/other' } },
	],
	[
		'an address with a password',
		'scanUrl',
		url,
		"'Base URL' of the credential contains a user name",
		{ credential: { baseUrl: 'https://u:p@scan.example.com' } },
	],
	['0 calls a minute', 'scanUrl', url, "'Calls per Minute'", { credential: { callsPerMinute: 0 } }],
	[
		'a path that leaves the interface',
		'scanUrl',
		url,
		"The path 'Scan URL' (scanUrl) of the credential",
		{ credential: { operationPaths: { values: { scanUrl: '../../admin' } } } },
	],
	[
		'a template that is no JSON',
		'changeVerdict',
		change,
		'(changeVerdictBody) of the credential is not valid JSON',
		{
			credential: {
				operationPaths: {
					values: {
						changeVerdict: 'x/{scanId}',
						changeVerdictMethod: 'PUT',
						changeVerdictBody: '{"a": "{verdict}"',
					},
				},
			},
		},
	],
];

describe('the node refuses', () => {
	it.each(refused.map((row) => ({ what: row[0], row })))('$what', async ({ row }) => {
		const [, operation, parameters, message, options] = row;
		const run = await bench.run(operation, parameters, options);
		expect(run.error?.message).toContain(message);
		expect(run.error?.name).toBe('NodeOperationError');
		// What is wrong with the credential belongs to no item.
		if (!/^The '.*' of the credential|^'Calls per Minute'/.test(run.error!.message))
			expect(run.error?.itemIndex).toBe(0);
		expect(run.error?.description).toBeTruthy();
		expect(bench.calls()).toStrictEqual([]);
	});

	it('a file over 500 MB before the upload', async () => {
		const run = await bench.run('scanFile', {}, { items: [file(zeros(500 * 1024 * 1024 + 1))] });
		expect(run.error).toMatchObject({
			message: expect.stringContaining("'data' is larger than 500 MB (524288001 bytes)"),
			itemIndex: 0,
		});
		expect(bench.calls()).toStrictEqual([]);
	}, 60_000);
});

describe('the node takes', () => {
	it.each(['a b', 'ünïcode', '...', 'x?y#z'])(
		'the id %s as one encoded segment',
		async (scanId) => {
			const run = await bench.run('get', { scanId });
			expect(run.error).toMatchObject({ httpCode: '404' });
			const segment = encodeURIComponent(scanId);
			expect(bench.calls()[0]).toBe(`GET /api/v1/scans/list/${segment}/ 404`);
		},
	);

	it('a token with spaces around it', async () => {
		const apiToken = ` ${String(bench.credential.apiToken)}\n`;
		const run = await bench.run('scanUrl', url, { credential: { apiToken } });
		expect(run.error).toBeUndefined();
	});

	it.each(['/', '/api/v1', '/api/v1/'])('a base URL that ends with %s', async (end) => {
		const baseUrl = `${String(bench.credential.baseUrl)}${end}`;
		expect((await bench.run('scanUrl', url, { credential: { baseUrl } })).error).toBeUndefined();
	});

	it('a huge limit', async () => {
		const run = await bench.run('getAll', { limit: 1_000_000_000 });
		expect(run.error).toBeUndefined();
		expect(run.outputs[0]?.length).toBeGreaterThan(20);
	});
});

it('an expression in an option that fails for the first item fails no other item', async () => {
	const userAgentString = '={{ $itemIndex === 0 ? "abc".toDateTime() : "x" }}';
	const run = await bench.run(
		'scanUrl',
		{ ...url, waitForVerdict: false, options: { userAgentString } },
		{ items: [{ json: {} }, { json: {} }], onError: 'continueRegularOutput' },
	);
	expect(run.outputs[0]?.map(({ json }) => json)).toMatchObject([
		{ error: expect.stringContaining('[item 0]') },
		{ status: 'submitted' },
	]);
	expect(bench.calls()).toHaveLength(1);
});
