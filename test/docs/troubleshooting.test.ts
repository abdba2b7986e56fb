import { read, shownTexts } from './shownTexts.cts';

const page = read('docs/troubleshooting.md');

it.each(shownTexts())('docs/troubleshooting.md has a row for each text of $file', ({ pieces }) => {
	expect(pieces.filter((piece) => !page.includes(piece))).toEqual([]);
});
