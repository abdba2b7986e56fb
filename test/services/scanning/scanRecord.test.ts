import { expectCost } from '../../support/expectCost.cts';
import {
	isFinished,
	matchStrength,
	ownIds,
	recordIds,
	recordVerdict,
	representative,
	simplifyFound,
	simplifyScan,
	unknownScan,
} from '../../../services/scanning/scanRecord';

const record = {
	id: 5001,
	full_scan_id: '001E94824_1_5d1c_20230607',
	root_scan_id: 'ROOT_1',
	created_at: '2026-11-01T08:00:00Z',
	finished_at: '2026-11-01T08:00:09Z',
	verbose_verdict: 'MAL',
	names: ['invoice.pdf'],
	sample: { sha256: 'ab12', from_address: 'mallory@example.com', file_size: 9 },
	evidence: null,
};

describe('a simplified scan', () => {
	it('holds id, state, verdict in words and code, times, names, sha256 and sender', () => {
		expect(simplifyScan(record)).toStrictEqual({
			scanId: '001E94824_1_5d1c_20230607',
			status: 'finished',
			verdict: 'malicious',
			verdictCode: 'MAL',
			clean: false,
			createdAt: '2026-11-01T08:00:00Z',
			finishedAt: '2026-11-01T08:00:09Z',
			names: ['invoice.pdf'],
			sha256: 'ab12',
			from: 'mallory@example.com',
		});
	});

	it('has every key, with null for what the record lacks', () => {
		const simple = simplifyScan({ sample: null });
		expect(Object.keys(simple)).toStrictEqual(Object.keys(simplifyScan(record)));
		expect(simple).toMatchObject({ scanId: null, status: 'pending', verdict: null, sha256: null });
	});

	it('passes a verdict that is not known through', () => {
		const simple = simplifyScan({ ...record, verbose_verdict: 'NEW' });
		expect(simple).toMatchObject({ verdict: 'NEW', verdictCode: 'NEW' });
	});

	it.each([
		['CLN', true, true],
		['MAL', true, false],
		['NEW', true, false],
		[' CLN ', true, true],
		['cln', true, false],
		['clean', true, false],
		[null, true, null],
		['', true, null],
		['CLN', false, null],
		['MAL', false, null],
	])('with verdict %j, finished %j is clean: %j', (code, finished, clean) => {
		const finishedAt = finished ? record.finished_at : null;
		const one = { ...record, verbose_verdict: code, finished_at: finishedAt };
		expect(simplifyScan(one).clean).toBe(clean);
		expect(simplifyFound('ROOT_1', one).clean).toBeNull();
	});

	it('keeps the ID that it was found for, unless it has a long one', () => {
		expect(simplifyFound('7', { id: 7, full_scan_id: null })).toMatchObject({ scanId: '7' });
		expect(simplifyFound('5001', record)).toMatchObject({ scanId: record.full_scan_id });
		expect(simplifyFound('ROOT_1', record)).toMatchObject({ scanId: 'ROOT_1' });
	});

	it('has no verdict before it has finished', () => {
		const running = { ...record, verbose_verdict: 'CLN', finished_at: null };
		expect(simplifyScan(running)).toMatchObject({ status: 'pending', verdict: null, clean: null });
	});

	it('of which only the ID is known has the same keys', () => {
		expect(Object.keys(unknownScan('7', 'submitted'))).toStrictEqual(
			Object.keys(simplifyScan(record)),
		);
	});

	it('names the short id where there is no long one', () => {
		expect(simplifyScan({ id: 7, full_scan_id: null })).toMatchObject({ scanId: '7' });
	});
});

describe('a record', () => {
	it.each([
		['2026-11-01T08:00:09Z', true],
		[1761984009, true],
		[1761984009.25, true],
		['', false],
		[' ', false],
		[0, false],
		['0', false],
		[null, false],
		[undefined, false],
	])('with finished_at %p is finished: %p', (finishedAt, finished) => {
		expect(isFinished({ finished_at: finishedAt as never })).toBe(finished);
	});

	it('is matched by any of its three ids, compared as text', () => {
		expect(matchStrength(record, '5001')).toBe('own');
		expect(matchStrength(record, '001E94824_1_5d1c_20230607')).toBe('own');
		expect(matchStrength(record, 'ROOT_1')).toBe('root');
		expect(matchStrength(record, '500')).toBe('none');
		expect([...recordIds(record)]).toStrictEqual(['5001', '001E94824_1_5d1c_20230607', 'ROOT_1']);
	});

	it('without a verdict has none', () => {
		expect(recordVerdict({ verbose_verdict: null })).toBeUndefined();
	});
});

