import { jsonOf, ScanBench } from '../support/contentScanRun.cts';

// A busy machine is no reason to fail.
jest.setTimeout(30_000);

let bench: ScanBench;

beforeEach(async () => (bench = await ScanBench.open()));

afterEach(async () => await bench.close());

describe('Get and Get Many', () => {
	it('list and read scans, simplified or as sent', async () => {
		const list = await bench.run('getAll', { limit: 3 });
		const keys = [
			'scanId',
			'status',
			'verdict',
			'verdictCode',
			'clean',
			'createdAt',
			'finishedAt',
			'names',
		];
		expect(Object.keys(jsonOf(list)[0])).toStrictEqual([...keys, 'sha256', 'from']);
		const [first] = jsonOf(list) as Array<{ scanId: string }>;

		const one = await bench.run('get', {
			scanId: { __rl: true, mode: 'list', value: first.scanId },
		});
		expect(jsonOf(one)).toStrictEqual([first]);
		const raw = await bench.run('get', { scanId: first.scanId, simplify: false });
		expect(jsonOf(raw)).toMatchObject([{ scan: bench.sandbox.scans('us')[0].record }]);
	});

	it('take an id as plain text, as a number, and from an expression', async () => {
		bench.sandbox.configure({ scanning: { getScanBy: 'anyId' } });
		const scan = bench.sandbox.scans('us')[0];
		for (const scanId of [
			String(scan.submittedId),
			scan.submittedId,
			'={{ $json.scan_id }}',
			{ __rl: true, mode: 'id', value: '={{ $json.scan_id }}' },
			{ __rl: true, mode: 'id', value: scan.submittedId },
		]) {
			const run = await bench.run('get', { scanId }, { items: [{ scan_id: scan.submittedId }] });
			expect(jsonOf(run)).toMatchObject([{ scanId: scan.record.full_scan_id }]);
		}
	});

	it('follow the pages to the end', async () => {
		bench.sandbox.configure({ scanning: { maxListLimit: 2 } });
		const run = await bench.run('getAll', { returnAll: true, simplify: false });
		const listed = jsonOf(run).map((json) => (json as { scan: { id: number } }).scan.id);
		expect(new Set(listed).size).toBe(listed.length);
		expect(listed.length).toBeGreaterThan(20);
	});

	it('send the filters as the service takes them', async () => {
		const [first] = bench.sandbox.scans('us');
		const filters = {
			start: first.record.created_at,
			end: first.record.created_at,
			origin: 'email',
			verdict: 'malicious',
			organizationId: first.record.organization_id,
			handleStatus: 'open',
			subject: 'parcel',
			originalMessageId: (first.record.sample as { original_message_id: string })
				.original_message_id,
		};
		const run = await bench.run('getAll', { returnAll: true, filters });
		expect(run.error).toBeUndefined();
		expect(jsonOf(run)).toMatchObject([{ scanId: first.record.full_scan_id }]);
	});
});
