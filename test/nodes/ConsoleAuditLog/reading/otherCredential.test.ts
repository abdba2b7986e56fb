import { readingFrom } from '../../../../nodes/ConsoleAuditLog/reading/logReading';
import { DIGEST_BOUNDS } from '../../../../nodes/ConsoleAuditLog/reading/seenDigests';
import type { PollState } from '../../../../nodes/ConsoleAuditLog/reading/pollState';
import type { AuditLogEntry } from '../../../../services/console/auditLogEntry';
import type { ModelEntry } from '../support/modelLog';
import { BEGIN, entries, inOrder, MINUTE, trigger } from '../support/handPolledTrigger';

beforeAll(() => {
	Object.assign(DIGEST_BOUNDS, { all: 20, row: 4 });
});

const rotated = { credential: { mark: { salt: 'salt', digest: 'other' }, isOther: true } };

/** Reads what is there, and what comes in minutes from then with another credential. */
function withRotation(log: ModelEntry[], begun: number, quiet: number) {
	const ticking = trigger(log, {}, begun);
	for (const end = begun + quiet; ticking.now < end; ticking.now += MINUTE) ticking.poll();
	const before = ticking.came.length;
	const { reading } = ticking.poll({}, rotated);
	return { before, came: ticking.came, isOtherLog: reading.isOtherLog };
}

test('another credential of a log whose remembered entries all stand before the position', () => {
	const log = [...entries(25, 10), ...entries(1, 0, 9 * MINUTE, 'new')];
	const { came, isOtherLog } = withRotation(log, BEGIN + 2000, 9 * MINUTE);
	expect(isOtherLog).toBe(false);
	expect(came).toEqual([...inOrder(25), 'new0']);
});

const AHEAD = 120 * MINUTE;
/** Local times without a zone, east of UTC, where the console filters by the true ones. */
const local = (log: ModelEntry[]) =>
	log.map((one) => ({
		...one,
		entry: { ...one.entry, createdAt: new Date(one.time + AHEAD).toISOString().replace('Z', '') },
	}));

test.each([2, 12, 118, 180, 600])(
	'another credential of a log whose entries are dated hours ahead, after %i quiet minutes',
	(quiet) => {
		const log = local([...entries(8, MINUTE), ...entries(1, 0, (8 + quiet) * MINUTE, 'new')]);
		const { came, isOtherLog } = withRotation(log, BEGIN + 1000, (8 + quiet) * MINUTE);
		expect(isOtherLog).toBe(false);
		expect(came).toEqual([...inOrder(8), 'new0']);
	},
);

test.each([0, AHEAD])(
	'that of another log is still noticed where times are ahead by %i',
	(ahead) => {
		const log = ahead === 0 ? entries(8, MINUTE) : local(entries(8, MINUTE));
		const ticking = trigger(log, {}, BEGIN + 1000);
		for (let poll = 0; poll < 12; poll++) {
			ticking.poll();
			ticking.now += MINUTE;
		}
		const other = entries(20, MINUTE, 0, 'other');
		const next = trigger(ahead === 0 ? other : local(other), {}, ticking.now);
		next.state = ticking.state;
		expect(next.poll({}, rotated).reading.isOtherLog).toBe(true);
	},
);

describe('a credential that shows more than is held, before anything that is remembered,', () => {
	/** After 50 pages of 5 MB without a time. */
	function afterManyPages(more: Partial<PollState> = {}) {
		const ticking = trigger(entries(8, MINUTE), {}, BEGIN + 9 * MINUTE);
		ticking.drain();
		const { settings, now } = ticking;
		const state = { ...ticking.state, ...more };
		const reading = readingFrom(state, settings, { now, ...rotated });
		const take = (entry: AuditLogEntry, nextPageToken?: string) =>
			reading.take({ items: [entry], nextPageToken }, now, { bytes: 5_000_000 });
		for (let page = 0; page < 50; page++) take({ auditlogId: `other ${page}` }, `page ${page}`);
		return { reading, state, take };
	}

	test('fills no memory', () => {
		const { reading } = afterManyPages();
		expect(reading.nextCall).toBeDefined();
		expect(reading['read'].found.length).toBeLessThan(10);
		expect(reading.newEntries).toEqual([]);
	});

	test('is that of another log where the reading ends so', () => {
		const { reading, take } = afterManyPages();
		take({ auditlogId: 'last' });
		expect(reading.isOtherLog).toBe(true);
	});

	test('is that of the same log where a remembered entry follows: it is read again from there', () => {
		const { reading, state, take } = afterManyPages();
		take(entries(8, MINUTE)[7].entry, 'one more');
		expect(reading.isOtherLog).toBe(false);
		expect(reading.nextCall).toBeUndefined();
		expect(reading.newEntries).toEqual([]);
		expect(reading.reachedEnd).toBe(false);
		expect(reading.state).toEqual({ ...state, credential: rotated.credential.mark });
	});

	test.each([
		['in one page', [[30]]],
		['in several', [[8], [8], [8]]],
	])('delivers no more in one poll than Max Entries per Poll (%s)', (_, pages) => {
		const ticking = trigger(entries(8, MINUTE), {}, BEGIN + 9 * MINUTE);
		ticking.drain();
		const settings = { ...ticking.settings, maxEntries: 10 };
		const reading = readingFrom(ticking.state, settings, { now: ticking.now, ...rotated });
		pages.forEach(([count], page) => {
			const late = Array.from({ length: count }, (_value, at) => ({
				auditlogId: `late ${page} ${at}`,
				createdAt: entries(8, MINUTE)[0].entry.createdAt,
			}));
			const known = page === pages.length - 1 ? [entries(8, MINUTE)[7].entry] : [];
			reading.take({ items: [...late, ...known], nextPageToken: `after ${page}` }, ticking.now);
		});
		expect(reading.newEntries).toEqual([]);
		expect(reading.isOtherLog).toBe(false);
		expect(reading.nextCall).toBeUndefined();
		expect(reading.state.credential).toBe(rotated.credential.mark);
	});

	test('is read from the position, and not with the token of the credential before', () => {
		const resume = { at: new Date(BEGIN).toISOString(), limit: 100, token: 'of another' };
		const { reading, take } = afterManyPages({ resume });
		take(entries(8, MINUTE)[7].entry, 'one more');
		expect(reading.state.resume).toBeUndefined();
	});
});
