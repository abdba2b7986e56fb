import { LogReading } from '../../../../nodes/ConsoleAuditLog/reading/logReading';
import type { ReadingMemory } from '../../../../nodes/ConsoleAuditLog/reading/logReading';
import { freshState } from '../../../../nodes/ConsoleAuditLog/reading/pollState';
import type { ReadingSettings } from '../../../../nodes/ConsoleAuditLog/reading/readingSettings';
import type { ToldNotices } from '../../../../nodes/ConsoleAuditLog/trigger/logNotices';
import { logNotices } from '../../../../nodes/ConsoleAuditLog/trigger/logNotices';
import { BEGIN, MINUTE } from '../support/handPolledTrigger';
import { SCOPE, SETTINGS } from '../support/modelPoll';

const iso = (time: number) => new Date(time).toISOString();

interface Listed {
	/** By which the console sorts and filters. */
	at: number;
	/** Which the entry tells. */
	dated: number;
}

/** What n8n's log says from poll to poll. */
class Notices {
	private told: ToldNotices = {};

	tellsEarlier(reading: LogReading): boolean {
		const { notices, told } = logNotices(reading, {
			told: this.told,
			fields: SETTINGS,
			isLost: false,
		});
		this.told = told;
		return notices.some((notice) => notice.includes('is earlier than the time asked for'));
	}
}

/** A console that goes by another time than its entries tell, one poll a minute. */
function polled(log: Listed[], polls: number, start: number | undefined) {
	const came: number[] = [];
	let warnings = 0;
	let state = freshState(SCOPE, start);
	let memory: ReadingMemory | undefined;
	const notices = new Notices();
	for (let poll = 0; poll < polls; poll++) {
		const now = BEGIN + poll * MINUTE;
		const reading = new LogReading(state, SETTINGS, { now, memory });
		const since = Date.parse(reading.nextCall?.since ?? iso(0));
		const items = log.flatMap(({ at, dated }, number) =>
			at >= since && at <= now ? [{ auditlogId: `e${number}`, createdAt: iso(dated) }] : [],
		);
		reading.take({ items }, now);
		came.push(...reading.newEntries.map(({ entry }) => Number(String(entry.auditlogId).slice(1))));
		if (notices.tellsEarlier(reading)) warnings++;
		({ state, memory } = reading);
	}
	return { came, warnings };
}

const minutely = (count: number, lagOf: (number: number) => number): Listed[] =>
	Array.from({ length: count }, (_, number) => {
		const at = BEGIN + number * MINUTE;
		return { at, dated: at - lagOf(number) };
	});

const each = (count: number) => Array.from({ length: count }, (_, number) => number);

test('an entry dated an hour before its place comes once, and n8n’s log says why once', () => {
	const log = minutely(9, (number) => (number === 4 ? 60 * MINUTE : 0));
	expect(polled(log, 30, BEGIN - 5 * MINUTE)).toEqual({ came: each(9), warnings: 1 });
});

test('entries that all tell the time of another time zone come once', () => {
	const log = minutely(30, () => 300 * MINUTE);
	expect(polled(log, 60, BEGIN - 5 * MINUTE)).toEqual({ came: each(30), warnings: 1 });
});

test('n8n’s log says why with the first new entry, also where polls that found none have noticed it', () => {
	const at = (number: number) => ({
		auditlogId: `e${number}`,
		createdAt: iso(BEGIN - (300 - number) * MINUTE),
	});
	const start = new LogReading(freshState(SCOPE, BEGIN - 5 * MINUTE), SETTINGS, { now: BEGIN });
	start.take({ items: [at(0)] }, BEGIN);
	let state = start.startingAt(BEGIN);
	let memory: ReadingMemory | undefined;
	const notices = new Notices();
	const warned: number[] = [];
	for (let poll = 1; poll < 9; poll++) {
		const now = BEGIN + poll * MINUTE;
		const reading = new LogReading(state, SETTINGS, { now, memory });
		reading.take({ items: poll < 4 ? [at(0)] : [at(0), at(poll)] }, now);
		if (notices.tellsEarlier(reading)) warned.push(poll);
		({ state, memory } = reading);
	}
	expect(warned).toEqual([4]);
});

