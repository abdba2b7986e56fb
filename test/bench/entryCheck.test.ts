import { EntryCheck } from '../../bench/backlog/entryCheck.cts';
import { idOf } from '../../sandbox/console/generatedEntries.cts';

const SEED = 1;

function checked(...indexes: number[]): EntryCheck {
	const check = new EntryCheck(3, SEED);
	for (const index of indexes) check.take(idOf(SEED, index));
	return check;
}

describe('checking what a drain delivers', () => {
	it('is content with every entry once, in order', () => {
		expect(checked(0, 1, 2)).toMatchObject({ missing: 0, twice: 0, outOfOrder: 0, unknown: 0 });
	});

	it('notices what is missing, twice, out of order, or not of the log', () => {
		expect(checked(0, 2)).toMatchObject({ missing: 1, count: 2 });
		expect(checked(0, 1, 1)).toMatchObject({ twice: 1, outOfOrder: 0 });
		expect(checked(1, 0)).toMatchObject({ outOfOrder: 1 });
		expect(checked(3)).toMatchObject({ unknown: 1, missing: 3 });
	});

	it('takes lines of text as it takes entries', () => {
		const check = new EntryCheck(3, SEED);
		const lines = [0, 2].map((index) => `${JSON.stringify({ auditlogId: idOf(SEED, index) })}\n`);
		check.takeLines(lines.join(''));
		expect(check).toMatchObject({ missing: 1, count: 2, unknown: 0 });
	});
});
