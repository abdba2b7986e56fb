import { expectCost } from '../../support/expectCost.cts';
import {
	heldBackBy,
	isFinished,
	representative,
	simplifyFound,
	simplifyScan,
} from '../../../services/scanning/scanRecord';

describe('what must never pass for clean', () => {
	const clean = { id: 5, verbose_verdict: 'CLN', finished_at: '2026-01-31T12:00:00Z' };

	it.each([
		['0001-01-01T00:00:00Z'],
		['1970-01-01T00:00:00Z'],
		['None'],
		['null'],
		['-'],
		['pending'],
		[0],
		[''],
		[true],
		['2999-01-01T00:00:00Z'],
		[Date.now() + 25 * 3_600_000],
		['2026-01-31T12:00:00+99:99'],
		['2026-01-31T12:00:00-24:00'],
	])('a scan that finished at %j', (finished_at) => {
		expect(simplifyScan({ ...clean, finished_at })).toMatchObject({
			clean: null,
			status: 'pending',
		});
	});

	it.each([
		['cln', 'cln'],
		['Cln', 'Cln'],
		['clean', 'other (clean)'],
		['Clean', 'other (Clean)'],
	])('a verdict that is written %s', (verbose_verdict, verdict) => {
		const scan = simplifyScan({ ...clean, verbose_verdict });
		expect(scan).toMatchObject({ verdict, verdictCode: verbose_verdict, clean: false });
	});

	const unknown = { verdict: null, verdictCode: null, clean: null };

	it.each([0, -1, '00000000-0000-0000-0000-000000000000'])(
		'a part that has %p in the place of its ID, and names its root',
		(id) => {
			const part = { ...clean, id, full_scan_id: null, root_scan_id: 'ROOT_1' };
			expect(simplifyScan(part)).toMatchObject({ ...unknown, scanId: 'ROOT_1' });
		},
	);

	it('a part that Get finds in the place of the scan, unless it is harmful', () => {
		const part = { ...clean, id: 8, root_scan_id: 7 };
		expect(simplifyFound('7', part)).toMatchObject({ ...unknown, scanId: '7' });
		const harmful = { ...part, verbose_verdict: 'MAL' };
		const found = { verdict: 'malicious', verdictCode: 'MAL', clean: null };
		expect(simplifyFound('7', harmful)).toMatchObject(found);
	});

	it('a part that names only its root', () => {
		const part = { ...clean, id: null, root_scan_id: 'ROOT_1' };
		expect(simplifyScan(part)).toMatchObject({ ...unknown, scanId: 'ROOT_1' });
		const placeholder = { ...part, root_scan_id: 'ROOT' };
		expect(simplifyScan(placeholder)).toMatchObject({ ...unknown, scanId: null });
	});

	it.each([
		...['RUN', 'run ', 'Running', 'QUEUED', 'pending', 'FAILED', 'Error', 'in_progress'],
		...['still running', 'SCAN_RUNNING', 'RERUN', 're-run', 'rescan', 'retrying', 'ANALYZING'],
		...['executing', 'SCHEDULED', 'active', 'partial', 'paused', 'scan failed', 'was aborted'],
		...['crashed', 'killed', 'unknown', 'UNSCANNED', 'no verdict', ['RUN'], { code: 'RUN' }],
		...['NOT_SCANNED', 'NO_VERDICT', 'notReady', 'UNABLE_TO_SCAN', 'has_not_finished'],
		...[
			'PROCESSING',
			'IN_PROCESS',
			'InProcess',
			'PARTLY_SCANNED',
			'not finished',
			'Timed out',
			'cancelled',
			'WAITING',
			'STARTED',
		],
		...[
			'STOPPED',
			'skipped',
			'TERMINATED',
			'rejected',
			'LOST',
			'unsupported',
			'IN REVIEW',
			'on hold',
			'NEW',
			'created',
			'Submitted',
			'initializing',
			'working',
			'delayed',
			'expired',
			'invalid',
			'corrupt',
			'inconclusive',
			'INSPECTING',
			'loading_rules',
			'PRELIMINARY',
			'manual review',
			'50%',
			'SCAN_ERR',
			'UNANALYZED',
			'PASSWORD_PROTECTED',
			'TOO_LARGE',
			'step 1 of 3',
			'BUSY',
			'in-flight',
			'degraded',
			`done ${'x'.repeat(300)}`,
		],
	])('a scan with the status %p', (status) => {
		expect(simplifyScan({ ...clean, status }).clean).toBeNull();
	});

	it.each([
		'DONE',
		'ANALYZED',
		'Executed',
		'reviewed',
		'overridden',
		'real-time scan done',
		'PHISHING',
		'truncated',
		'ANALYSIS_COMPLETE',
		'ScanningDone',
		'PROCESS_COMPLETED',
		'The file scan has been successfully completed.',
	])('and a scan with the status %s has its verdict', (status) =>
		expect(simplifyScan({ ...clean, status }).clean).toBe(true),
	);

	it.each([
		{ success: false },
		{ error: 'engine timeout' },
		{ errors: [{ message: 'sandbox failed' }] },
		{ error_code: 42 },
		...[
			{ failed: true },
			{ has_errors: true },
			{ timed_out: true },
			{ ok: false },
			{ partial: true },
			{ incomplete: true },
			{ is_error: true },
		],
		{ success: 'no', error_message: 'stopped' },
		{ success: true, error_message: 'Sandbox crashed' },
		{ error_code: 0, error_message: 'Sandbox crashed' },
		{ error: 'Sandbox crashed; static analysis succeeded' },
		{ error: 'Success. Sandbox offline' },
		{ has_errors: 3 },
		{ error: 'The file is being scanned' },
	])('a scan whose record has %j is not clean, but may be harmful', (error) => {
		expect(simplifyScan({ ...clean, ...error })).toMatchObject({
			status: 'finished',
			verdict: null,
			clean: null,
		});
		const harmful = simplifyScan({ ...clean, verbose_verdict: 'MAL', ...error });
		expect(harmful).toMatchObject({ status: 'finished', clean: false });
		const other = simplifyScan({ ...clean, verbose_verdict: 'PHI', ...error });
		expect(other).toMatchObject({ status: 'finished', verdict: 'PHI', clean: false });
	});

	it('nor is it said of a running scan that an error holds back its verdict', () => {
		const scan = { ...clean, error: 'engine 2 is retrying' };
		expect(heldBackBy(scan)).toBe('error');
		expect(heldBackBy({ ...scan, finished_at: null })).toBeUndefined();
		expect(heldBackBy({ ...scan, verbose_verdict: null })).toBeUndefined();
	});

	it.each([
		{ error: null, errors: [], success: true },
		{ error_code: 0, error_message: 'OK' },
		{ error_code: 0, error_message: 'All engines have completed.' },
		{ error_code: 'SUCCESS', error_msg: 'The file was scanned' },
		{ error_code: '0000', error_message: 'Normal' },
		{ http_status: 404, status_code: 403, code: 450, exception: 'allow-listed sender' },
		{ error_count: 2, error_level: 'info', is_partial: true },
		{ error: 'None detected', errors: 'no issues' },
	])('and a scan whose record has %j has its verdict', (none) =>
		expect(simplifyScan({ ...clean, ...none }).clean).toBe(true),
	);

	it.each(['UNSAFE', 'RUN', 'ANALYSIS', 'PASSWORD_PROTECTED'])(
		'but the status %s holds back no harmful verdict',
		(status) => {
			const harmful = { ...clean, verbose_verdict: 'MAL', status };
			expect(simplifyScan(harmful)).toMatchObject({ status: 'finished', clean: false });
			expect(simplifyScan({ ...harmful, finished_at: null }).status).toBe('pending');
		},
	);

	it('takes no longer for a date or a status of megabytes', async () => {
		const texts = ['2026 1-1 ' + 'jan '.repeat(1_000_000), 'h'.repeat(4_000_000)];
		await expectCost(0.7, () => {
			for (const long of texts) {
				expect(isFinished({ finished_at: long })).toBe(false);
				expect(isFinished({ ...clean, status: long })).toBe(false);
			}
		});
	});

	it.each([
		[null],
		[''],
		['DONE'],
		['Finished'],
		['completed'],
		['processed'],
		['scanned'],
		['handled'],
		[3],
	])('while one with the status %p may', (status) => {
		expect(simplifyScan({ ...clean, status }).clean).toBe(true);
	});

	it.each([
		['pending since 2026-01-31 12:00'],
		['not before 2027'],
		['queued at position 2049'],
		['(none) 2026'],
		['3/4'],
		['Satisfied, 2026-01-31 12:00'],
		['Maybe 31 2026 12:00'],
		['> 2026-01-31 12:00'],
		['?? 2026-01-31'],
		['2026-01-31 12:00 ?'],
		[2026],
	])('a scan that names a date in words, or only a number: %j', (finished_at) => {
		expect(simplifyScan({ ...clean, finished_at })).toMatchObject({
			clean: null,
			status: 'pending',
		});
	});

	it.each([
		['2026-01-31T12:00:00.123456+00:00'],
		['2026-01-31 12:00:00'],
		['2026/01/31 12:00'],
		['31 Jan 2026 12:00 UTC'],
		['Sat, 31 Jan 2026 12:00:00 GMT'],
		['Sat Jan 31 12:00:00 2026'],
		['January 31, 2026, 12:00'],
		[1769860800],
		[Date.now() + 23 * 3_600_000],
	])('while a scan that finished at %j does', (finished_at) => {
		expect(simplifyScan({ ...clean, finished_at }).clean).toBe(true);
	});

	it('the cleaner of two records of one ID', () => {
		const bad = { ...clean, full_scan_id: '5_2', verbose_verdict: 'MAL' };
		expect(representative([clean, bad], '5')).toBe(bad);
		expect(representative([bad, clean, { id: 5 }], '5')).toEqual({ id: 5 });
	});

	it('the record of another scan', () => {
		expect(simplifyFound('123', { ...clean, id: 1234 })).toMatchObject({
			scanId: '123',
			clean: null,
		});
		expect(simplifyFound('A_1', { ...clean, full_scan_id: 'B_1' }).clean).toBeNull();
	});

	it.each([{ full_scan_id: 'A_1' }, {}])('a record without an ID to compare: %j', (ids) => {
		expect(simplifyFound('123', { ...clean, id: null, ...ids }).clean).toBeNull();
	});
});
