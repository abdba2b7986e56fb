import { DIGEST_BOUNDS } from '../../../../nodes/ConsoleAuditLog/reading/seenDigests';
import { BEGIN, entries, inOrder, MINUTE, trigger } from '../support/handPolledTrigger';
import { SETTINGS } from '../support/modelPoll';

beforeAll(() => {
	Object.assign(DIGEST_BOUNDS, { all: 20, row: 4 });
});

/** As 20,000 are remembered: the poll that finds the end finds nothing new, and a memory that is just full. */
test.each([
	{ count: 30, gap: 0, maxEntries: 2 },
	{ count: 30, gap: 0, maxEntries: 5 },
	{ count: 30, gap: 10, maxEntries: 2 },
	{ count: 40, gap: 0, maxEntries: 10 },
])(
	'more entries at one moment than are remembered come once: $count, $maxEntries a poll',
	(row) => {
		const ticking = trigger(entries(row.count, row.gap), { end: 'token' }, BEGIN + 2000);
		ticking.settings = { ...SETTINGS, pageSize: 2, maxEntries: row.maxEntries };
		for (let poll = 0; poll < 80; poll++) {
			ticking.poll();
			ticking.now += MINUTE;
		}
		expect(ticking.came).toEqual(inOrder(row.count));
	},
);