test('from the oldest on, an entry comes a second time at most, when it is noticed', () => {
	const { came, warnings } = polled(
		minutely(90, () => 20 * MINUTE),
		120,
		undefined,
	);
	expect([...new Set(came)]).toEqual(each(90));
	expect(came.length).toBeLessThanOrEqual(92);
	expect(warnings).toBe(1);
});

/** Polls a console once a minute, by pages of ten, that rounds `since` down. */
function polledByPages(
	log: number[],
	floor: (since: number) => number,
	{ start = BEGIN - MINUTE, ...changed }: Partial<ReadingSettings> & { start?: number },
) {
	const limit = 10;
	const came: number[] = [];
	let state = freshState(SCOPE, start);
	let memory: ReadingMemory | undefined;
	for (let poll = 0; poll < 60; poll++) {
		const now = BEGIN + poll * MINUTE;
		const settings = { ...SETTINGS, pageSize: limit, ...changed };
		const reading = new LogReading(state, settings, { now, memory });
		for (let call = reading.nextCall; call !== undefined; call = reading.nextCall) {
			const from = floor(Date.parse(call.since!));
			const listed = each(log.length).filter((number) => log[number] >= from && log[number] <= now);
			const start = Number(call.pageToken ?? 0);
			const items = listed
				.slice(start, start + limit)
				.map((number) => ({ auditlogId: `e${number}`, createdAt: iso(log[number]) }));
			const isLast = start + limit >= listed.length;
			reading.take({ items, ...(!isLast && { nextPageToken: `${start + limit}` }) }, now);
		}
		expect(reading.wentInCircles).toBe(false);
		came.push(...reading.newEntries.map(({ entry }) => Number(String(entry.auditlogId).slice(1))));
		({ state, memory } = reading);
	}
	return came;
}

test.each([
	['the hour before `since` as well', (since: number) => since - 60 * MINUTE],
	['all that it has, whatever `since`', () => -Infinity],
])('a console that lists %s: nothing is lost where whole pages are older', (_, floor) => {
	const log = each(70).map((number) => BEGIN + (number - 30) * MINUTE);
	const came = polledByPages(log, floor, {});
	expect(new Set(came).size).toBe(came.length);
	expect(came.filter((number) => number >= 30)).toEqual(each(70).slice(30));
});

test.each([1, 2, 7, 10, 15])(
	'a console that goes by whole hours: polls of at most %i entries deliver each, and none a third time',
	(maxEntries) => {
		const bursts = [0, 1, 46, 47].map((minute) => BEGIN + (minute - 120) * MINUTE);
		const log = bursts.flatMap((burst) => each(12).map((number) => burst + number));
		const hour = 60 * MINUTE;
		const floor = (since: number) => Math.floor(since / hour) * hour;
		const came = polledByPages(log, floor, { start: log[0], lookbackMs: MINUTE, maxEntries });
		expect([...new Set(came)]).toEqual(each(48));
		const most = Math.max(...each(48).map((one) => came.filter((other) => other === one).length));
		expect(most).toBeLessThanOrEqual(2);
	},
);

test.each([5, 9])(
	'so do polls of at most %i from within an hour that begins with more in a moment',
	(maxEntries) => {
		const begin = BEGIN - 120 * MINUTE;
		const burst = each(30).map((number) => begin + 5000 + 10 * number);
		const log = [...burst, ...each(60).map((number) => begin + (number + 1) * MINUTE)];
		const hour = 60 * MINUTE;
		const floor = (since: number) => Math.floor(since / hour) * hour;
		const came = polledByPages(log, floor, { start: begin + 30 * MINUTE, maxEntries });
		expect([...new Set(came)]).toEqual(each(90));
		expect(came.length).toBeLessThanOrEqual(180);
	},
);

