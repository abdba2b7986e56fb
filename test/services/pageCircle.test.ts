import { PageCircle } from '../../services/pageCircle';

const circleOfRecords = () => new PageCircle<object>((record) => 'id' in record);

/** How many pages are read until the circle is noticed; none of them more than once. */
function pagesRead(page: (number: number) => [next: string, items: object[]]): number {
	const circle = circleOfRecords();
	for (let number = 0; number < 1000; number++) {
		const [next, items] = page(number);
		if (circle.repeats(items, false) || circle.leadsBack(next)) return number;
	}
	return Infinity;
}

it('notices an address that was followed', () => {
	expect(pagesRead((number) => [`t${number % 3}`, [{ id: number }]])).toBe(3);
});

it('notices the same records behind new addresses, at once where they have an ID', () => {
	expect(pagesRead((number) => [`t${number}`, [{ id: number % 2 }]])).toBe(2);
	expect(pagesRead((number) => [`t${number}`, [{ what: number % 2 }]])).toBe(20);
});

it('takes the only page of a list for no repetition, and the last of several for one', () => {
	const circle = circleOfRecords();
	expect(circle.repeats([{ id: 1 }], true)).toBe(false);
	expect(circle.repeats([{ id: 1 }], false)).toBe(false);
	expect(circle.repeats([{ id: 1 }], true)).toBe(true);
});

it('lets pages pass that differ, are empty, or are equal by chance', () => {
	expect(pagesRead((number) => [`t${number}`, [{ id: number }]])).toBe(Infinity);
	expect(pagesRead((number) => [`t${number}`, []])).toBe(Infinity);
	expect(pagesRead((number) => [`t${number}`, [{ what: number < 9 ? 0 : number }]])).toBe(Infinity);
});

it('keeps little of long addresses', () => {
	const circle = circleOfRecords();
	for (let number = 0; number < 50; number++) {
		circle.leadsBack(`${number}`.padEnd(1024 * 1024, 'x'));
	}
	expect(
		JSON.stringify(circle, (_, kept: unknown) => (kept instanceof Set ? [...kept] : kept)).length,
	).toBeLessThan(10_000);
	expect(circle.leadsBack('7'.padEnd(1024 * 1024, 'x'))).toBe(true);
});
