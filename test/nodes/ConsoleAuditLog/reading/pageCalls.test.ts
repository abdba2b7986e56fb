import { isoTime } from '../../../../services/console/auditLogEntry';
import type { AuditLogPage } from '../../../../services/console/auditLogPage';
import type { PageFindings } from '../../../../nodes/ConsoleAuditLog/reading/pageCalls';
import { PageCalls } from '../../../../nodes/ConsoleAuditLog/reading/pageCalls';
import { PageSize } from '../../../../nodes/ConsoleAuditLog/reading/pageSize';

const SINCE = '2026-03-01T00:00:00.000Z';
const LATER = Date.UTC(2026, 2, 1, 1);

function begin(chosen?: number) {
	const size = new PageSize(chosen, undefined, 10_000, LATER);
	const calls = new PageCalls({ since: SINCE, limit: size.current }, size, SINCE);
	const took = (count: number, nextPageToken?: string, findings: Partial<PageFindings> = {}) => {
		const page: AuditLogPage = { items: Array.from({ length: count }, () => ({})), nextPageToken };
		calls.took(page, {
			position: LATER,
			foundNew: true,
			foundUnread: true,
			newlyObserved: 0,
			room: 10_000,
			askedAt: LATER,
			newest: LATER - 2000,
			...findings,
		});
	};
	return { calls, took, size };
}