test('a console that goes by whole seconds: pages of a second that are known lead on', () => {
	const second = each(31).map((number) => BEGIN + MINUTE + 10 * number);
	const log = [...second, BEGIN + 3 * MINUTE];
	const floor = (since: number) => Math.floor(since / 1000) * 1000;
	const came = polledByPages(log, floor, { lookbackMs: 0 });
	expect(came).toEqual(each(32));
});

test('a log in order of its times is no such log', () => {
	const log = minutely(30, () => 0);
	expect(polled(log, 60, BEGIN - 5 * MINUTE)).toEqual({ came: each(30), warnings: 0 });
});

test.each([
	{ what: 'an entry that was not read leads on', second: 7, leadsOn: true },
	{ what: 'one that was read leads back', second: 0, leadsOn: false },
])('a page that begins a little before the reading did, and goes on with $what', (row) => {
	const reading = new LogReading(freshState(SCOPE, BEGIN), SETTINGS, { now: BEGIN });
	const entry = (second: number) => ({
		auditlogId: `at${second}`,
		createdAt: iso(BEGIN + 1000 * second),
	});
	reading.take({ items: [entry(0), entry(5)], nextPageToken: 'next' }, BEGIN + MINUTE);
	reading.take({ items: [entry(-1), entry(row.second)], nextPageToken: 'more' }, BEGIN + MINUTE);
	expect(reading.newEntries).toHaveLength(row.leadsOn ? 4 : 2);
	expect(reading.nextCall?.pageToken).toBe(row.leadsOn ? 'more' : undefined);
	expect(reading.reachedEnd).toBe(false);
});

test.each([32, 8])('a poll takes no more pages once it holds %i MB that are new', (most) => {
	const megabytes = 1024 * 1024;
	const settings = { ...SETTINGS, mostBytes: most * megabytes };
	const reading = new LogReading(freshState(SCOPE, BEGIN), settings, { now: BEGIN });
	const page = (number: number) => ({
		items: [{ auditlogId: `e${number}`, createdAt: iso(BEGIN + number) }],
		nextPageToken: `after ${number}`,
	});
	for (let number = 0; number < most / 4; number++) {
		expect(reading.nextCall).toBeDefined();
		reading.take(page(number), BEGIN + MINUTE, { bytes: 4 * megabytes });
	}
	expect(reading.nextCall).toBeUndefined();
	expect(reading.reachedEnd).toBe(false);
	expect(reading.state).not.toEqual(freshState(SCOPE, BEGIN));
});

test('entries of few bytes count as what they take in memory', () => {
	const reading = new LogReading(
		freshState(SCOPE, BEGIN),
		{ ...SETTINGS, maxEntries: 1e9 },
		{ now: BEGIN },
	);
	let pages = 0;
	for (; reading.nextCall && pages < 10; pages++) {
		const items = Array.from({ length: 20_000 }, (_, at) => pages * 20_000 + at);
		reading.take({ items: items as never, nextPageToken: `after ${pages}` }, BEGIN + MINUTE, {
			bytes: 800_000,
		});
	}
	expect(pages).toBe(5);
});

test('so does one whose next entry an earlier poll delivered, if this one has not read it yet', () => {
	const entry = (second: number) => ({
		auditlogId: `at${second}`,
		createdAt: iso(BEGIN + 1000 * second),
	});
	const first = new LogReading(freshState(SCOPE, BEGIN), SETTINGS, { now: BEGIN });
	first.take({ items: [entry(0), entry(5), entry(-1), entry(7)] }, BEGIN + MINUTE);
	const before = { ...first.state, from: iso(BEGIN) };
	const reading = new LogReading(before, SETTINGS, { now: BEGIN });
	reading.take({ items: [entry(0), entry(5)], nextPageToken: 'next' }, BEGIN + MINUTE);
	reading.take({ items: [entry(-1), entry(7), entry(9)] }, BEGIN + MINUTE);
	expect(reading.newEntries.map((one) => one.entry)).toContainEqual(entry(9));
	expect(reading.reachedEnd).toBe(true);
});
