import { BegunWindows } from '../../../../nodes/ContentScan/trigger/begunWindows';
import { WindowPages } from '../../../../nodes/ContentScan/trigger/windowPages';

function begunPages(bytes = 10): WindowPages {
	const pages = new WindowPages(0);
	pages.take({ records: [{ id: 1 }], bytes, more: true, nextQuery: 'page=2' });
	return pages;
}

it('keeps pages until a poll asks for them', () => {
	const begun = new BegunWindows();
	const pages = begunPages();
	begun.keep('a second', pages);
	for (let polls = 0; polls < 20; polls++) begun.nextPoll();
	expect(begun.holdsPages).toBe(true);
	expect(begun.take('a second')).toBe(pages);
	expect(begun.holdsPages).toBe(false);
});

it('pages that no poll asks for any more cost no memory, and no calls, for ever', () => {
	const begun = new BegunWindows();
	begun.keep('a second', begunPages());
	for (let polls = 0; polls < 21; polls++) begun.nextPoll();
	expect(begun.holdsPages).toBe(false);
	expect(begun.take('a second')).toBeUndefined();
});

it.each([
	[10, 4],
	[30 * 2 ** 20, 2],
	[90 * 2 ** 20, 1],
])('pages of %d bytes each are kept of %d windows, the latest', (bytes, count) => {
	const begun = new BegunWindows();
	const names = [...'abcdef'];
	for (const name of names) begun.keep(name, begunPages(bytes));
	expect(names.filter((name) => begun.take(name))).toEqual(names.slice(-count));
});