describe('which call comes next', () => {
	test('a call with a token repeats the limit and the since', () => {
		const { calls, took } = begin();
		took(40, 'a');
		expect(calls.next).toEqual({ since: SINCE, limit: 100, pageToken: 'a' });
		took(40, 'b');
		expect(calls.next).toEqual({ since: SINCE, limit: 100, pageToken: 'b' });
	});

	test('both ends of a log end the reading', () => {
		const withoutToken = begin();
		withoutToken.took(40);
		expect(withoutToken.calls.reachedEnd).toBe(true);
		const withToken = begin();
		withToken.took(40, 'a');
		expect(withToken.calls.reachedEnd).toBe(false);
		withToken.took(0, 'a');
		expect(withToken.calls.reachedEnd).toBe(true);
		expect(withToken.calls.next).toBeUndefined();
	});

	test('full pages grow only without a token, and a first page is read once more: what follows it may be dated before its end', () => {
		const { calls, took } = begin();
		took(100, 'a');
		expect(calls.next).toEqual({ since: SINCE, limit: 1000 });
		took(1000, 'b');
		expect(calls.next).toEqual({ since: SINCE, limit: 5000 });
		took(5000, 'c');
		expect(calls.next).toMatchObject({ limit: 5000, pageToken: 'c' });
	});

	describe('behind a larger page that ended the log', () => {
		function behindPageOf(count: number) {
			const { calls, took, size } = begin();
			took(100, 'a');
			took(count);
			expect(calls.next).toEqual({ since: isoTime(LATER), limit: 100 });
			return { calls, took, size };
		}

		test.each([0, 1, 99])('%i entries are what came meanwhile', (count) => {
			const { calls, took } = behindPageOf(600);
			took(count);
			expect(calls.reachedEnd).toBe(true);
		});

		const cameMeanwhile = { newest: LATER };

		test('a full page of what came meanwhile ends the reading, and is no reason for small ones', () => {
			const { calls, took, size } = behindPageOf(600);
			took(100, 'b', cameMeanwhile);
			expect(calls.reachedEnd).toBe(true);
			expect(size.toBeginWith).not.toHaveProperty('failed');
		});

		test('a full page of what had been there shows that the console cuts', () => {
			const { calls, took, size } = behindPageOf(600);
			took(100, 'b');
			expect(calls.next).toMatchObject({ limit: 100, pageToken: 'b' });
			expect(size.proven).toMatchObject({ size: 100, failed: 1000 });
			took(100);
			expect(size.proven).toMatchObject({ size: 100, failed: 1000 });
		});

		test('known entries are passed; that there are many is told only if nothing new follows', () => {
			const { calls, took, size } = behindPageOf(600);
			for (const token of ['b', 'c']) {
				took(100, token, { foundNew: false, ...cameMeanwhile });
				expect(calls.next).toMatchObject({ limit: 100, pageToken: token });
				// Should the poll end here.
				expect(size.proven).toMatchObject({ size: 100, failed: 1000 });
			}
			took(30, undefined, { foundNew: false });
			expect(calls.reachedEnd).toBe(true);
			expect(size.toBeginWith).not.toHaveProperty('failed');
		});

		test.each([
			['before its last entry, if that is dated ahead of the console', LATER - 500, LATER - 500],
			[
				'from its beginning on, if the console was asked before that, as it says',
				0,
				Date.parse(SINCE),
			],
			['from its last entry on, if the console does not tell its time', undefined, LATER],
		])('it is looked %s', (_, toldAt, from) => {
			const { calls, took } = begin();
			took(100, 'a');
			took(600, undefined, { toldAt, askedAt: toldAt ?? 0, begunAt: Date.parse(SINCE) });
			expect(calls.next).toEqual({ since: isoTime(from), limit: 100 });
		});

		test.each([0, 20, 100])('pages that held %i are not asked for again', (count) => {
			const { calls, took, size } = behindPageOf(count);
			took(100, 'b', cameMeanwhile);
			expect(calls.next).toMatchObject({ limit: 100, pageToken: 'b' });
			expect(size.proven).toMatchObject({ size: 100, failed: 1000 });
		});
	});

	test('a page behind a token that fails again after a restart gets smaller, as far as it can', () => {
		const { calls, took } = begin();
		took(40, 'a');
		expect(calls.failed('tokenOrSize')).toBe(true);
		const known = { foundNew: false };
		for (const limit of [100, 10, 1]) {
			expect(calls.next).toEqual({ since: new Date(LATER).toISOString(), limit });
			took(1, `token of ${limit}`, known);
			expect(calls.failed('tokenOrSize')).toBe(limit > 1);
		}
		expect(calls.next).toBeUndefined();
	});

	test('without a position, or with a size that the user set, the size stays', () => {
		const withoutPosition = begin();
		withoutPosition.took(100, 'a', { position: undefined });
		expect(withoutPosition.calls.next).toMatchObject({ limit: 100, pageToken: 'a' });
		const chosen = begin(30);
		chosen.took(30, 'a');
		expect(chosen.calls.next).toMatchObject({ limit: 30, pageToken: 'a' });
	});

	test('an answer too long behind a token leads back with smaller pages, also below 100', () => {
		const { calls, took } = begin();
		took(40, 'a');
		expect(calls.failed('tooLong')).toBe(true);
		expect(calls.next).toEqual({ since: new Date(LATER).toISOString(), limit: 10 });
	});

	test('a refused token leads back to the position reached', () => {
		const { calls, took } = begin(30);
		took(30, 'a');
		expect(calls.failed('tokenOrSize')).toBe(true);
		expect(calls.next).toEqual({ since: new Date(LATER).toISOString(), limit: 30 });
	});

	test('what a token cannot have caused ends a call without one', () => {
		const { calls } = begin();
		expect(calls.failed('token')).toBe(false);
	});

	test.each(['tokenOrSize', 'refused'] as const)(
		'a larger size that fails leads on behind the token (%s)',
		(failure) => {
			const { calls, took } = begin();
			took(100, 'a');
			expect(calls.next?.limit).toBe(1000);
			expect(calls.toResume).toEqual({ since: SINCE, limit: 100, pageToken: 'a' });
			expect(calls.failed(failure)).toBe(true);
			expect(calls.next).toEqual({ since: SINCE, limit: 100, pageToken: 'a' });
		},
	);

	test('a first size that fails leads to smaller ones, down to one entry', () => {
		const size = new PageSize(undefined, { size: 1000 }, 10_000, LATER);
		const calls = new PageCalls({ since: SINCE, limit: 1000 }, size, SINCE);
		expect(calls.failed('tokenOrSize')).toBe(true);
		expect(calls.next).toEqual({ since: SINCE, limit: 100 });
		expect(calls.failed('tokenOrSize')).toBe(true);
		expect(calls.next).toEqual({ since: SINCE, limit: 10 });
		expect(calls.failed('tokenOrSize')).toBe(true);
		expect(calls.next).toEqual({ since: SINCE, limit: 1 });
		expect(calls.failed('tokenOrSize')).toBe(false);
	});

	test.each([
		['repeat themselves', (): string => 'same'],
		['lead to pages already read', (page: number): string => `token ${page}`],
	])('tokens that %s end after one more attempt', (_, token) => {
		const { calls, took } = begin(30);
		let pages = 0;
		while (calls.next && pages < 100) {
			took(30, token(pages++), { foundNew: pages === 1, foundUnread: pages === 1 });
		}
		expect(pages).toBeLessThan(6);
		expect(calls.wentInCircles).toBe(true);
		expect(calls.reachedEnd).toBe(false);
	});

	test('tokens that lead in a circle end also where `since` leads before the position reached', () => {
		const { calls, took } = begin(30);
		let pages = 0;
		while (calls.next && pages < 100) {
			const isSecond = calls.next.pageToken !== undefined;
			const position = isSecond ? LATER : LATER - 1000;
			took(30, 'same', { position, foundNew: pages < 2, foundUnread: true });
			pages++;
		}
		expect(pages).toBeLessThan(8);
		expect(calls.wentInCircles).toBe(true);
	});
});
