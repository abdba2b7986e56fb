import { PageSize } from '../../../../nodes/ConsoleAuditLog/reading/pageSize';

describe('the page size', () => {
	test('begins with 100 and grows to 1,000 and 5,000', () => {
		const size = new PageSize(undefined, undefined, 10_000);
		expect(size.current).toBe(100);
		expect(size.grow(100)).toBe(1000);
		expect(size.grow(1000)).toBe(5000);
		expect(size.grow(5000)).toBeUndefined();
	});

	test('is kept when the user set it', () => {
		const size = new PageSize(250, { size: 5000 }, 1000);
		expect(size.current).toBe(250);
		expect(size.grow(250)).toBeUndefined();
		expect(size.refuse(250, false)).toBe(false);
		expect(size.toRemember).toBeUndefined();
	});

	test('falls back at once when it is refused, and that is remembered', () => {
		const size = new PageSize(undefined, { size: 1000 }, 10_000);
		size.grow(1000);
		expect(size.refuse(5000, false)).toBe(true);
		expect(size.current).toBe(1000);
		size.answered();
		expect(size.toRemember).toEqual({ size: 1000, refused: 5000 });
		expect(size.grow(1000)).toBeUndefined();
		expect(new PageSize(undefined, size.toRemember, 10_000).grow(1000)).toBeUndefined();
	});

	test('counts as learned only once a page of it was answered', () => {
		const size = new PageSize(undefined, { size: 100 }, 10_000);
		size.grow(100);
		expect(size.isTried(1000)).toBe(true);
		expect(size.toRemember).toEqual({ size: 100 });
		size.answered();
		expect(size.isTried(1000)).toBe(false);
		expect(size.toRemember).toEqual({ size: 1000 });
	});

	test('becomes what the service delivers at most', () => {
		const size = new PageSize(undefined, { size: 1000 }, 10_000);
		size.capped(400, 1000);
		expect(size.toRemember).toEqual({ size: 400, refused: 1000 });
		expect(size.current).toBe(400);
		expect(size.grow(400)).toBeUndefined();
	});

	test('does not grow beyond what is wanted at all', () => {
		const size = new PageSize(undefined, undefined, 50);
		expect(size.current).toBe(50);
		expect(size.grow(50)).toBeUndefined();
		expect(new PageSize(undefined, undefined, 2000).grow(100, 900)).toBeUndefined();
		expect(new PageSize(undefined, { size: 5000 }, 300).current).toBe(300);
	});

	test('goes below 100 only for an answer that is too long to read', () => {
		const size = new PageSize(undefined, undefined, 10_000);
		expect(size.refuse(100, false)).toBe(false);
		expect(size.refuse(100, true)).toBe(true);
		expect(size.current).toBe(10);
		expect(size.refuse(10, true)).toBe(true);
		expect(size.current).toBe(1);
		expect(size.refuse(1, true)).toBe(false);
	});
});
