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
