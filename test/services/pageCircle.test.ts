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
