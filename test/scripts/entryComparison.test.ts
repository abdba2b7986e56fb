import { compareEntries } from '../../scripts/demo/entryComparison.cts';

const entry = (number: number) => ({
	auditlogId: `entry-${number}`,
	createdAt: `2026-01-01T00:00:0${number}.000Z`,
});
const log = [0, 1, 2, 3, 4, 5].map(entry);
const untouched = { lost: [], twice: [], altered: [], inOrder: true };

describe('the comparison of emitted entries with the log', () => {
	it('finds nothing when a stretch of the log was emitted as it is', () => {
		expect(compareEntries([1, 2, 3].map(entry), log)).toEqual(untouched);
	});

	it('names an entry that is missing between the first and the last emitted one', () => {
		expect(compareEntries([1, 3].map(entry), log)).toEqual({ ...untouched, lost: [entry(2)] });
	});

	it('names an entry that was emitted twice', () => {
		const { twice } = compareEntries([1, 2, 2, 3].map(entry), log);

		expect(twice).toEqual(['entry-2']);
	});

	it('names an item that is not to the letter an entry of the log', () => {
		const touched = { ...entry(2), eventKey: 'added' };
		const invented = { unrelated: true };

		expect(compareEntries([entry(1), touched, invented], log).altered).toEqual([touched, invented]);
	});

	it('notices another order than that of the log', () => {
		expect(compareEntries([2, 1].map(entry), log).inOrder).toBe(false);
	});
});