describe('the representative of a scan', () => {
	it('is found in a moment, also among very many parts', async () => {
		const verdicts = ['SPM', 'MAL', 'SUS', 'BLK'];
		const parts = Array.from({ length: 100_000 }, (_, index) => ({
			root_scan_id: '7',
			finished_at: `2026-01-31T00:00:${String(index % 60).padStart(2, '0')}Z`,
			verbose_verdict: verdicts[index % 4],
		}));
		await expectCost(3, () => expect(representative(parts, '7')?.verbose_verdict).toBe('MAL'));
	});

	const part = (id: number, code: string, finished = true) => ({
		id,
		root_scan_id: 77,
		verbose_verdict: code,
		finished_at: finished ? '2026-11-01T08:00:09Z' : null,
	});

	it('is its own record before its parts', () => {
		const own = { id: 77, verbose_verdict: 'CLN', finished_at: '2026-11-01T08:00:09Z' };
		expect(representative([part(1, 'MAL'), own], '77')).toBe(own);
	});

	it('is an unfinished part as long as there is one', () => {
		expect(representative([part(1, 'MAL'), part(2, 'CLN', false)], '77')).toMatchObject({ id: 2 });
	});

	it('is the worst of its finished parts', () => {
		const parts = [part(1, 'CLN'), part(2, 'NEW'), part(3, 'MAL'), part(4, 'SPM')];
		expect(representative(parts, '77')).toMatchObject({ id: 3 });
	});

	it.each(['NEW', null])('is a part of unknown verdict (%p) before a clean one', (code) => {
		const parts = [part(1, 'CLN'), { ...part(2, ''), verbose_verdict: code }, part(3, 'CLN')];
		expect(representative(parts, '77')).toMatchObject({ id: 2 });
	});

	it('is none of the scans of others', () => {
		expect(representative([part(1, 'MAL')], '78')).toBeUndefined();
	});
});

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

	it.each([0, -1, '00000000-0000-0000-0000-000000000000'])(
		'a part that has %p in the place of its ID, and names its root',
		(id) => {
			const part = { ...clean, id, full_scan_id: null, root_scan_id: 'ROOT_1' };
			expect(simplifyScan(part)).toMatchObject({ scanId: 'ROOT_1', verdict: null, clean: null });
		},
	);

	it('a part that names only its root', () => {
		const part = { ...clean, id: null, root_scan_id: 'ROOT_1' };
		expect(simplifyScan(part)).toMatchObject({ scanId: 'ROOT_1', verdict: null, clean: null });
		const placeholder = { ...part, root_scan_id: 'ROOT' };
		expect(simplifyScan(placeholder)).toMatchObject({ scanId: null, verdict: null, clean: null });
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
		],
		{ success: 'no', error_message: 'stopped' },
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

	it.each([
		{ error: null, errors: [], success: true },
		{ error_code: 0, error_message: 'OK' },
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

it('0 stands for no long ID, and for no root', () => {
	const zero = { ...record, id: 5, full_scan_id: 0, root_scan_id: 0 };
	expect(simplifyFound('5', zero).scanId).toBe('5');
	expect([...recordIds(zero)]).toStrictEqual(['5']);
});

it('a status of thousands of fields is looked at once, though hundreds of items wait for its scan', async () => {
	const status = Object.fromEntries(Array.from({ length: 90_000 }, (_, field) => [`f${field}`, 1]));
	await expectCost(3, () => {
		const record = { id: 7, finished_at: '2026-11-01T08:00:09Z', verbose_verdict: 'CLN', status };
		for (let item = 0; item < 300; item++) expect(isFinished(record)).toBe(false);
	});
});

it('when a scan finished is worked out once, and a date in words of over 64 characters is none', () => {
	let reads = 0;
	const slow = {
		verbose_verdict: 'MAL',
		get finished_at() {
			reads++;
			return '27 Nov 2026 10:00:00 utc';
		},
	};
	for (let time = 0; time < 5; time++) expect(isFinished(slow)).toBe(true);
	expect(reads).toBe(1);
	expect(isFinished({ finished_at: '27 Nov 2026'.padEnd(62) + 'utc' })).toBe(false);
});

it('what is longer than any ID is none', () => {
	expect(ownIds({ id: 7, full_scan_id: '9'.repeat(5_000_000) })).toEqual(['7']);
});
