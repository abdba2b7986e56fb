import { PageCircle } from '../../services/pageCircle';

/** How many pages are read until the circle is noticed; none of them more than once. */
function pagesRead(page: (number: number) => [next: string, items: unknown[]]): number {
	const circle = new PageCircle();
	for (let number = 0; number < 1000; number++)
		if (circle.leadsBack(...page(number))) return number;
	return Infinity;
}

it('notices an address that was followed', () => {
	expect(pagesRead((number) => [`t${number % 3}`, [number]])).toBe(3);
});

it('notices the same content again and again behind new addresses', () => {
	expect(pagesRead((number) => [`t${number}`, [{ id: number % 2 }]])).toBe(20);
});

it('lets pages pass that differ, are empty, or are equal by chance', () => {
	expect(pagesRead((number) => [`t${number}`, [{ id: number }]])).toBe(Infinity);
	expect(pagesRead((number) => [`t${number}`, []])).toBe(Infinity);
	expect(pagesRead((number) => [`t${number}`, [{ id: number < 9 ? 0 : number }]])).toBe(Infinity);
});

it('keeps little of long addresses', () => {
	const circle = new PageCircle();
	for (let number = 0; number < 50; number++) {
		circle.leadsBack(`${number}`.padEnd(1024 * 1024, 'x'), []);
	}
	expect(
		JSON.stringify(circle, (_, kept: unknown) => (kept instanceof Set ? [...kept] : kept)).length,
	).toBeLessThan(10_000);
	expect(circle.leadsBack('7'.padEnd(1024 * 1024, 'x'), [])).toBe(true);
});
