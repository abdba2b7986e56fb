import { DIGEST_BOUNDS } from '../../../../nodes/ConsoleAuditLog/reading/seenDigests';
import { BEGIN, entries, inOrder, MINUTE, trigger } from '../support/handPolledTrigger';

beforeAll(() => {
	Object.assign(DIGEST_BOUNDS, { all: 20, row: 4 });
});

/** A console that writes whole seconds, and filters by the true times. */
const inWholeSeconds = (gap: number) =>
	entries(100, gap).map((one) => ({
		...one,
		entry: { ...one.entry, createdAt: new Date(one.time).toISOString().replace(/\.\d+/, '') },
	}));

test.each([130, 240, 470])(
	'entries told in whole seconds, %i ms apart, come once where more are in the lookback than are remembered',
	(gap) => {
		const ticking = trigger(inWholeSeconds(gap), {}, BEGIN + 3 * MINUTE);
		ticking.drain();
		expect(ticking.came).toEqual(inOrder(100));
	},
);
