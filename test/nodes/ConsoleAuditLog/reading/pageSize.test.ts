import { PageSize } from '../../../../nodes/ConsoleAuditLog/reading/pageSize';
import type { LearnedPageSize } from '../../../../nodes/ConsoleAuditLog/reading/pageSize';

const NOW = Date.UTC(2026, 2, 1);
const HOUR = 3_600_000;

const pageSize = (chosen?: number, learned?: LearnedPageSize, most = 10_000, now = NOW) =>
	new PageSize(chosen, learned, most, now);

describe('the page size', () => {
	test('begins with 100 and grows to 1,000 and 5,000', () => {
		const size = pageSize();
		expect(size.current).toBe(100);
		expect(size.grow(100)).toBe(1000);
		expect(size.grow(1000)).toBe(5000);
		expect(size.grow(5000)).toBeUndefined();
	});

	test('is at most what the user set', () => {
		const size = pageSize(250, { size: 5000 });
		expect(size.current).toBe(250);
		expect(size.grow(250)).toBeUndefined();
		expect(size.shrink(250)).toBe(25);
		expect(size.grow(25)).toBe(100);
		expect(size.grow(100)).toBeUndefined();
		expect(pageSize(250).current).toBe(250);
	});

	test('is a tenth after a failure, down to one entry, and then what it was', () => {
		const size = pageSize(undefined, { size: 5000 });
		expect(size.shrink(5000)).toBe(500);
		expect(size.shrink(500)).toBe(50);
		expect(size.shrink(50)).toBe(5);
		expect(size.shrink(5)).toBe(1);
		expect(size.shrink(1)).toBeUndefined();
		expect(size.current).toBe(5000);
		expect(size.proven).toEqual({ size: 5000 });
	});

	test('is stored once a page of it was answered; the next poll of the process knows it before', () => {
		const size = pageSize(undefined, { size: 5000 });
		size.shrink(5000);
		expect(size.proven).toEqual({ size: 5000 });
		expect(pageSize(undefined, size.toBeginWith).current).toBe(500);
		size.answered(size.current);
		expect(size.proven).toEqual({ size: 500, failed: 5000, failedAt: NOW });
	});

	test('is not what was only tried: the next poll begins with what was answered', () => {
		const size = pageSize();
		size.answered(100);
		size.grow(100);
		size.answered(100);
		expect(size.current).toBe(1000);
		expect([size.proven, size.toBeginWith]).toEqual([{ size: 100 }, { size: 100 }]);
		size.answered(1000);
		expect([size.proven, size.toBeginWith]).toEqual([{ size: 1000 }, { size: 1000 }]);
	});

	test('grows again below the size that failed, and as far after an hour', () => {
		const learned = { size: 500, failed: 5000, failedAt: NOW };
		expect(pageSize(undefined, learned, 10_000, NOW + HOUR - 1).grow(500)).toBe(1000);
		expect(pageSize(undefined, learned, 10_000, NOW + HOUR - 1).grow(1000)).toBeUndefined();
		expect(pageSize(undefined, learned, 10_000, NOW + HOUR).grow(1000)).toBe(5000);
	});

	test('does not grow beyond what is still wanted', () => {
		expect(pageSize(undefined, undefined, 2000).grow(100, 900)).toBeUndefined();
	});

	test('does not follow from how few are wanted at all, unless the user set it to more than 5,000', () => {
		expect(pageSize(undefined, { size: 5000 }, 10).current).toBe(5000);
		expect(pageSize(undefined, undefined, 10).grow(1000)).toBe(5000);
		expect(pageSize(20_000, undefined, 10).current).toBe(5000);
		expect(pageSize(20_000, undefined, 7000).current).toBe(7000);
	});

	test('is the first again where all is read, but not what is avoided', () => {
		const caughtUp = (learned: LearnedPageSize, now = NOW) => {
			const size = pageSize(undefined, learned, 10_000, now);
			size.caughtUp();
			expect(size.toBeginWith).toEqual(size.proven);
			return size.proven;
		};
		expect(caughtUp({ size: 5000 })).toEqual({ size: 100 });
		const failed = { failed: 5000, failedAt: NOW };
		expect(caughtUp({ size: 1000, ...failed })).toEqual({ size: 100, ...failed });
		expect(caughtUp({ size: 1000, ...failed }, NOW + HOUR)).toEqual({ size: 100 });
		expect(caughtUp({ size: 10 })).toEqual({ size: 10 });
		const chosen = pageSize(1000);
		chosen.caughtUp();
		expect(pageSize(1000, chosen.proven, 10_000, NOW + 2 * HOUR).current).toBe(100);
	});

	test('grows back soon from a size below the first', () => {
		const learned = { size: 1, failed: 10, failedAt: NOW };
		expect(pageSize(undefined, learned).grow(1)).toBeUndefined();
		const later = pageSize(undefined, learned, 10_000, NOW + 60_000);
		expect(later.grow(1)).toBe(10);
		expect(later.grow(10)).toBe(100);
	});

	test('is the first again an hour after an outage led below it, also where no page makes it grow', () => {
		const learned = { size: 10, failed: 100, failedAt: NOW };
		expect(pageSize(undefined, learned, 10_000, NOW + HOUR - 1).current).toBe(10);
		const later = pageSize(undefined, learned, 10_000, NOW + HOUR);
		expect(later.current).toBe(100);
		expect(later.shrink(100)).toBe(10);
	});
});
