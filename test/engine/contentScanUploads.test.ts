import { createHash } from 'node:crypto';
import { ScanBench } from '../support/contentScanRun.cts';
import { openFilesOnce } from '../support/openFiles.cts';

/** Uploads that do not go through at the first attempt, or at all. */

// A busy machine is no reason to fail.
jest.setTimeout(60_000);

let bench: ScanBench;

// A sandbox for each test: the call queue remembers what it learned of an address.
beforeEach(async () => (bench = await ScanBench.open()));

afterEach(async () => await bench.close());

/** More than the sockets on the way can hold. */
const content = Buffer.alloc(24 * 1024 * 1024, 'content');

const upload = async (signal?: AbortSignal) =>
	await bench.run(
		'scanFile',
		{},
		{ items: [{ json: {}, binary: { data: { content, fileName: 'large.bin' } } }], signal },
	);

const submitted = () => bench.sandbox.scans('us').filter(({ record }) => record.origin === 'api');

async function expectOpenFiles(count: number): Promise<void> {
	expect(await openFilesOnce(count)).toBe(count);
}

it('an upload that is refused with 429 is sent again from its first byte', async () => {
	bench.sandbox.faults.add({ method: 'POST', status: 429, retryAfter: { seconds: 1 } });
	const run = await upload();
	expect(run.error).toBeUndefined();
	expect(bench.calls()).toStrictEqual(['POST /api/v1/files/ 429', 'POST /api/v1/files/ 200']);
	expect(submitted().map(({ record }) => record.sample)).toMatchObject([
		{ sha256: createHash('sha256').update(content).digest('hex'), file_size: content.length },
	]);
	await expectOpenFiles(0);
});

it('an upload whose connection is cut is not sent again, and leaves no half of a file', async () => {
	bench.sandbox.faults.add({ method: 'POST', cut: 'beforeAnswer' });
	const run = await upload();
	expect(run.error?.description).toContain('It is not certain whether the call was carried out');
	expect(bench.calls()).toHaveLength(1);
	expect(submitted()).toStrictEqual([]);
	await expectOpenFiles(0);
});

it('an upload under way ends with the execution, and leaves no half of a file', async () => {
	bench.sandbox.faults.add({ method: 'POST', hang: true });
	const stop = new AbortController();
	const running = upload(stop.signal);
	await bench.firstCall();
	await expectOpenFiles(1);
	stop.abort();
	expect((await running).executionStatus).toBe('canceled');
	expect(submitted()).toStrictEqual([]);
	await expectOpenFiles(0);
});
