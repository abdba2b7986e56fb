import { markdownTable } from '../../scripts/measurements/markdownTable.cts';

describe('a table of figures', () => {
	it('aligns numbers to the right and groups their digits', () => {
		expect(markdownTable(['Mode', 'Lost'], [['default', 1234]])).toBe(
			['| Mode    |  Lost |', '| ------- | ----: |', '| default | 1,234 |'].join('\n'),
		);
	});

	it('is empty without rows', () => {
		expect(markdownTable(['Mode'], [])).toBe('');
	});
});
